"""Wake-ups by NOTIFY: after commit, once per queue and transaction, never needed for correctness.

A NOTIFY inside the caller's transaction would take a lock at its commit that the whole cluster
shares. So it is sent by a statement of its own afterwards, and that one does not wait for the disk.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from typing import Any, Final

from django.db import connections, transaction

from jobs.store.arrays import array

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
    """Send `messages` once the caller's transaction has committed, or now when there is none.

    A message that is due to be sent already is not sent twice. With Django's autocommit switched
    off nobody can say when a commit comes, so workers find those jobs when they poll.
    """
    connection: Any = connections[using]
    if connection.vendor != "postgresql":
        return
    if not connection.in_atomic_block:
        if connection.get_autocommit():
            _send(connection, set(messages))
        return
    # A savepoint that is rolled back takes its callbacks along. Those still registered live at
    # least as long as one registered now, so what they will send need not be sent again.
    due = [call.messages for _, call, *_ in connection.run_on_commit if isinstance(call, _Send)]
    new = set(messages).difference(*due)
    if new:
        transaction.on_commit(_Send(connection, new), using=using, robust=True)


def withdraw(using: str, queues: Collection[str] | None) -> None:
    """What waits in these queues, None for all, has been taken in the caller's transaction: nobody
    need be woken up for it at its commit."""
    for _, call, *_ in connections[using].run_on_commit:
        if isinstance(call, _Send):
            call.messages = {message for message in call.messages if not _of_queue(message, queues)}


def _of_queue(message: str, queues: Collection[str] | None) -> bool:
    is_queue = message.startswith(QUEUE)
    return is_queue and (queues is None or message.removeprefix(QUEUE) in queues)


class _Send:
    """A callback that can be asked what it will send."""

    def __init__(self, connection: Any, messages: set[str]) -> None:
        self.connection = connection
        self.messages = messages

    def __call__(self) -> None:
        if self.messages:
            _send(self.connection, self.messages)


def _send(connection: Any, messages: set[str]) -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT set_config('synchronous_commit', 'off', true), pg_notify(%s, message)"
                " FROM unnest(%s::text[]) AS message",
                [CHANNEL, array(sorted(messages))],
            )
    except Exception:
        _logger.warning(
            "wake-up not sent; workers will find the jobs when they poll", exc_info=True
        )
