"""Rescue: ends the attempts of workers that are gone."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

from django.db import DatabaseError, OperationalError

from jobs import instrument, lifecycle
from jobs.conf import conf
from jobs.maintenance.loop import Service
from jobs.store import leases
from jobs.store.connections import EngineConnection
from jobs.store.values import Written

_BATCH = 100
_logger = logging.getLogger("jobs.maintenance")


class Rescue(Service):
    """Looks for expired leases, and rescues them only when it has been able to look all along.

    Otherwise it holds back for two heartbeats: what kept it from looking (the database was away,
    the table was locked, this process was stopped, or has just started) may have kept everybody
    from renewing, and the living must have a chance to do so first.
    """

    name = "rescue"

    def __init__(self, engine: EngineConnection, *, worker: str, heartbeat_seconds: float) -> None:
        super().__init__(engine)
        self.worker = worker
        self.interval_seconds = conf.RESCUE_SECONDS
        self._heartbeat_seconds = heartbeat_seconds
        self._looked_at: float | None = None
        self._not_before = 0.0

    def run_once(self) -> float | None:
        with self.engine.borrowed():
            leases.wait_until_writable(self.engine.alias)
            found = leases.expired_ids(self.engine.alias, limit=_BATCH)
        self._hold_back_after_a_gap()
        wait = self._not_before - time.monotonic()
        if wait > 0:
            return min(wait, self.interval_seconds)
        if not found:
            return None
        with self.engine.borrowed():
            written = self._past_bad_rows(found)
        for row in written:
            instrument.emit("job.rescued", job_id=row.job_id, status=row.status.value)
        return 0.0 if len(written) == _BATCH else None

    def _hold_back_after_a_gap(self) -> None:
        now, beat = time.monotonic(), self._heartbeat_seconds
        last, self._looked_at = self._looked_at, now
        if last is None or self.failures or now - last > self.interval_seconds + beat:
            self._not_before = now + 2 * beat

    def _past_bad_rows(self, job_ids: Sequence[int]) -> list[Written]:
        """Rescue all, or each by itself when the database refuses that for one of them."""
        try:
            return self._rescue(job_ids)
        except OperationalError:
            raise
        except DatabaseError:
            if len(job_ids) == 1:
                raise
        written = []
        for job_id in job_ids:
            try:
                written += self._rescue([job_id])
            except OperationalError:
                raise
            except DatabaseError as error:
                _logger.error("job %s cannot be rescued: %s", job_id, error)
        return written

    def _rescue(self, job_ids: Sequence[int]) -> list[Written]:
        return lifecycle.rescue(self.engine.alias, limit=_BATCH, worker=self.worker, only=job_ids)
