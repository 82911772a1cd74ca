"""Handlers that cost next to nothing, so that what is measured is the queue."""

from __future__ import annotations

import os
import time
from typing import Any

from jobs import task


@task(name="benchmarks.noop")
def noop(**payload: Any) -> dict[str, int]:
    return {"ok": 1}


@task(name="benchmarks.stamp")
def stamp(number: int, path: str) -> None:
    """Append the moment of the start; the monotonic clock is one for all processes of a machine."""
    line = f"{number} {time.monotonic():.6f}\n".encode()
    file = os.open(path, os.O_WRONLY | os.O_APPEND)
    try:
        os.write(file, line)
    finally:
        os.close(file)


@task(name="benchmarks.sleep")
def sleep(seconds: float) -> None:
    time.sleep(seconds)
