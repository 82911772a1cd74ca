"""The queue as the database has it at this moment. Every count is bounded, like its cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from jobs import stats

_BOUND = f"counting stops at {stats.BOUND:,}"


class QueueCollector(Collector):
    """Reads a database whenever it is collected."""

    def __init__(self, using: str) -> None:
        self._using = using

    def collect(self) -> Iterator[GaugeMetricFamily]:
        yield from self._queues()
        yield from self._whole()
        yield from self._workers()

    def _queues(self) -> Iterator[GaugeMetricFamily]:
        help_text = f"Jobs in a queue that are not finished; {_BOUND} for each status."
        jobs = GaugeMetricFamily("qforge_jobs", help_text, labels=["queue", "status"])
        oldest = GaugeMetricFamily(
            "qforge_oldest_queued_seconds",
            "How long the longest waiting queued job has been due; 0 when none waits.",
            labels=["queue"],
        )
        paused = GaugeMetricFamily("qforge_queue_paused", "1 while paused.", labels=["queue"])
        for state in stats.queue_states(self._using):
            for status, number in state.jobs.items():
                jobs.add_metric([state.name, status], number.count)
            oldest.add_metric([state.name], state.oldest_queued_seconds or 0)
            paused.add_metric([state.name], state.paused_at is not None)
        yield from (jobs, oldest, paused)

    def _whole(self) -> Iterator[GaugeMetricFamily]:
        now = stats.clock(self._using)
        kept = GaugeMetricFamily(
            "qforge_finished_jobs",
            f"Finished jobs that are kept; {_BOUND} for each status.",
            labels=["status"],
        )
        found = stats.totals(self._using, now).jobs
        for status in stats.FINISHED:
            kept.add_metric([status], found[status].count)
        yield kept
        yield GaugeMetricFamily(
            "qforge_stalled_jobs",
            "Running jobs whose lease has run out and that nobody has rescued.",
            stats.stalled(self._using, now).count,
        )

    def _workers(self) -> Iterator[GaugeMetricFamily]:
        pools = stats.pool_states(self._using)
        states = Counter(
            "lost" if pool.lost else "stopping" if pool.stopping else "live" for pool in pools
        )
        processes = GaugeMetricFamily(
            "qforge_worker_processes", "Processes of workers in the registry.", labels=["state"]
        )
        for state in ("live", "stopping", "lost"):
            processes.add_metric([state], states[state])
        living = [pool for pool in pools if not pool.lost]
        threads = GaugeMetricFamily(
            "qforge_worker_threads", "Threads of workers that live.", labels=["state"]
        )
        busy = sum(pool.busy for pool in living)
        threads.add_metric(["busy"], busy)
        threads.add_metric(["idle"], max(sum(pool.threads for pool in living) - busy, 0))
        yield from (processes, threads)


def exposition(using: str) -> tuple[bytes, str]:
    """The numbers as text, and its media type."""
    registry = CollectorRegistry()
    registry.register(QueueCollector(using))
    return generate_latest(registry), CONTENT_TYPE_LATEST
