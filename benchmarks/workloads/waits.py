"""Async jobs of a second in one process, on its event loop; what would be ideal stands beside it.

Ideal are as many rounds of a second as it takes with so much room, but no less than a second and
the time in which the same jobs are claimed and finished when they wait for nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from benchmarks import database, stamps, workers
from benchmarks.scale import Scale

_BATCH = 500


def measure(scale: Scale) -> dict[str, float]:
    count = scale.waits
    bare = _spent("benchmarks.stamp_async", count, room=count)
    return dict(_figures(count, bare))


def _figures(count: int, bare: float) -> Iterator[tuple[str, float]]:
    yield f"{count:,} async no-ops in one process, s", bare
    for share in (10, 1):
        room = count // share
        ideal = max(math.ceil(count / room) * stamps.WAIT_SECONDS, stamps.WAIT_SECONDS + bare)
        spent = _spent("benchmarks.wait", count, room=room)
        name = f"{count:,} async jobs of 1 s, {room:,} at once"
        yield f"{name}, s", spent
        yield f"{name}, over the ideal", spent / ideal


def _spent(task: str, count: int, *, room: int) -> float:
    """Seconds from the first claim to the last outcome, by the database's clock."""
    database.empty()
    database.fill_numbered(task, count)
    with workers.stamp_file() as path:
        workers.drain("--threads", "2", "--async-jobs", str(room), "--batch-size", str(_BATCH))
        if len(stamps.read(path)) != count:
            raise RuntimeError("not every job ran once")
    return (count - 1) / workers.jobs_per_second()
