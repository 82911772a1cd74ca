"""What one process of workers has done since it started, counted from the engine's events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    start_http_server,
)

from jobs import instrument, registry

_SECONDS: Final = (0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600)
UNKNOWN: Final = "(unknown)"
"""Stands for all tasks that are not registered: any name can be in a row, and each would stay."""


class WorkerMetrics:
    """A subscriber of `jobs.instrument` that counts into a registry of Prometheus's."""

    def __init__(self, into: CollectorRegistry) -> None:
        self._attempts = Counter(
            "qforge_attempts",
            "Attempts that ended, by how: succeeded, retrying, failed, cancelled, released.",
            ["task", "queue", "outcome"],
            registry=into,
        )
        self._run = Histogram(
            "qforge_run_seconds",
            "Time an attempt took.",
            ["task"],
            buckets=_SECONDS,
            registry=into,
        )
        self._wait = Histogram(
            "qforge_wait_seconds",
            "Time from when an attempt was due until it started.",
            ["queue"],
            buckets=_SECONDS,
            registry=into,
        )
        self._events = Counter(
            "qforge_events",
            "What else the engine has told, as in the worker's log.",
            ["event"],
            registry=into,
        )
        self._threads = Gauge("qforge_threads", "Threads for jobs.", registry=into)

    def __call__(self, event: str, fields: dict[str, Any]) -> None:
        if event != "job.finished":
            self._events.labels(event).inc()
            if event == "worker.started":
                self._threads.set(fields["options"].threads)
            return
        task = fields["task"] if registry.find(fields["task"]) else UNKNOWN
        self._attempts.labels(task, fields["queue"], instrument.ended_as(fields)).inc()
        self._run.labels(task).observe(fields["run_seconds"])
        # Clocks can go back.
        self._wait.labels(fields["queue"]).observe(max(fields["wait_seconds"], 0.0))


def serve(address: str, port: int) -> Callable[[], None]:
    """Count from now on and serve at `/metrics`; returns the way out.

    Raises:
        OSError: nothing can listen there.
    """
    into = CollectorRegistry()
    ProcessCollector(registry=into)
    metrics = WorkerMetrics(into)
    server, _ = start_http_server(port, address, into)
    unsubscribe = instrument.subscribe(metrics)

    def stop() -> None:
        unsubscribe()
        server.shutdown()
        server.server_close()

    return stop
