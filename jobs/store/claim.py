"""Taking jobs: pick under skip-locked row locks, then one guarded update.

The guard (`status = 'queued'` in the update) is what keeps a job from being taken twice; the lock
keeps workers from racing for the same rows. It is one that lets events of the row be written, so
that nobody waits for it. `queue = ANY(…)` could not use the order of an index
and would sort the backlog, so a pool that serves some queues picks from each with equality and
merges; one that serves all uses no condition on the queue.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import F
from django.db.models.functions import Now

from jobs.models import Job
from jobs.states import JobStatus, Verb
from jobs.store import transitions
from jobs.store.literals import literal
from jobs.store.values import Claimed

Choose = Callable[[Sequence[str]], int]
"""Given the tasks of the picked jobs in claim order, how many from the front to take."""

_COLUMNS = (
    "id",
    "task",
    "queue",
    "payload",
    "args",
    "status",
    "priority",
    "attempts",
    "max_attempts",
    "timeout_seconds",
    "available_at",
    "created_at",
    "workflow_id",
    "step_name",
    "tasks_backend",
    "run_after",
)


def claim(
    using: str,
    *,
    queues: Sequence[str] | None,
    limit: int,
    choose: Choose,
    worker: str,
    token: uuid.UUID,
    lease_seconds: float,
) -> list[Claimed]:
    """Take up to `limit` jobs for `worker`; must run inside a transaction.

    `queues` None means all of them. `choose` may leave jobs at the end of the pick to others.
    """
    rows = _pick(using, queues, limit)
    rows = rows[: choose([row.task for row in rows])]
    if not rows:
        return []
    lease = dt.timedelta(seconds=lease_seconds)
    transitions.change(
        using,
        Verb.CLAIM,
        rows,
        to_status=JobStatus.RUNNING,
        values={
            "attempts": F("attempts") + 1,
            "locked_by": worker,
            "lease_token": token,
            "lease_expires_at": Now() + lease,
            "started_at": Now(),
            "progress": None,
        },
        worker=worker,
        lease_token=token,
        attempt_offset=1,
    )
    return [_claimed(picked.row, token, worker) for picked in rows]


def _pick(using: str, queues: Sequence[str] | None, limit: int) -> list[Any]:
    waiting = (
        Job.objects.using(using)
        .filter(status=literal(JobStatus.QUEUED))
        .order_by(*Job.CLAIM_ORDER)
        .annotate(picked_at=Now())
        .values_list(*_COLUMNS, "picked_at", named=True)
        .select_for_update(skip_locked=True, no_key=True)
    )
    if queues is None:
        return [_Picked(row) for row in waiting[:limit]]
    # Named twice, a queue would give the rows this transaction holds already a second time.
    names = dict.fromkeys(queues)
    rows = [row for queue in names for row in waiting.filter(queue=queue)[:limit]]
    if len(names) > 1:
        rows.sort(key=lambda row: (-row.priority, row.available_at, row.created_at, row.id))
    return [_Picked(row) for row in rows[:limit]]


class _Picked:
    """A picked row, in the form `transitions.change` asks for."""

    __slots__ = ("attempts", "pk", "row", "status", "task")

    def __init__(self, row: Any) -> None:
        self.row = row
        self.pk = row.id
        self.task = row.task
        self.status = row.status
        self.attempts = row.attempts


def _claimed(row: Any, token: uuid.UUID, worker: str) -> Claimed:
    """Of a row as it was picked, before the update."""
    return Claimed(
        token=token,
        attempt=row.attempts + 1,
        waited_seconds=max((row.picked_at - row.available_at).total_seconds(), 0.0),
        worker=worker,
        started_at=row.picked_at,
        **_same(row),
    )


def _same(row: Any) -> dict[str, Any]:
    """What a claim does not change."""
    return {
        "id": row.id,
        "task": row.task,
        "queue": row.queue,
        "payload": row.payload,
        "args": row.args,
        "max_attempts": row.max_attempts,
        "timeout_seconds": row.timeout_seconds,
        "workflow_id": row.workflow_id,
        "step_name": row.step_name,
        "priority": row.priority,
        "tasks_backend": row.tasks_backend,
        "run_after": row.run_after,
        "created_at": row.created_at,
    }


def held(using: str, tokens: Sequence[uuid.UUID]) -> list[Claimed]:
    """Running jobs under these tokens: what a claim took whose COMMIT was never answered."""
    rows = (
        Job.objects.using(using)
        .filter(status=JobStatus.RUNNING, lease_token__in=tokens)
        .values_list(*_COLUMNS, "lease_token", "locked_by", "started_at", named=True)
    )
    return [
        Claimed(
            token=row.lease_token,
            attempt=row.attempts,
            waited_seconds=0.0,
            worker=row.locked_by,
            started_at=row.started_at,
            **_same(row),
        )
        for row in rows
    ]
