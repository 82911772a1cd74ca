"""Draining no-ops with events and results: the exchange against one job a transaction."""

from __future__ import annotations

from benchmarks import database, measures, workers
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
    return figures | _stamped(scale)


def _stamped(scale: Scale) -> dict[str, float]:
    """As peers are measured: by the handlers' own stamps."""
    database.empty()
    database.fill_numbered("benchmarks.stamp", scale.drain)
    with workers.stamp_file() as path, workers.pool("--threads", "10", "--processes", "2"):
        return measures.drained(path, scale.drain, database.unfinished)
