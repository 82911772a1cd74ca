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
from jobs.worker.runs import Runs


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
        progress = self._progress()
        with self.engine.borrowed():
            using = self.engine.alias
            if held:
                renewal = leases.renew(using, held, lease_seconds=self._options.lease_seconds)
                leases.save_progress(using, held, progress)
            workers.beat(using, self._exchange.name, **self._describe())
        if held:
            self._act_on(held, renewal)
        return None

    def _progress(self) -> dict[int, dict[str, Any]]:
        said = {}
        held = self._exchange.held()
        for run in self._runs.all():
            progress, run.context._progress = run.context._progress, None
            if progress is not None and run.job.id in held:
                said[run.job.id] = progress
        return said

    def _act_on(self, held: dict[int, uuid.UUID], renewal: leases.Renewal) -> None:
        lost = {job_id: held[job_id] for job_id in renewal.lost}
        # A job may have ended while the renewal was under way. Only what is still on a thread, or
        # waits for one, can have lost its lease; the rest is the exchange's to find out.
        gone = set(self._exchange.drop_unstarted(lost))
        for run in self._runs.all():
            if lost.get(run.job.id) == run.job.token:
                run.context._lost.set()
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
