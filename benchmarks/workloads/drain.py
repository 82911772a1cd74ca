"""Draining no-ops with events and results: the exchange against one job a transaction."""

from __future__ import annotations

from benchmarks import database, workers
from benchmarks.scale import Scale


def measure(scale: Scale) -> dict[str, float]:
    figures = {}
    database.empty()
    database.fill_noops(scale.drain_plain)
    workers.drain_plainly(10)
    figures["plain loop, 10 threads, jobs/s"] = plain = workers.jobs_per_second()
    for processes in (1, 2):
        database.empty()
        database.fill_noops(scale.drain)
        workers.drain("--threads", "10", "--processes", str(processes))
        figures[f"exchange, {processes} x 10 threads, jobs/s"] = workers.jobs_per_second()
    figures["exchange over plain loop, 1 process"] = (
        figures["exchange, 1 x 10 threads, jobs/s"] / plain
    )
    return figures
