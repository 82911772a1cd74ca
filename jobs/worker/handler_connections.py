"""The database connections of a worker thread, kept usable between jobs.

Django cleans up connections at the end of a request. A worker thread has no requests, so each job
stands in for one: before it every open connection must answer, after it none may be left inside
a transaction.
"""

from __future__ import annotations

import contextlib
import select
from typing import Any

from django.db import connections


def before_job() -> None:
    """Close connections that the server has closed, so that the job opens new ones."""
    for connection in connections.all(initialized_only=True):
        if connection.connection is None:
            continue
        try:
            connection.close_if_unusable_or_obsolete()
            broken = (
                connection.connection is not None
                and _has_news(connection)
                and not connection.is_usable()
            )
        except Exception:
            broken = True
        if broken:
            _throw_away(connection)


def after_job() -> None:
    """Leave nothing of this job behind: no transaction, no callbacks, no query log."""
    for connection in connections.all(initialized_only=True):
        try:
            dirty = _is_dirty(connection)
            if not dirty:
                _tidy(connection)
        except Exception:
            dirty = True
        if dirty:
            _throw_away(connection)


def _tidy(connection: Any) -> None:
    connection.queries_log.clear()
    connection.close_if_unusable_or_obsolete()
    # A connection taken from a pool goes back to it between jobs.
    pooled = connection.settings_dict.get("OPTIONS", {}).get("pool")
    if connection.connection is not None and pooled:
        connection.close()


def close_all() -> None:
    for connection in connections.all(initialized_only=True):
        _throw_away(connection)


def _has_news(connection: Any) -> bool:
    """Whether the server sent something while nothing was asked: its farewell, most likely."""
    try:
        readable, _, _ = select.select([connection.connection.fileno()], [], [], 0)
    except (AttributeError, OSError, ValueError):
        # No socket to look at, or one whose number `select` cannot take: ask the server instead.
        return str(connection.vendor) != "sqlite"
    except Exception:
        return True
    return bool(readable)


def _is_dirty(connection: Any) -> bool:
    if connection.connection is None:
        return bool(connection.in_atomic_block or connection.closed_in_transaction)
    info = getattr(connection.connection, "info", None)
    in_transaction = info is not None and getattr(info, "transaction_status", 0) != 0
    return bool(
        connection.in_atomic_block
        or connection.needs_rollback
        or connection.run_on_commit
        or connection.autocommit is not connection.settings_dict["AUTOCOMMIT"]
        or in_transaction
    )


def _throw_away(connection: Any) -> None:
    """Close for good and forget the wrapper: its own `close` only marks it inside `atomic`."""
    raw, connection.connection = connection.connection, None
    if raw is not None:
        # Closed before it is given back: a connection pool then replaces it.
        with contextlib.suppress(Exception):
            raw.close()
        with contextlib.suppress(Exception):
            connection.in_atomic_block = False
            connection.connection = raw
            connection.close()
    with contextlib.suppress(AttributeError):
        del connections[connection.alias]
