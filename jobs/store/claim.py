"""Taking jobs: pick under skip-locked row locks, then one guarded update.

The guard (`status = 'queued'` in the update) is what keeps a job from being taken twice; the lock
keeps workers from racing for the same rows. It is one that lets events of the row be written, so
that nobody waits for it.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db.utils import DatabaseError

from jobs.models import Job
from jobs.states import JobStatus
from jobs.store import look_ahead, pick
from jobs.store.bookmarks import Bookmarks
from jobs.store.dialects import dialect
from jobs.store.look_ahead import LookAhead
from jobs.store.values import Claimed

Choose = Callable[[Sequence[str]], Sequence[int]]
"""Given the tasks of the picked jobs in claim order, the places of those to take."""

Ahead = Callable[[], LookAhead | None]
"""Asked after the choice what to look for behind a pick that was filled."""


def everything(tasks: Sequence[str]) -> Sequence[int]:
    """The choice of whoever takes all that was picked."""
    return range(len(tasks))


@dataclass(frozen=True, slots=True)
class Taken:
    jobs: list[Claimed]
    emptied: bool
    """Nothing was left that could have been taken."""


def claim(
    using: str,
    *,
    queues: Sequence[str] | None,
    limit: int,
    choose: Choose,
    worker: str,
    token: uuid.UUID,
    lease_seconds: float,
    ahead: Ahead | None = None,
    bookmarks: Bookmarks | None = None,
) -> Taken:
    """Take up to `limit` jobs for `worker`; must run inside a transaction.

    `queues` None means all of them. `choose` may leave picked jobs to others, and
    `ahead` may find more than `limit`. `bookmarks` are those of the pool.
    Raises DatabaseError when a row was not as locked, which undoes the caller's transaction.
    """
    picked, whole = pick.pick(using, queues, limit, bookmarks) if limit > 0 else ([], False)
    rows: list[pick.Row] = [picked[place] for place in choose([row[pick.TASK] for row in picked])]
    emptied = whole and len(rows) == len(picked) < limit
    if bookmarks is not None and len(rows) == len(picked):
        pick.remember(bookmarks, queues, rows)
    if ahead is not None and len(picked) >= limit and (wanted := ahead()) is not None:
        taken = {row[pick.ID] for row in rows}
        rows += look_ahead.rows(using, queues, wanted, without=taken)
    if not rows:
        return Taken([], emptied)
    ids = [row[pick.ID] for row in rows]
    changed = dialect(using).take(
        using, ids, worker=worker, token=token, lease_seconds=lease_seconds
    )
    if changed != len(rows):
        raise DatabaseError("claim: a row changed while it was locked")
    return Taken([_claimed(row, token, worker, before=True) for row in rows], emptied)


def _claimed(row: pick.Row, token: uuid.UUID, worker: str, *, before: bool) -> Claimed:
    """Of a row as it was `before` the claim took it, or as it is since."""
    (job_id, task, queue, payload, args, priority, attempts, most, timeout, *more) = row
    workflow_id, step, backend, available, created, after, started = more
    return Claimed(
        id=job_id,
        token=token,
        task=task,
        queue=queue,
        payload_json=payload,
        args_json=args,
        attempt=attempts + before,
        max_attempts=most,
        timeout_seconds=timeout,
        waited_seconds=max(started - available, 0.0),
        workflow_id=workflow_id,
        step_name=step,
        priority=priority,
        worker=worker,
        tasks_backend=backend,
        run_after_epoch=after,
        created_epoch=created,
        started_epoch=started,
    )


def held(using: str, tokens: Sequence[uuid.UUID]) -> list[Claimed]:
    """Running jobs under these tokens: what a claim took whose COMMIT was never answered."""
    running = (
        Job.objects.using(using)
        .filter(status=JobStatus.RUNNING, lease_token__in=tokens)
        .annotate(**pick.TIMES | {"now": pick.Epoch("started_at")})
        .values_list(*pick.COLUMNS, *pick.TIMES, "lease_token", "locked_by")
    )
    return [
        _claimed(tuple(row), uuid.UUID(str(token)), worker, before=False)
        for *row, token, worker in pick.fetch(using, running)
    ]
