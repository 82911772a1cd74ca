"""Rescue: ends the attempts of workers that are gone."""

from __future__ import annotations

import time

from jobs import instrument, lifecycle
from jobs.conf import conf
from jobs.maintenance.loop import Service
from jobs.store.connections import EngineConnection

_BATCH = 100


class Rescue(Service):
    """Looks for expired leases.

    After a pass that failed it holds back for two heartbeats: when the database was away for
    everybody, every lease has run out, and the living must have a chance to renew theirs first.
    """

    name = "rescue"

    def __init__(self, engine: EngineConnection, *, worker: str, heartbeat_seconds: float) -> None:
        super().__init__(engine)
        self.worker = worker
        self.interval_seconds = conf.RESCUE_SECONDS
        self._hold_seconds = 2 * heartbeat_seconds
        self._not_before = 0.0

    def run_once(self) -> float | None:
        if self.failures:
            with self.engine.borrowed() as connection:
                connection.ensure_connection()
            self._not_before = time.monotonic() + self._hold_seconds
        wait = self._not_before - time.monotonic()
        if wait > 0:
            return wait
        with self.engine.borrowed():
            written = lifecycle.rescue(self.engine.alias, limit=_BATCH, worker=self.worker)
        for row in written:
            instrument.emit("job.rescued", job_id=row.job_id, status=row.status.value)
        return 0.0 if len(written) == _BATCH else None
