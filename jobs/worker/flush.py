"""Flush: moves on what waits in the pool while every thread is busy with a handler."""

from __future__ import annotations

from typing import Final

from jobs.maintenance.loop import Service
from jobs.store.connections import EngineConnection
from jobs.worker.exchange import Exchange
from jobs.worker.runs import Runs

_WAITED_SECONDS: Final = 0.05
_IDLE_SECONDS: Final = 0.25
_STALE_SECONDS: Final = 1.0


class Flush(Service):
    """Writes outcomes that no thread comes back to write, claims for the event loop meanwhile, and
    gives back claimed jobs that nobody has started within a second.

    A service apart from the watchdog, which must go on while this one waits for the database.
    """

    name = "flush"
    interval_seconds = 0.05

    def __init__(self, engine: EngineConnection, exchange: Exchange, runs: Runs) -> None:
        super().__init__(engine)
        self._exchange = exchange
        self._runs = runs

    def run_once(self) -> float | None:
        waited = self._exchange.outcomes_waiting_seconds() > _WAITED_SECONDS
        if waited or self._exchange.unattended_seconds() == 0:
            self._exchange.flush()
        self._exchange.give_back_stale(_STALE_SECONDS)
        if (seconds := self._exchange.unattended_seconds()) is not None:
            return seconds
        return None if len(self._runs) or self._exchange.pending else _IDLE_SECONDS
