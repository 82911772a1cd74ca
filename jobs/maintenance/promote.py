"""Promote: queues scheduled jobs when they are due, to the moment."""

from __future__ import annotations

from jobs import lifecycle
from jobs.conf import conf
from jobs.maintenance.loop import Service
from jobs.store.connections import EngineConnection

_BATCH = 500
_LOCKED_SECONDS = 0.2


class Promote(Service):
    """Sleeps until the next due time it knows; a notification of a new scheduled job wakes it."""

    name = "promote"

    def __init__(self, engine: EngineConnection) -> None:
        super().__init__(engine)
        self.interval_seconds = conf.PROMOTE_SECONDS

    def run_once(self) -> float | None:
        with self.engine.borrowed():
            promoted = lifecycle.promote(self.engine.alias, limit=_BATCH)
        if promoted.count == _BATCH:
            return 0.0
        if promoted.next_due_seconds is None:
            return None
        # A job that is due and was left is locked by somebody, who may take a while.
        return min(promoted.next_due_seconds or _LOCKED_SECONDS, self.interval_seconds)
