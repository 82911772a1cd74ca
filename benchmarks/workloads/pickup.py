"""Pick-up on an idle pool: from the return of `enqueue` to the handler's first line."""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

from benchmarks import database, workers
from benchmarks.scale import Scale
from jobs import enqueue

_IDLE_SECONDS = 5.0


def measure(scale: Scale) -> dict[str, float]:
    database.empty()
    with tempfile.NamedTemporaryFile() as file, workers.idle_pool("--threads", "8") as pool:
        before = workers.cpu_seconds(pool.pid)
        time.sleep(_IDLE_SECONDS)
        idle = (workers.cpu_seconds(pool.pid) - before) / _IDLE_SECONDS
        asked = {}
        for number in range(scale.pickups):
            enqueue("benchmarks.stamp", {"number": number, "path": file.name})
            asked[number] = time.monotonic()
            time.sleep(random.uniform(0.02, 0.08))  # noqa: S311 - gaps, not secrets
        waits = _waits(Path(file.name), asked)
    return {
        "pick-up p50, ms": _percentile(waits, 0.50),
        "pick-up p95, ms": _percentile(waits, 0.95),
        "pick-up p99, ms": _percentile(waits, 0.99),
        "idle pool, % of a core": idle * 100,
    }


def _waits(path: Path, asked: dict[int, float]) -> list[float]:
    end = time.monotonic() + 30
    while len(lines := path.read_text(encoding="ascii").splitlines()) < len(asked):
        if time.monotonic() > end:
            raise RuntimeError(f"only {len(lines)} of {len(asked)} jobs were picked up")
        time.sleep(0.05)
    stamps = {int(number): float(at) for number, at in (line.split() for line in lines)}
    return sorted((stamps[number] - at) * 1000 for number, at in asked.items())


def _percentile(ordered: list[float], share: float) -> float:
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)]
