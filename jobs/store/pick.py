"""Which waiting jobs come next: the statement that picks and locks them.

`queue = ANY(…)` could not use the order of an index and would sort the backlog, so a pool that
serves some queues picks from each with equality and merges; one that serves all uses no condition
on the queue.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.db import connections
from django.db.models import BooleanField, Expression, FloatField, Func
from django.db.models.functions import Now

from jobs.models import Job
from jobs.states import JobStatus
from jobs.store.bookmarks import Bookmarks, Place
from jobs.store.literals import literal

Row = tuple[Any, ...]


class Epoch(Func):
    """A time as seconds since 1970: a float costs a tenth of what a date costs to read."""

    output_field = FloatField()
    template = "EXTRACT(EPOCH FROM %(expressions)s)::float8"

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        template = "((julianday(%(expressions)s) - 2440587.5) * 86400.0)"
        return self.as_sql(compiler, connection, template=template, **extra)


class _Behind(Expression):
    """Whether a job of the same priority comes after the place that is given when it is asked."""

    output_field = BooleanField()

    def as_sql(self, compiler: Any, connection: Any, **extra: Any) -> tuple[str, tuple[()]]:
        row, place = "(jobs.available_at, jobs.created_at, jobs.id)", "to_timestamp(%s)"
        return f"{row} > ({place}, {place}, %s)", ()


COLUMNS: Final = (
    *("id", "task", "queue", "payload", "args", "priority", "attempts", "max_attempts"),
    *("timeout_seconds", "workflow_id", "step_name", "tasks_backend"),
)
TIMES: Final = {
    "available": Epoch("available_at"),
    "created": Epoch("created_at"),
    "after": Epoch("run_after"),
    "now": Epoch(Now()),
}
ID, TASK, _QUEUE, _PRIORITY = (COLUMNS.index(n) for n in ("id", "task", "queue", "priority"))
_AVAILABLE, _CREATED = len(COLUMNS), len(COLUMNS) + 1


class Picked(NamedTuple):
    rows: list[Row]
    whole: bool
    """Whether they were looked for from the front, in all the queues."""


def pick(
    using: str, queues: Sequence[str] | None, limit: int, bookmarks: Bookmarks | None = None
) -> Picked:
    """Lock up to `limit` waiting jobs in claim order; `queues` None means all of them."""
    if queues is None:
        return _look(using, None, limit, bookmarks)
    # Named twice, a queue would give the rows this transaction holds already a second time.
    looks = [_look(using, queue, limit, bookmarks) for queue in dict.fromkeys(queues)]
    rows = [row for look in looks for row in look.rows]
    if len(looks) > 1:
        rows.sort(key=_claim_order)
    return Picked(rows[:limit], all(look.whole for look in looks))


def _look(using: str, queue: str | None, limit: int, bookmarks: Bookmarks | None) -> Picked:
    named = () if queue is None else (queue,)
    if bookmarks is not None and (place := bookmarks.place(queue)) is not None:
        behind = _statement(using, limit, queue is not None, behind=True)
        if rows := _rows(using, behind, (*named, *place)):
            return Picked(rows, whole=False)
    started = time.monotonic()
    rows = _rows(using, _statement(using, limit, queue is not None), named)
    if bookmarks is not None:
        bookmarks.looked(queue, time.monotonic() - started)
    return Picked(rows, whole=True)


def remember(bookmarks: Bookmarks, queues: Sequence[str] | None, rows: Sequence[Row]) -> None:
    """All of these rows of a pick were taken, so that none of them is passed over later."""
    for row in rows:
        place = Place(row[_PRIORITY], row[_AVAILABLE], row[_CREATED], row[ID])
        bookmarks.move(None if queues is None else row[_QUEUE], place)


def statement_of(using: str, limit: int, *, one_queue: bool) -> str:
    """The text of the pick, for whoever asks the database how it would carry it out.

    Must be called inside a transaction. The name of the queue is its only parameter, if it is for
    one.
    """
    return _statement(using, limit, one_queue)


@lru_cache(maxsize=1024)
def _statement(using: str, limit: int, one_queue: bool, behind: bool = False) -> str:
    """The text of the pick, kept: the ORM would take longer to write it than PostgreSQL to run it.

    Must be called inside a transaction. Its parameters are the name of the queue, if it is for one,
    and the place, if it goes on `behind` one.
    """
    jobs = _waiting(using, one_queue)
    if behind:
        jobs = jobs.filter(priority=0).filter(_Behind())
    text: str = locking(jobs, limit).query.get_compiler(using).as_sql()[0]
    return text


def _waiting(using: str, one_queue: bool) -> Any:
    waiting = Job.objects.using(using).filter(status=literal(JobStatus.QUEUED))
    return waiting.filter(queue="") if one_queue else waiting


def locking(jobs: Any, limit: int) -> Any:
    """A queryset of jobs as a claim picks them."""
    return (
        jobs.order_by(*Job.CLAIM_ORDER)
        .annotate(**TIMES)
        .values_list(*COLUMNS, *TIMES)
        .select_for_update(skip_locked=True, no_key=True)[:limit]
    )


def fetch(using: str, jobs: Any) -> list[Any]:
    """The rows of a queryset as the driver reads them: payloads stay texts."""
    return _rows(using, *jobs.query.get_compiler(using).as_sql())


def front(using: str, queues: Sequence[str] | None, count: int) -> list[tuple[int, str]]:
    """Id and task of the first `count` waiting jobs, of each queue if they are named; not locked.

    Must be called inside a transaction.
    """
    if queues is None:
        return _rows(using, _front_statement(using, count, False), ())
    statement = _front_statement(using, count, True)
    return [row for queue in dict.fromkeys(queues) for row in _rows(using, statement, (queue,))]


@lru_cache(maxsize=64)
def _front_statement(using: str, count: int, one_queue: bool) -> str:
    jobs = _waiting(using, one_queue).order_by(*Job.CLAIM_ORDER).values_list("id", "task")
    text: str = jobs.query.get_compiler(using).as_sql()[0]
    # With a limit that the planner cannot see it expects to need the first few only. One that it
    # sees is more than old statistics may say there are, and it would sort the whole backlog.
    return f"{text} LIMIT (SELECT {count})"


def _rows(using: str, statement: str, parameters: Sequence[Any]) -> list[Any]:
    with connections[using].cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[Any] = cursor.fetchall()
    return rows


def _claim_order(row: Row) -> tuple[Any, ...]:
    """`Job.CLAIM_ORDER` of a picked row."""
    return -row[_PRIORITY], row[_AVAILABLE], row[_CREATED], row[ID]
