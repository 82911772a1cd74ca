"""Which database holds the queue, and connections of the engine's own to it."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connections, router
from django.db.utils import load_backend

from jobs.conf import conf
from jobs.models import Job


def alias() -> str:
    """Alias of the queue's database: the setting, or what the routers say of writes."""
    return conf.DATABASE or router.db_for_write(Job)


class EngineConnection:
    """A database connection apart from those of the threads that borrow it.

    Django keeps one connection for each alias and thread, and a handler may abort, leak or close
    its own. The engine therefore lends this one to whichever thread is at work for it, under a
    lock: within `borrowed()`, `connections[alias]` of that thread is this connection, so the ORM
    and `transaction.atomic` use it.
    """

    def __init__(self) -> None:
        self.alias = alias()
        self._lock = threading.RLock()
        self._wrapper = self._new_wrapper()

    def _new_wrapper(self) -> Any:
        settings = dict(connections[self.alias].settings_dict)
        # It lives as long as the pool: taken from a connection pool it would never go back.
        options = {
            key: value for key, value in settings.get("OPTIONS", {}).items() if key != "pool"
        }
        settings |= {"OPTIONS": options, "CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": False}
        wrapper: Any = load_backend(settings["ENGINE"]).DatabaseWrapper(settings, self.alias)
        wrapper.inc_thread_sharing()
        # With DEBUG on Django would keep the text of the last 9,000 statements, batches included.
        wrapper.queries_log = deque(maxlen=0)
        wrapper.make_debug_cursor = wrapper.make_cursor
        return wrapper

    @contextmanager
    def borrowed(self) -> Iterator[Any]:
        """Lend the connection to this thread; yields the wrapper."""
        with self._lock:
            own = connections[self.alias]
            connections[self.alias] = self._wrapper
            try:
                yield self._wrapper
            finally:
                connections[self.alias] = own

    def discard(self) -> None:
        """Throw the connection away; the next use opens another. For after a failure."""
        with self._lock:
            broken, self._wrapper = self._wrapper, self._new_wrapper()
            _close_quietly(broken)

    def close(self) -> None:
        with self._lock:
            _close_quietly(self._wrapper)


def _close_quietly(wrapper: Any) -> None:
    raw, wrapper.connection = wrapper.connection, None
    if raw is not None:
        try:
            raw.close()
        except Exception:  # noqa: S110 - whatever is wrong with it, it is being thrown away
            pass
