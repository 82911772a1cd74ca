"""The watchdog: enforces deadlines, and cuts connections that no longer answer."""

from __future__ import annotations

import time
from typing import Final

from jobs import instrument
from jobs.errors import JobTimeout
from jobs.maintenance.loop import Service
from jobs.store import values
from jobs.store.connections import EngineConnection
from jobs.worker import failures
from jobs.worker.attempt import tell
from jobs.worker.exchange import Exchange
from jobs.worker.loop import JobLoop
from jobs.worker.runs import Run, Runs

_IDLE_SECONDS: Final = 0.25
_STUCK_SECONDS: Final = 10.0


class Watchdog(Service):
    """Looks twenty times a second while anything is under way, and four times when idle.

    - An attempt past its deadline is failed here and now, whatever its thread does; the thread
      gets JobTimeout. One that does not come back from that is stuck, and the pool is recycled.
    - An async handler that blocks the event loop is reported.
    - An engine connection that has been in one use for too long is cut.

    It never waits for the database itself, or nobody would be left to do that.
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
        loop: JobLoop | None = None,
    ) -> None:
        super().__init__(engine)
        self._exchange = exchange
        self._runs = runs
        self._watched = watched
        self._stall_seconds = stall_seconds
        self._job_loop = loop
        self._overdue: dict[Run, float] = {}

    def after_error(self) -> None:
        """Nothing: throwing the connection away would wait for whoever hangs in it."""

    def run_once(self) -> float | None:
        now = time.monotonic()
        running = set(self._runs.all())
        for run in running:
            if run.deadline is not None and now >= run.deadline and run not in self._overdue:
                self._expire(run, now)
        self._overdue = {run: at for run, at in self._overdue.items() if run in running}
        if self._job_loop is not None and (blocked := self._job_loop.look()) is not None:
            instrument.emit("loop.blocked", **blocked)
        for connection in self._watched:
            if connection.abort_if_stalled(self._stall_seconds):
                instrument.emit("worker.connection_cut", after_seconds=self._stall_seconds)
        return None if running or self._exchange.pending else _IDLE_SECONDS

    @property
    def stuck(self) -> int:
        """Attempts that hold a thread, or the whole event loop, ten seconds after their timeout."""
        limit = time.monotonic() - _STUCK_SECONDS
        # Another thread asks; a copy is made in one step.
        overdue = list(self._overdue.items())
        return sum(1 for run, since in overdue if since < limit and run.holds_thread)

    def _expire(self, run: Run, now: float) -> None:
        self._overdue[run] = now
        seconds = now - run.started
        outcome = failures.outcome_of(run.job, run.task, JobTimeout(), seconds)
        if run.settle(outcome):
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
