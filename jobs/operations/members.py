"""Which jobs an operation is for; the package says by what rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.db import connections
from django.db.models import BooleanField, F, Func, Q, QuerySet, TextField, Value

from jobs.models import Job, Operation
from jobs.states import BulkAction, open_to
from jobs.store.filters import matching

RUNNER: Final = "qforge.run_operation"
"""The task that carries operations out; its jobs are in none."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What was there when an operation was asked for."""

    snapshot: str
    max_job_id: int


_POSTGRES_NOW: Final = "SELECT pg_current_snapshot()::text, COALESCE(MAX(id), 0) FROM jobs"
_PORTABLE_NOW: Final = """
SELECT CAST((SELECT COALESCE(MAX(id), 0) FROM job_events) AS TEXT), COALESCE(MAX(id), 0) FROM jobs
"""


def now(using: str) -> Moment:
    """This moment, as this statement sees it."""
    postgres = connections[using].vendor == "postgresql"
    with connections[using].cursor() as cursor:
        cursor.execute(_POSTGRES_NOW if postgres else _PORTABLE_NOW)
        return Moment(*cursor.fetchone())


class _Seen(Func):
    """Whether the snapshot saw the job's first event, or its latest change of status.

    A job without events was put in by hand, and an event from a transaction that is yet to come is
    one of a restored dump: both are older than any snapshot taken here.
    """

    output_field = BooleanField()
    _FIRST = "ORDER BY e.id"
    _LATEST = "AND e.from_status <> e.to_status ORDER BY e.id DESC"

    def __init__(self, snapshot: str, *, unchanged: bool) -> None:
        super().__init__(F("pk"), Value(snapshot, TextField()))
        self.which = self._LATEST if unchanged else self._FIRST

    def as_sql(self, compiler: Any, connection: Any, **extra: Any) -> Any:  # type: ignore[override]
        (job, _), (snapshot, parameters) = map(compiler.compile, self.get_source_expressions())
        if connection.vendor == "postgresql":
            seen = (
                f"pg_visible_in_snapshot(e.transaction_id::text::xid8, ({snapshot})::pg_snapshot)"
                " OR e.transaction_id >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint"
            )
        else:
            seen = f"e.id <= CAST({snapshot} AS INTEGER)"
        found = f"SELECT {seen} FROM job_events e WHERE e.job_id = {job} {self.which} LIMIT 1"  # noqa: S608
        # No event at all gives NULL, which counts as seen.
        return f"COALESCE(({found}), {'TRUE' if connection.vendor == 'postgresql' else '1'})", [
            *parameters
        ]


def known(operation: Operation) -> Any:
    """The condition that a job was there, and for most actions that it has not changed since."""
    return _Seen(operation.snapshot, unchanged=operation.action != BulkAction.CANCEL)


def members(using: str, operation: Operation) -> QuerySet[Job]:
    """The jobs that match it now. Of these only those `known` are in it.

    That is not asked here, since it looks at the events of every single job: the planner would do
    so for all that match, to find the few hundred of a batch.
    """
    rows = Job.objects.using(using).filter(pk__lte=operation.max_job_id).exclude(task=RUNNER)
    if operation.job_ids is not None:
        chosen = Q(pk__in=operation.job_ids)
    else:
        chosen = matching(operation.filter or {})
    statuses = open_to(BulkAction(operation.action))
    return rows.filter(chosen, status__in=statuses)
