"""The watchdog: enforces deadlines, and frees whatever has been waiting too long."""

from __future__ import annotations

import time
from typing import Final

from jobs import instrument, registry
from jobs.errors import JobTimeout
from jobs.maintenance.loop import Service
from jobs.store import values
from jobs.store.connections import EngineConnection
from jobs.worker import failures
from jobs.worker.exchange import Exchange
from jobs.worker.executor import tell
from jobs.worker.runs import Run, Runs

_FLUSH_SECONDS: Final = 0.05
_IDLE_SECONDS: Final = 0.25
_STALE_SECONDS: Final = 1.0
_STUCK_SECONDS: Final = 10.0


class Watchdog(Service):
    """Looks twenty times a second while anything is under way, and four times when idle.

    - An attempt past its deadline is failed here and now, whatever its thread does; the thread
      gets JobTimeout. One that does not come back from that is stuck, and the pool is recycled.
    - Outcomes that wait while every thread is busy are written from here.
    - Prefetched jobs that have not been started within a second are given back.
    - An engine connection that has been in one use for too long is cut.
    """

    name = "watchdog"
    interval_seconds = 0.05

    def __init__(
        self,
        engine: EngineConnection,
        exchange: Exchange,
        runs: Runs,
        *,
        watched: list[EngineConnection],
        stall_seconds: float,
    ) -> None:
        super().__init__(engine)
        self._exchange = exchange
        self._runs = runs
        self._watched = watched
        self._stall_seconds = stall_seconds
        self._overdue: dict[Run, float] = {}

    def run_once(self) -> float | None:
        now = time.monotonic()
        running = self._runs.all()
        for run in running:
            if run.deadline is not None and now >= run.deadline and run not in self._overdue:
                self._expire(run, now)
        self._overdue = {run: at for run, at in self._overdue.items() if run in running}
        if self._exchange.outcomes_waiting_seconds() > _FLUSH_SECONDS:
            self._exchange.flush()
        self._exchange.give_back_stale(_STALE_SECONDS)
        for connection in self._watched:
            if connection.abort_if_stalled(self._stall_seconds):
                instrument.emit("worker.connection_cut", after_seconds=self._stall_seconds)
        return None if running or self._exchange.pending else _IDLE_SECONDS

    @property
    def stuck(self) -> int:
        """Threads that have not come back from a timeout for ten seconds."""
        limit = time.monotonic() - _STUCK_SECONDS
        return sum(1 for since in self._overdue.values() if since < limit)

    def _expire(self, run: Run, now: float) -> None:
        self._overdue[run] = now
        if run.settle():
            task, error = registry.find(run.job.task), JobTimeout()
            seconds = now - run.started
            outcome = failures.outcome_of(run.job, task, error, seconds)
            self._exchange.submit(outcome)
            tell(run.job, outcome, seconds)
        run.interrupt()

    def release_all(self, reason: str, delay_seconds: float) -> int:
        """Give back every attempt that still runs; its thread's own outcome no longer counts."""
        settled = [run for run in self._runs.all() if run.settle()]
        for run in settled:
            run.context._lost.set()
            self._exchange.submit(
                values.released(
                    run.job.id, run.job.token, reason=reason, delay_seconds=delay_seconds
                )
            )
        return len(settled)
