"""Stamps: 16 bytes for each start of a handler, appended to one file by all processes.

It needs nothing but Python, since it runs in the virtual environments of the peers too.
"""

from __future__ import annotations

import asyncio
import functools
import os
import struct
import time
from pathlib import Path
from typing import Final

VARIABLE: Final = "BENCHMARK_STAMPS"
"""The environment variable with the path of the file."""

NAP_SECONDS: Final = 0.05
WAIT_SECONDS: Final = 1.0

_RECORD = struct.Struct("<qd")


@functools.cache
def _file() -> int:
    return os.open(os.environ[VARIABLE], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)


def stamp(number: int) -> None:
    """Append a number and the moment; the monotonic clock is one for all processes of a machine."""
    os.write(_file(), _RECORD.pack(number, time.monotonic()))


def noop(number: int) -> None:
    """The handler of a job that does nothing."""
    stamp(number)


def nap(number: int) -> None:
    """The handler of a job that waits for something; its end is stamped as ~number."""
    stamp(number)
    time.sleep(NAP_SECONDS)
    stamp(~number)


async def noop_async(number: int) -> None:
    """`noop` for peers whose workers are asynchronous."""
    stamp(number)


async def nap_async(number: int) -> None:
    """`nap` for peers whose workers are asynchronous."""
    stamp(number)
    await asyncio.sleep(NAP_SECONDS)
    stamp(~number)


async def wait(number: int) -> None:
    """The handler of a job that waits for a second."""
    await asyncio.sleep(WAIT_SECONDS)
    stamp(number)


HANDLERS: Final = {"noop": noop, "nap": nap}
ASYNC_HANDLERS: Final = {"noop": noop_async, "nap": nap_async}


def read(path: Path) -> list[tuple[int, float]]:
    """The stamps so far, in the order of their moments; one just being written is left out."""
    data = path.read_bytes()
    whole = len(data) // _RECORD.size * _RECORD.size
    return sorted(_RECORD.iter_unpack(data[:whole]), key=lambda one: one[1])


def wait_for(path: Path, count: int, *, seconds: float = 30) -> list[tuple[int, float]]:
    """Return the stamps once there are `count`.

    Raises:
        RuntimeError: there was no new one for some seconds.
    """
    had, end = -1, 0.0
    while (have := path.stat().st_size // _RECORD.size) < count:
        if have > had:
            had, end = have, time.monotonic() + seconds
        if time.monotonic() > end:
            raise RuntimeError(f"only {have} of {count} stamps, no new one for {seconds:g} s")
        time.sleep(0.005)
    return read(path)
