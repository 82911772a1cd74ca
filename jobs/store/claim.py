"""Taking jobs: pick under skip-locked row locks, then one guarded update.

The guard (`status = 'queued'` in the update) is what keeps a job from being taken twice; the lock
keeps workers from racing for the same rows. It is one that lets events of the row be written, so
that nobody waits for it. `queue = ANY(…)` could not use the order of an index
and would sort the backlog, so a pool that serves some queues picks from each with equality and
merges; one that serves all uses no condition on the queue.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

from django.db import connections
from django.db.models import FloatField, Func
from django.db.models.functions import Now
from django.db.utils import DatabaseError

from jobs.models import Job
from jobs.states import JobStatus
from jobs.store.dialects import dialect
from jobs.store.literals import literal
from jobs.store.values import Claimed

Choose = Callable[[Sequence[str]], int]
"""Given the tasks of the picked jobs in claim order, how many from the front to take."""

_Row = tuple[Any, ...]


class _Epoch(Func):
    """A time as seconds since 1970: a float costs a tenth of what a date costs to read."""

    output_field = FloatField()
    template = "EXTRACT(EPOCH FROM %(expressions)s)::float8"

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        template = "((julianday(%(expressions)s) - 2440587.5) * 86400.0)"
        return self.as_sql(compiler, connection, template=template, **extra)


_COLUMNS: Final = (
    *("id", "task", "queue", "payload", "args", "priority", "attempts", "max_attempts"),
    *("timeout_seconds", "workflow_id", "step_name", "tasks_backend"),
)
_TIMES: Final = {
    "available": _Epoch("available_at"),
    "created": _Epoch("created_at"),
    "after": _Epoch("run_after"),
    "now": _Epoch(Now()),
}
_ID, _TASK, _PRIORITY = (_COLUMNS.index(name) for name in ("id", "task", "priority"))
_AVAILABLE, _CREATED = len(_COLUMNS), len(_COLUMNS) + 1


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
    Raises DatabaseError when a row was not as locked, which undoes the caller's transaction.
    """
    rows = _pick(using, queues, limit) if limit > 0 else []
    rows = rows[: choose([row[_TASK] for row in rows])]
    if not rows:
        return []
    ids = [row[_ID] for row in rows]
    taken = dialect(using).take(using, ids, worker=worker, token=token, lease_seconds=lease_seconds)
    if taken != len(rows):
        raise DatabaseError("claim: a row changed while it was locked")
    return [_claimed(row, token, worker, before=True) for row in rows]


def _pick(using: str, queues: Sequence[str] | None, limit: int) -> list[_Row]:
    if queues is None:
        return _rows(using, _statement(using, limit, False), ())
    # Named twice, a queue would give the rows this transaction holds already a second time.
    names = dict.fromkeys(queues)
    one_queue = _statement(using, limit, True)
    rows = [row for queue in names for row in _rows(using, one_queue, (queue,))]
    if len(names) > 1:
        rows.sort(key=_claim_order)
    return rows[:limit]


def pick_statement(using: str, limit: int, *, one_queue: bool) -> str:
    """The text of the pick, for whoever asks the database how it would carry it out.

    Must be called inside a transaction. The name of the queue is its only parameter, if it is for
    one.
    """
    return _statement(using, limit, one_queue)


@lru_cache(maxsize=1024)
def _statement(using: str, limit: int, one_queue: bool) -> str:
    """The text of the pick, kept: the ORM would take longer to write it than PostgreSQL to run it.

    Must be called inside a transaction. The name of the queue is its only parameter.
    """
    waiting = (
        Job.objects.using(using)
        .filter(status=literal(JobStatus.QUEUED), **({"queue": ""} if one_queue else {}))
        .order_by(*Job.CLAIM_ORDER)
        .annotate(**_TIMES)
        .values_list(*_COLUMNS, *_TIMES)
        .select_for_update(skip_locked=True, no_key=True)[:limit]
    )
    text: str = waiting.query.get_compiler(using).as_sql()[0]
    return text


def _rows(using: str, statement: str, parameters: Sequence[Any]) -> list[_Row]:
    with connections[using].cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[_Row] = cursor.fetchall()
    return rows


def _claim_order(row: _Row) -> tuple[Any, ...]:
    """`Job.CLAIM_ORDER` of a picked row."""
    return -row[_PRIORITY], row[_AVAILABLE], row[_CREATED], row[_ID]


def _claimed(row: _Row, token: uuid.UUID, worker: str, *, before: bool) -> Claimed:
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
        .annotate(**_TIMES | {"now": _Epoch("started_at")})
        .values_list(*_COLUMNS, *_TIMES, "lease_token", "locked_by")
    )
    text, parameters = running.query.get_compiler(using).as_sql()
    return [
        _claimed(tuple(row), uuid.UUID(str(token)), worker, before=False)
        for *row, token, worker in _rows(using, text, parameters)
    ]
