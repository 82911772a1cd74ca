"""Rollup: sums up events for the charts, and prunes sums that are too old."""

from __future__ import annotations

from jobs import instrument
from jobs.conf import conf
from jobs.live import rollup
from jobs.maintenance.loop import Service
from jobs.store import rollups
from jobs.store.connections import EngineConnection

BATCH = 1000
"""Events in a pass: so few that no row of sums is locked for long."""
_CATCH_UP_SECONDS = 0.1
_PRUNE_BATCH = 500


class Rollup(Service):
    """One pool at a time does it; while there is more, passes follow closely."""

    name = "rollup"

    def __init__(self, engine: EngineConnection) -> None:
        super().__init__(engine)
        self.interval_seconds = conf.ROLLUP_SECONDS

    def run_once(self) -> float | None:
        with self.engine.borrowed():
            advanced = rollup.advance(self.engine.alias, limit=BATCH)
        if advanced is None:
            return None
        if advanced.more:
            return min(_CATCH_UP_SECONDS, self.interval_seconds)
        with self.engine.borrowed():
            pruned = rollups.prune(self.engine.alias, limit=_PRUNE_BATCH)
        if pruned:
            instrument.emit("rollups.pruned", count=pruned)
        return None
