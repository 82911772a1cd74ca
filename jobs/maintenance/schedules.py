"""Schedules: brings in those declared in code, then enqueues what is due, to the moment."""

from __future__ import annotations

from jobs.conf import conf
from jobs.maintenance.loop import Service
from jobs.schedules import sync, tick
from jobs.store.connections import EngineConnection


class Schedules(Service):
    """Sleeps until the next fire time it knows; a notification of a new schedule wakes it."""

    name = "schedules"

    def __init__(self, engine: EngineConnection) -> None:
        super().__init__(engine)
        self.interval_seconds = conf.PROMOTE_SECONDS
        self._synced = False

    def run_once(self) -> float | None:
        with self.engine.borrowed():
            if not self._synced:
                sync.sync(self.engine.alias)
                self._synced = True
            seconds = tick.run_once(self.engine.alias)
        return None if seconds is None else min(seconds, self.interval_seconds)
