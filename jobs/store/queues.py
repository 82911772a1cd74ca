"""Controls of queues: who is paused, and which queues a claim may look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connections
from django.db.models.functions import Now

from jobs.models import Queue
from jobs.states import JobStatus
from jobs.store import notify


def pause(using: str, name: str, *, by: str, reason: str) -> Queue:
    """Stop claims from a queue. Pausing a paused queue keeps the first time and takes the new words."""
    queue, _ = Queue.objects.using(using).get_or_create(name=name)
    Queue.objects.using(using).filter(pk=queue.pk).update(
        paused_at=queue.paused_at or Now(), paused_by=by, pause_reason=reason
    )
    notify.after_commit(using, [notify.CONTROL])
    return Queue.objects.using(using).get(pk=queue.pk)


def resume(using: str, name: str) -> bool:
    """Let claims go on; False when the queue was not paused."""
    paused = Queue.objects.using(using).filter(name=name, paused_at__isnull=False)
    changed = paused.update(paused_at=None, paused_by="", pause_reason="")
    notify.after_commit(using, [notify.CONTROL, notify.QUEUE + name])
    return changed > 0


def open_queues(using: str, served: Sequence[str]) -> Sequence[str] | None:
    """The queues a pool that serves `served` (empty: all) may claim from; None means any.

    Only when some queue is paused must a pool that serves all of them name the others.
    """
    paused = set(
        Queue.objects.using(using).filter(paused_at__isnull=False).values_list("name", flat=True)
    )
    if not paused:
        return served or None
    names = served or waiting_queues(using)
    return [name for name in names if name not in paused]


# Each step jumps to the next name in the index, so this costs as many look-ups as there are queues.
_DISTINCT = """
WITH RECURSIVE names(name) AS (
    (SELECT queue FROM jobs WHERE status = %s ORDER BY queue LIMIT 1)
    UNION ALL
    SELECT (SELECT queue FROM jobs WHERE status = %s AND queue > names.name ORDER BY queue LIMIT 1)
    FROM names WHERE names.name IS NOT NULL
)
SELECT name FROM names WHERE name IS NOT NULL
"""


def waiting_queues(using: str, status: JobStatus = JobStatus.QUEUED) -> list[str]:
    """Names of the queues that hold jobs in `status`, in order."""
    with connections[using].cursor() as cursor:
        cursor.execute(_DISTINCT, [status.value, status.value])
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return [name for (name,) in rows]
