"""The listener: one LISTEN connection a pool, which turns notifications into wake-ups."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Any, Final

from jobs import instrument
from jobs.maintenance.loop import Service
from jobs.store import notify
from jobs.store.connections import EngineConnection

_WAIT_SECONDS: Final = 0.25
_PROBE_SECONDS: Final = 3.0
_CHECK_SECONDS: Final = 15.0
# Between two probes where none came through: the database may only have been slow.
_DEAF_SECONDS: Final = 60.0
_PROBE: Final = "probe:"


class Listener(Service):
    """Waits for notifications. Nothing depends on it: without it, polling finds the work.

    After each (re)connect it proves that notifications arrive, by sending itself one over another
    connection; behind a transaction pooler none does, and the pool then says so once and polls.
    Subscribing is followed by a catch-up wake-up, since what was sent before is lost.
    """

    name = "listener"
    interval_seconds = 1.0
    """The longest pause between two tries to connect."""

    def __init__(
        self,
        engine: EngineConnection,
        prober: EngineConnection,
        on_message: Callable[[str], None],
        on_connect: Callable[[], None],
    ) -> None:
        super().__init__(engine)
        self.works: bool | None = None
        self._prober = prober
        self._on_message = on_message
        self._on_connect = on_connect
        self._raw: Any = None
        self._checked_at = 0.0

    def run_once(self) -> float | None:
        """Listen for a moment, so that a stop need not wait for long."""
        if self._raw is None or self._raw.closed or self.failures:
            self._connect()
        if not self.works:
            self._raw = None
            self.engine.close()
            return _DEAF_SECONDS
        for received in self._raw.notifies(timeout=_WAIT_SECONDS):
            self._on_message(received.payload)
            if self._stopping:
                break
        if time.monotonic() - self._checked_at > _CHECK_SECONDS:
            self._check()
        return 0.0

    def _connect(self) -> None:
        with self.engine.borrowed() as wrapper:
            wrapper.close()
            wrapper.ensure_connection()
            with wrapper.cursor() as cursor:
                cursor.execute(f"LISTEN {notify.CHANNEL}")
            self._raw = wrapper.connection
        self._checked_at = time.monotonic()
        self._on_connect()
        if not self.works:
            before, self.works = self.works, self._probe()
            if self.works is not before:
                instrument.emit("worker.listening" if self.works else "worker.polling_only")

    def _probe(self) -> bool:
        message = _PROBE + uuid.uuid4().hex
        with self._prober.borrowed() as wrapper, wrapper.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [notify.CHANNEL, message])
        for received in self._raw.notifies(timeout=_PROBE_SECONDS):
            if received.payload == message:
                return True
            self._on_message(received.payload)
        return False

    def _check(self) -> None:
        """An idle connection that was cut without a word is noticed by asking."""
        with self.engine.borrowed() as wrapper, wrapper.cursor() as cursor:
            cursor.execute("SELECT 1")
        self._checked_at = time.monotonic()
