"""Jobs that wait for something, 50 at once in one process: 2.0 s for 2,000 would be ideal."""

from __future__ import annotations

from benchmarks import database, measures, stamps, workers
from benchmarks.scale import Scale


def measure(scale: Scale) -> dict[str, float]:
    database.empty()
    database.fill_numbered("benchmarks.nap", scale.naps)
    with workers.stamp_file() as path:
        workers.drain("--threads", "50")
        return measures.napped(stamps.read(path))
