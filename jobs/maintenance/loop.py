"""The form of every background loop: start, stop, run_once."""

from __future__ import annotations

import logging
import random
import threading
import time

from jobs import instrument
from jobs.store.connections import EngineConnection

_logger = logging.getLogger("jobs.maintenance")


class Service:
    """A thread that calls `run_once` again and again, and outlives any error of one pass.

    Subclasses set `name` and `interval_seconds` and write `run_once`. Tests call `run_once`
    directly. After an error the pauses grow to `interval_seconds`, with jitter, so that an
    outage of the database is noticed early and met with patience.
    """

    name = "service"
    interval_seconds = 1.0

    def __init__(self, engine: EngineConnection) -> None:
        self.engine = engine
        self.failures = 0
        self.last_success: float | None = None
        self._wakeup = threading.Event()
        self._stopping = False
        self._thread: threading.Thread | None = None

    def run_once(self) -> float | None:
        """One pass; returns the seconds until the next is wanted, None for the usual interval."""
        raise NotImplementedError(f"{type(self).__name__} must say what one pass does")

    def after_error(self) -> None:
        """Whatever the pass has left of its connection is not used again."""
        self.engine.discard()

    def start(self) -> None:
        self._thread = threading.Thread(target=self._loop, name=f"qforge-{self.name}", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Run the next pass now."""
        self._wakeup.set()

    def stop(self, timeout_seconds: float = 5.0) -> None:
        """End the loop after the pass that is under way, waiting for it at most so long."""
        self._stopping = True
        self._wakeup.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout_seconds)

    @property
    def age_seconds(self) -> float | None:
        """Since the last pass that went well; None before the first."""
        return None if self.last_success is None else time.monotonic() - self.last_success

    def _loop(self) -> None:
        while True:
            # Cleared before the look at `_stopping`, or a stop in between would be slept over.
            self._wakeup.clear()
            if self._stopping:
                return
            self._wakeup.wait(self._pass())

    def _pass(self) -> float:
        try:
            pause = self.run_once()
        except Exception as error:
            self.failures += 1
            self.after_error()
            if self.failures == 1:
                _logger.warning("%s: %s", self.name, error, exc_info=True)
                instrument.emit("service.failing", service=self.name, error=str(error))
            full = 0.2 * 2.0 ** min(self.failures, 10)
            ceiling = min(full, max(self.interval_seconds, 0.2))
            return ceiling * random.uniform(0.5, 1)  # noqa: S311 - spreads load, guards nothing
        if self.failures:
            instrument.emit("service.recovered", service=self.name, failures=self.failures)
        self.failures = 0
        self.last_success = time.monotonic()
        return self.interval_seconds if pause is None else pause
