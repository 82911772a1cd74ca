"""Handlers that cost next to nothing, so that what is measured is the queue."""

from __future__ import annotations

from typing import Any

from benchmarks import stamps
from jobs import task


@task(name="benchmarks.noop")
def noop(**payload: Any) -> dict[str, int]:
    return {"ok": 1}


@task(name="benchmarks.stamp")
def stamp(number: int) -> None:
    stamps.noop(number)


@task(name="benchmarks.stamp_async")
async def stamp_async(number: int) -> None:
    stamps.stamp(number)


@task(name="benchmarks.wait")
async def wait(number: int) -> None:
    await stamps.wait(number)


@task(name="benchmarks.nap")
def nap(number: int) -> None:
    stamps.nap(number)
