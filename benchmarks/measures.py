"""What is measured of QForge and of its peers alike, and how it follows from stamps."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks import stamps

Stamps = Sequence[tuple[int, float]]

ONE_BY_ONE: Final = "enqueue one by one, jobs/s"
IN_BULK: Final = "enqueue in bulk, jobs/s"
DRAIN: Final = "drain of stamping no-ops, jobs/s"
LAG: Final = "drain, last stamp to empty queue, ms"
PICKUPS: Final = {0.50: "pick-up p50, ms", 0.95: "pick-up p95, ms", 0.99: "pick-up p99, ms"}
NAPS: Final = "2,000 jobs of 50 ms at concurrency 50, s"
IN_FLIGHT: Final = "jobs of 50 ms, most at once"

BY_WORKLOAD: Final[Mapping[str, tuple[str, ...]]] = {
    "enqueue": (ONE_BY_ONE, IN_BULK),
    "drain": (DRAIN, LAG),
    "pickup": tuple(PICKUPS.values()),
    "naps": (NAPS, IN_FLIGHT),
}

EMPTY_SECONDS: Final = 60.0
NAPS_COUNTED: Final = 2000


def drained(path: Path, count: int, left: Callable[[], int] | None) -> dict[str, float]:
    """Wait for the end of a drain that runs.

    Args:
        path: the file of its stamps.
        count: how many jobs there are.
        left: counts the jobs that the queue still keeps as unfinished; None where it cannot say.

    Raises:
        RuntimeError: not all handlers ran, or the queue did not become empty, in time.
    """
    found = stamps.wait_for(path, count)
    figures = {DRAIN: rate(found)}
    if left:
        end = time.monotonic() + EMPTY_SECONDS
        while unfinished := left():
            if time.monotonic() > end:
                raise RuntimeError(f"{unfinished} jobs are unfinished long after their handlers")
            time.sleep(0.002)
        figures[LAG] = (time.monotonic() - found[-1][1]) * 1000
    return figures


def rate(found: Stamps) -> float:
    """Jobs a second: the gaps between the first and the last start of a handler.

    Raises:
        RuntimeError: a job ran twice, or there are fewer than two.
    """
    _each_once(found)
    if len(found) < 2:
        raise RuntimeError("fewer than two stamps have no rate")
    return (len(found) - 1) / (found[-1][1] - found[0][1])


def pickups(send: Callable[[int], object], count: int) -> dict[int, float]:
    """Enqueue `count` jobs at random gaps of 20 to 80 ms; the moments when each call returned.

    Job 0 comes a second before them, wakes client and worker up, and does not count.
    """
    asked: dict[int, float] = {}
    send(0)
    time.sleep(1)
    for number in range(1, count + 1):
        send(number)
        asked[number] = time.monotonic()
        time.sleep(random.uniform(0.02, 0.08))  # noqa: S311 - gaps, not secrets
    return asked


def waits(found: Stamps, asked: Mapping[int, float]) -> dict[str, float]:
    """Percentiles of the time from the return of the call to the handler's first line.

    Raises:
        RuntimeError: a job ran twice.
    """
    _each_once(found)
    started = dict(found)
    ordered = sorted((started[number] - at) * 1000 for number, at in asked.items())
    last = len(ordered) - 1
    return {name: ordered[min(int(len(ordered) * p), last)] for p, name in PICKUPS.items()}


def napped(found: Stamps) -> dict[str, float]:
    """Time from the first start to the last end, as if there had been 2,000 of them.

    Raises:
        RuntimeError: a job ran twice.
    """
    _each_once(found)
    count = sum(number >= 0 for number, _ in found)
    spent = found[-1][1] - found[0][1]
    at_once = most = 0
    for number, _ in found:
        at_once += 1 if number >= 0 else -1
        most = max(most, at_once)
    return {NAPS: spent * NAPS_COUNTED / count, IN_FLIGHT: float(most)}


def _each_once(found: Stamps) -> None:
    if (numbers := len({number for number, _ in found})) != len(found):
        raise RuntimeError(f"{len(found)} stamps are of {numbers} jobs: some ran twice")
