"""The heartbeat: renews the leases of all a pool owns, on its own thread and connection."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from jobs import instrument
from jobs.maintenance.loop import Service
from jobs.store import leases, values, workers
from jobs.store.connections import EngineConnection
from jobs.worker.exchange import Exchange
from jobs.worker.options import PoolOptions
from jobs.worker.runs import Run, Runs


class Heartbeat(Service):
    """One update renews all leases. It also brings back cancel requests and lost leases, which
    handlers see through their context, and stores progress and the pool's row for people."""

    name = "heartbeat"

    def __init__(
        self,
        engine: EngineConnection,
        exchange: Exchange,
        runs: Runs,
        options: PoolOptions,
        *,
        describe: Callable[[], dict[str, Any]],
    ) -> None:
        super().__init__(engine)
        self.interval_seconds = options.heartbeat_seconds
        self._exchange = exchange
        self._runs = runs
        self._options = options
        self._describe = describe

    def run_once(self) -> float | None:
        held = self._exchange.held()
        said = self._new_progress(held)
        with self.engine.borrowed():
            using = self.engine.alias
            if held:
                renewal = leases.renew(using, held, lease_seconds=self._options.lease_seconds)
                leases.save_progress(using, held, {run.job.id: said[run] for run in said})
            workers.beat(using, self._exchange.name, **self._describe())
        for run, progress in said.items():
            run.stored_progress = progress
        if held:
            self._act_on(held, renewal)
        return None

    def _new_progress(self, held: dict[int, uuid.UUID]) -> dict[Run, dict[str, Any]]:
        """What handlers have said since it was last stored."""
        told = {run: run.context._progress for run in self._runs.all()}
        return {
            run: progress
            for run, progress in told.items()
            if progress is not None
            and progress is not run.stored_progress
            and held.get(run.job.id) == run.job.token
        }

    def _act_on(self, held: dict[int, uuid.UUID], renewal: leases.Renewal) -> None:
        lost = {job_id: held[job_id] for job_id in renewal.lost}
        # A job may have ended while the renewal was under way. Only what is still on a thread, or
        # waits for one, can have lost its lease; the rest is the exchange's to find out.
        gone = set(self._exchange.drop_unstarted(lost))
        for run in self._runs.all():
            if lost.get(run.job.id) == run.job.token and not run.context.lease_lost:
                run.context._lost.set()
                if not run.settled:
                    gone.add(run.job.id)
        for job_id in gone:
            instrument.emit("job.lease_lost", job_id=job_id, worker=self._exchange.name)
        for run in self._runs.all():
            if run.job.id in renewal.cancel_requested:
                run.context._cancel.set()
        for job in self._exchange.withdraw(renewal.cancel_requested):
            self._exchange.submit(
                values.cancelled(job, reason="cancel requested before it started")
            )
