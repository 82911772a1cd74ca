"""Prune: deletes finished jobs past their age, and what nobody has heard of for long: pools of
workers, groups of failures, entries of the audit and operations on many jobs."""

from __future__ import annotations

from jobs import instrument
from jobs.conf import conf
from jobs.maintenance.loop import Service
from jobs.states import JobStatus
from jobs.store import audit, error_groups, operations, workers
from jobs.store.connections import EngineConnection
from jobs.store.prune import prune_batch

BATCH = 500
OPERATIONS = 10
_LOST_POOL_SECONDS = 3600.0


class Prune(Service):
    """One batch of each status a pass; while there is more, passes follow closely."""

    name = "prune"

    def __init__(self, engine: EngineConnection) -> None:
        super().__init__(engine)
        self.interval_seconds = conf.PRUNE_SECONDS

    def run_once(self) -> float | None:
        full = False
        for status, age_seconds in conf.RETENTION_SECONDS.items():
            if age_seconds is None:
                continue
            with self.engine.borrowed():
                count = prune_batch(
                    self.engine.alias, JobStatus(status), age_seconds=age_seconds, limit=BATCH
                )
            full = full or count >= BATCH
            if count:
                instrument.emit("jobs.pruned", status=status, count=count)
        with self.engine.borrowed():
            workers.forget_lost(self.engine.alias, age_seconds=_LOST_POOL_SECONDS)
        with self.engine.borrowed():
            age_seconds = conf.ERROR_GROUP_RETENTION_SECONDS
            error_groups.prune(self.engine.alias, age_seconds=age_seconds, limit=BATCH)
        with self.engine.borrowed():
            age_seconds = conf.AUDIT_RETENTION_SECONDS
            pruned = audit.prune(self.engine.alias, age_seconds=age_seconds, limit=BATCH)
        full = full or pruned >= BATCH
        with self.engine.borrowed():
            age_seconds = conf.OPERATION_RETENTION_SECONDS
            # Each may bring thousands of items along.
            operations.prune(self.engine.alias, age_seconds=age_seconds, limit=OPERATIONS)
        return min(0.1, self.interval_seconds) if full else None
