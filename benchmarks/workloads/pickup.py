"""Pick-up on an idle pool: from the return of `enqueue` to the handler's first line."""

from __future__ import annotations

import time

from benchmarks import database, measures, stamps, workers
from benchmarks.scale import Scale
from jobs import enqueue

_IDLE_SECONDS = 5.0


def measure(scale: Scale) -> dict[str, float]:
    database.empty()
    with workers.stamp_file() as path, workers.idle_pool("--threads", "8") as pool:
        before = workers.cpu_seconds(pool.pid)
        time.sleep(_IDLE_SECONDS)
        idle = (workers.cpu_seconds(pool.pid) - before) / _IDLE_SECONDS
        asked = measures.pickups(_send, scale.pickups)
        found = stamps.wait_for(path, scale.pickups + 1)
    return measures.waits(found, asked) | {"idle pool, % of a core": idle * 100}


def _send(number: int) -> None:
    enqueue("benchmarks.stamp", {"number": number})
