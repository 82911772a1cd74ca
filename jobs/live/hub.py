"""One reader for all open streams of a process: N of them cost one look a second, not N.

The reader is a thread with a connection of its own, which exists only while somebody listens. It
never waits for a stream: it leaves news with each subscriber and goes on.
"""

from __future__ import annotations

import logging
import signal
import threading
import time
from typing import Any, Final

from django.db import DatabaseError, InterfaceError, connections, transaction

from jobs.conf import conf
from jobs.live.changes import Place, look
from jobs.live.counters import Counters, counters
from jobs.live.subscriber import Subscriber, Update
from jobs.store.dialects import dialect

LOOK_SECONDS: Final = 1.0
_LEAVING_SECONDS: Final = 0.2

_logger = logging.getLogger("jobs.live")


class Hub:
    """Reads what has changed in one database, and tells all who have subscribed."""

    def __init__(self, using: str) -> None:
        self.using = using
        self.looks = 0
        """How often it has asked the database."""
        self._lock = threading.Lock()
        self._subscribers: set[Subscriber] = set()
        self._place: Place | None = None
        self._thread: threading.Thread | None = None

    def subscribe(self, subscriber: Subscriber) -> None:
        """Offer `subscriber` every change from soon on; it is set ready at that moment."""
        with self._lock:
            self._subscribers.add(subscriber)
            if self._place is not None:
                subscriber.set_ready()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="qforge-live", daemon=True)
                self._thread.start()

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Offer it nothing more. The reader ends when it was the last one."""
        with self._lock:
            self._subscribers.discard(subscriber)

    @property
    def reading(self) -> bool:
        """Whether the reader is at work."""
        return self._thread is not None

    def _run(self) -> None:
        shown: Counters | None = None
        try:
            while not self._is_over():
                started = time.monotonic()
                update = self._look()
                if update.changes or shown is None or not update.counters.shows(shown):
                    shown = update.counters
                    self._tell(update)
                if self._wait(started + LOOK_SECONDS):
                    break
        except (DatabaseError, InterfaceError) as error:
            # Streams end, and their pages ask again: they learn there how the database is.
            _logger.warning("live streams end: %s", error)
        except Exception:
            _logger.exception("live streams end")
        finally:
            self._end()

    def _look(self) -> Update:
        try:
            with transaction.atomic(using=self.using):
                dialect(self.using).statement_timeout(self.using, conf.API_TIMEOUT_SECONDS)
                counted = counters.get(self.using)
                changes, place = look(self.using, self._place, counted.marks)
        finally:
            self.looks += 1
            self._give_back()
        with self._lock:
            if self._place is None:
                for subscriber in self._subscribers:
                    subscriber.set_ready()
            self._place = place
        return Update(changes, place, counted)

    def _give_back(self) -> None:
        """A pool's connection is not kept between two looks."""
        connection: Any = connections[self.using]
        if connection.settings_dict.get("OPTIONS", {}).get("pool"):
            connection.close()

    def _tell(self, update: Update) -> None:
        with self._lock:
            for subscriber in self._subscribers:
                subscriber.offer(update)

    def _is_over(self) -> bool:
        with self._lock:
            if self._subscribers:
                return False
            # Said under the lock, so that whoever comes now starts another reader.
            self._thread, self._place = None, None
            return True

    def _wait(self, until: float) -> bool:
        """Wait; True as soon as the server is on its way out."""
        while (left := until - time.monotonic()) > 0:
            if _is_leaving():
                return True
            time.sleep(min(left, _LEAVING_SECONDS))
        return _is_leaving()

    def _end(self) -> None:
        with self._lock:
            if self._thread is threading.current_thread():
                self._thread, self._place = None, None
                for subscriber in self._subscribers:
                    subscriber.close()
                self._subscribers.clear()
        connections[self.using].close()


def _is_leaving() -> bool:
    """Whether uvicorn has been told to stop. It waits for open streams to end, and does not tell
    them: its signal handler is a method of the server, which knows."""
    server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    return bool(getattr(server, "should_exit", False))


_hubs: Final[dict[str, Hub]] = {}
_hubs_lock: Final = threading.Lock()


def hub(using: str) -> Hub:
    """The process's one hub of a database."""
    with _hubs_lock:
        return _hubs.setdefault(using, Hub(using))
