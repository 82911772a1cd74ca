"""Controls of queues: who is paused, and which queues a claim may look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connections, transaction
from django.db.models.functions import Now

from jobs.models import Queue
from jobs.payload import check_text
from jobs.registry import check_queue
from jobs.states import JobStatus
from jobs.store import audit, notify


def pause(using: str, name: str, *, by: str, reason: str) -> Queue:
    """Stop claims from a queue; one that is paused keeps its first time and takes the new words.

    Raises InvalidInput for a name no queue can have and for words that are too long.
    """
    words = {
        "paused_by": check_text(by, "by", max_chars=150),
        "pause_reason": check_text(reason, "reason", max_chars=500),
    }
    with transaction.atomic(using=using):
        queue, _ = Queue.objects.using(using).get_or_create(name=check_queue(name))
        before = _told(queue)
        Queue.objects.using(using).filter(pk=queue.pk).update(
            paused_at=queue.paused_at or Now(), **words
        )
        notify.after_commit(using, [notify.CONTROL])
        queue.refresh_from_db(using=using)
        old, new = audit.changed(before, _told(queue))
        audit.record(using, "queue.pause", name, reason=reason, before=old, after=new)
        return queue


def resume(using: str, name: str, *, reason: str = "") -> bool:
    """Let claims go on; False when the queue was not paused."""
    with transaction.atomic(using=using):
        paused = Queue.objects.using(using).filter(name=name, paused_at__isnull=False)
        queue = paused.select_for_update().first()
        if queue is None:
            return False
        paused.update(paused_at=None, paused_by="", pause_reason="")
        notify.after_commit(using, [notify.CONTROL, notify.QUEUE + name])
        audit.record(using, "queue.resume", name, reason=reason, before=_told(queue))
        return True


def _told(queue: Queue) -> dict[str, Any]:
    names = ("paused_at", "paused_by", "pause_reason")
    return {name: getattr(queue, name) for name in names}


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
# The status stands in the text so that the planner sees which partial index will do.
_DISTINCT = """
WITH RECURSIVE names(name) AS (
    SELECT MIN(queue) FROM jobs WHERE status = '{status}'
    UNION ALL
    SELECT (SELECT MIN(queue) FROM jobs WHERE status = '{status}' AND queue > names.name)
    FROM names WHERE names.name IS NOT NULL
)
SELECT name FROM names WHERE name IS NOT NULL
"""


def waiting_queues(using: str, status: JobStatus = JobStatus.QUEUED) -> list[str]:
    """Names of the queues that hold jobs in `status`, in order."""
    with connections[using].cursor() as cursor:
        cursor.execute(_DISTINCT.format(status=status.value))
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return [name for (name,) in rows]
