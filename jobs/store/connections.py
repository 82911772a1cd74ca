"""Which database holds the queue, and connections of the engine's own to it."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.db import connections, router
from django.db.utils import load_backend
from psycopg.pq import TransactionStatus

from jobs.conf import conf
from jobs.models import Job


def alias() -> str:
    """Alias of the queue's database: the setting, or what the routers say of writes."""
    return conf.DATABASE or router.db_for_write(Job)


# libpq's own defences against a peer that is gone; what the project sets goes before.
_KEEPALIVE: Final = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}


# Isolation is not the project's to choose here: the engine's statements are written for READ
# COMMITTED. And the server gives up a transaction whose client says nothing for so long: a
# connection that was lost in the middle of one would otherwise keep its rows locked until the
# server's own keepalive finds out, two hours later by default. Set per transaction, since a session
# behind a pooler is not ours to change, and together with the BEGIN that the driver would send by
# itself, so that it costs no round trip. So are the terms for the plans of `prepared`: made once
# for any parameters, and by an index even if the table is small on that day.
_BEGIN: Final = (
    b"BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = '10s'; "
    b"SET LOCAL plan_cache_mode = 'force_generic_plan'; SET LOCAL enable_seqscan = off"
)


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
        self._in_use_since: float | None = None

    def _new_wrapper(self) -> Any:
        settings = dict(connections[self.alias].settings_dict)
        # It lives as long as the pool: taken from a connection pool it would never go back.
        options = {
            key: value for key, value in settings.get("OPTIONS", {}).items() if key != "pool"
        }
        if settings["ENGINE"] == "django.db.backends.postgresql":
            options = _KEEPALIVE | {"prepare_threshold": 0} | options
        settings |= {"OPTIONS": options, "CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": False}
        wrapper: Any = load_backend(settings["ENGINE"]).DatabaseWrapper(settings, self.alias)
        wrapper.inc_thread_sharing()
        # With DEBUG on Django would keep the text of the last 9,000 statements, batches included.
        wrapper.queries_log = deque(maxlen=0)
        if settings["ENGINE"] == "django.db.backends.postgresql":
            wrapper.execute_wrappers.append(_begin)
            wrapper.get_new_connection = _unless_pooled(wrapper.get_new_connection)
        wrapper.make_debug_cursor = wrapper.make_cursor
        return wrapper

    @contextmanager
    def borrowed(self) -> Iterator[Any]:
        """Lend the connection to this thread; yields the wrapper."""
        with self._lock:
            own = connections[self.alias]
            connections[self.alias] = self._wrapper
            self._in_use_since = self._in_use_since or time.monotonic()
            try:
                yield self._wrapper
            finally:
                self._in_use_since = None
                connections[self.alias] = own

    def abort_if_stalled(self, seconds: float) -> bool:
        """Cut the connection when one use of it has lasted longer than `seconds`.

        A network that swallows packets leaves a thread waiting for ever; cut off, it gets an
        error that the caller treats like any lost connection. Safe from any thread.
        """
        since, raw = self._in_use_since, self._wrapper.connection
        if since is None or raw is None or time.monotonic() - since < seconds:
            return False
        with contextlib.suppress(Exception):
            duplicate = socket.socket(fileno=os.dup(raw.fileno()))
            with duplicate:
                duplicate.shutdown(socket.SHUT_RDWR)
        return True

    def discard(self) -> None:
        """Throw the connection away; the next use opens another. For after a failure."""
        with self._lock:
            broken, self._wrapper = self._wrapper, self._new_wrapper()
            _close_quietly(broken)

    def close(self) -> None:
        with self._lock:
            _close_quietly(self._wrapper)


def _unless_pooled(connect: Callable[..., Any]) -> Callable[..., Any]:
    """Connect, and prepare no statements when a pooler answers: the next transaction may be carried
    out by a session that has none of them. A pooler gives out process ids of its own."""

    def connected(*parameters: Any) -> Any:
        raw = connect(*parameters)
        answer = raw.pgconn.exec_(b"SELECT pg_backend_pid()").get_value(0, 0)
        if answer is None or int(answer) != raw.pgconn.backend_pid:
            raw.prepare_threshold = None
        return raw

    return connected


def _begin(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
    """Open the transaction that the first statement of an `atomic` block would open.

    If that fails the statement fails as well, and says why.
    """
    wrapper = context["connection"]
    if wrapper.in_atomic_block:
        raw = wrapper.connection.pgconn
        if raw.transaction_status == TransactionStatus.IDLE:
            raw.exec_(_BEGIN)
    return execute(sql, params, many, context)


def _close_quietly(wrapper: Any) -> None:
    raw, wrapper.connection = wrapper.connection, None
    if raw is not None:
        with contextlib.suppress(Exception):
            raw.close()
