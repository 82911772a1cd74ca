"""Wake-ups by NOTIFY: sent after commit, once per queue and transaction, never needed for correctness.

A NOTIFY inside the caller's transaction would take a lock at its commit that the whole cluster
shares. So it is sent by a statement of its own afterwards, and that one does not wait for the disk.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any, Final

from django.db import connections, transaction

CHANNEL: Final = "qforge"
QUEUE: Final = "queue:"
"""Followed by a queue's name, or by nothing for any: a job there can be claimed."""
SCHEDULED: Final = "scheduled"
"""A job was scheduled; it may be due before the ones known so far."""
CANCEL: Final = "cancel"
"""A running job was asked to stop."""
CONTROL: Final = "control"
"""A queue was paused or resumed."""

_logger = logging.getLogger("jobs.notify")


def after_commit(using: str, messages: Iterable[str]) -> None:
    """Send `messages` once the caller's transaction has committed, or now when there is none."""
    connection: Any = connections[using]
    if connection.vendor != "postgresql":
        return
    pending: set[str] | None = getattr(connection, "_qforge_messages", None)
    if pending is None:
        pending = connection._qforge_messages = set()
    pending.update(messages)
    # Registered every time, since a savepoint that rolls back takes its callbacks along; the
    # first callback to run sends for all and the others find nothing left.
    transaction.on_commit(lambda: _flush(connection), using=using, robust=True)


def _flush(connection: Any) -> None:
    messages, connection._qforge_messages = connection._qforge_messages, set()
    if not messages:
        return
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT set_config('synchronous_commit', 'off', true), pg_notify(%s, message)"
                " FROM unnest(%s::text[]) AS message",
                [CHANNEL, sorted(messages)],
            )
    except Exception:
        _logger.warning(
            "wake-up not sent; workers will find the jobs when they poll", exc_info=True
        )
