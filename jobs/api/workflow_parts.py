"""The steps and the events of one workflow, in pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import connections
from django.db.models import (
    BooleanField,
    Case,
    CharField,
    Count,
    F,
    Func,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)

from jobs.api.problems import allowed_actions
from jobs.api.queries import error_columns, error_line
from jobs.models import Dependency, Job, JobEvent
from jobs.states import TERMINAL, JobStatus

_OPEN: Final = [status for status in JobStatus if status not in TERMINAL]
_STEP: Final = (
    "id",
    "step_name",
    "task",
    "queue",
    "status",
    "on_failure",
    "attempts",
    "max_attempts",
    "available_at",
    "started_at",
    "finished_at",
)
_EVENT: Final = ("id", "kind", "at", "from_status", "to_status", "attempt", "worker", "data", "job")


def counts(using: str, workflow_id: int) -> dict[str, Any]:
    """How many steps are in each status, and when the first one started."""
    steps = Job.objects.using(using).filter(workflow_id=workflow_id)
    found = dict(steps.values_list("status").annotate(Count("pk")).order_by())
    return {
        "counts": {status.value: found.get(status.value, 0) for status in JobStatus},
        **steps.aggregate(started_at=Min("started_at")),
    }


def step_rows(using: str, workflow_id: int) -> QuerySet[Any, Any]:
    """Steps for a list, as dicts, to be paged by `seq`.

    That is the id, but not to the planner, which must read the steps by their workflow instead of
    walking all jobs in the order of their ids. Likewise for the edges of a step.
    """
    waiting = Dependency.objects.filter(child_id=OuterRef("pk"), parent__status__in=_OPEN)
    first = waiting.order_by(F("parent_id") + 0).values("parent__step_name")[:1]
    blocked = When(status=JobStatus.BLOCKED.value, then=Subquery(first))
    rows: QuerySet[Any, Any] = (
        Job.objects.using(using)
        .filter(workflow_id=workflow_id)
        .values(
            *_STEP,
            seq=F("id") + 0,
            waits_for=F("open_dependencies"),
            **error_columns(),
            waits_on=Case(blocked, output_field=CharField()),
        )
    )
    return rows


def matching(
    rows: QuerySet[Any, Any], statuses: Sequence[str], words: str | None
) -> QuerySet[Any, Any]:
    """Those of `step_rows` in one of these statuses, with these words in name or task."""
    if statuses:
        rows = rows.filter(status__in=statuses)
    if words is not None:
        rows = rows.filter(Q(step_name__icontains=words) | Q(task__icontains=words))
    return rows


def as_step(row: Mapping[str, Any]) -> dict[str, Any]:
    """A dict of `step_rows` as it is shown."""
    return {
        **row,
        "job": row["id"],
        "step": row["step_name"],
        "error_preview": error_line(row),
        "allowed_actions": allowed_actions(row["status"]),
    }


class _AnyOf(Func):
    """One parameter for any number of ids: as one each, 20,000 take seconds to be planned."""

    arg_joiner = " = ANY(("
    template = "%(expressions)s)::bigint[])"
    output_field = BooleanField()


def _of_steps(using: str, workflow_id: int) -> Q:
    """The steps by their ids, which leaves the planner no choice but the index of their events."""
    if connections[using].vendor != "postgresql":
        return Q(job__workflow_id=workflow_id)
    steps = Job.objects.using(using).filter(workflow_id=workflow_id).values_list("id", flat=True)
    return Q(_AnyOf(F("job_id"), Value("{" + ",".join(map(str, steps)) + "}")))


def event_rows(using: str, workflow_id: int, kinds: Sequence[str]) -> QuerySet[Any, Any]:
    """The history of all steps, as dicts, to be paged by `seq`, for the reason it is above."""
    found = JobEvent.objects.using(using).filter(_of_steps(using, workflow_id))
    if kinds:
        found = found.filter(kind__in=kinds)
    rows: QuerySet[Any, Any] = found.values(
        *_EVENT, "job__task", seq=F("id") + 0, step=F("job__step_name")
    )
    return rows
