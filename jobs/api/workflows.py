"""Workflows as the API shows them."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.db.models import Case, CharField, Count, OuterRef, QuerySet, Subquery, When

from jobs.api import scope
from jobs.api.fields import utc_text
from jobs.api.problems import allowed_actions as allowed_on_job
from jobs.api.queries import error_columns, error_line
from jobs.errors import WorkflowNotFound
from jobs.models import Dependency, Job
from jobs.states import JobStatus, WorkflowStatus
from jobs.store import clock
from jobs.workflows import graph

ACTIONS: Final = ("cancel", "retry", "rerun")
_COLUMNS: Final = (
    "id",
    "name",
    "status",
    "steps",
    "open_steps",
    "failed_steps",
    "cancelled_steps",
    "idempotency_key",
    "rerun_of",
    "cancel_requested_at",
    "created_at",
    "finished_at",
)


_MAX_ID: Final = 2**63 - 1


def rows(using: str) -> QuerySet[Any, Any]:
    """Workflows for a list, as dicts."""
    failed = Job.objects.filter(workflow_id=OuterRef("pk"), status=JobStatus.FAILED.value)
    name = Subquery(failed.order_by("step_name").values("step_name")[:1])
    found: QuerySet[Any, Any] = scope.workflows(using).values(
        *_COLUMNS,
        failed_step=Case(When(failed_steps__gt=0, then=name), output_field=CharField()),
    )
    return found


def shown(using: str, found: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Dicts of `rows` as they are shown."""
    now = clock.now(using)
    ids = [row["id"] for row in found if row["status"] == WorkflowStatus.RUNNING]
    # As many rows as there are threads at work, by the index of those that run.
    busy = Job.objects.using(using).filter(status=JobStatus.RUNNING, workflow_id__in=ids)
    running = dict(busy.values_list("workflow_id").annotate(Count("pk")).order_by()) if ids else {}
    return [_as_row(row, running.get(row["id"], 0), now) for row in found]


def _as_row(row: Mapping[str, Any], running: int, now: dt.datetime) -> dict[str, Any]:
    total, still_open = row["steps"], row["open_steps"]
    failed, cancelled = row["failed_steps"], row["cancelled_steps"]
    end = row["finished_at"] or now
    return {
        **{name: row[name] for name in _COLUMNS if not name.endswith("steps")},
        "progress": {
            "steps": total,
            "open": still_open,
            "running": running,
            "succeeded": total - still_open - failed - cancelled,
            "failed": failed,
            "cancelled": cancelled,
        },
        "failed_step": row["failed_step"],
        "seconds": max((end - row["created_at"]).total_seconds(), 0.0),
        "allowed_actions": _allowed(row),
    }


def _allowed(row: Mapping[str, Any]) -> list[str]:
    running = row["status"] == WorkflowStatus.RUNNING
    stopping = running and row["cancel_requested_at"] is not None
    dead = row["failed_steps"] + row["cancelled_steps"]
    allowed = {
        "cancel": running and not stopping,
        "retry": row["status"] != WorkflowStatus.SUCCEEDED and dead > 0 and not stopping,
        "rerun": True,
    }
    return [action for action in ACTIONS if allowed[action]]


def summary(using: str, workflow_id: int) -> dict[str, Any]:
    """A workflow without its steps. Raises WorkflowNotFound."""
    row = rows(using).filter(pk=min(workflow_id, _MAX_ID)).first()
    if row is None:
        raise WorkflowNotFound(workflow_id)
    return shown(using, [row])[0]


def require(using: str, workflow_id: int) -> int:
    """How many steps it has. Raises WorkflowNotFound."""
    found = scope.workflows(using).filter(pk=min(workflow_id, _MAX_ID))
    steps: int | None = found.values_list("steps", flat=True).first()
    if steps is None:
        raise WorkflowNotFound(workflow_id)
    return steps


_STEP_COLUMNS: Final = (
    "id",
    "step_name",
    "task",
    "queue",
    "status",
    "attempts",
    "max_attempts",
    "on_failure",
    "open_dependencies",
    "available_at",
    "started_at",
    "finished_at",
    "cancel_requested_at",
)


def parts(using: str, workflow_id: int) -> dict[str, Any]:
    """The steps of a workflow, its edges, counts by status and critical path, ready to be sent.

    There may be thousands, so no serializer walks over them.
    """
    jobs = {
        row["id"]: row
        for row in Job.objects.using(using)
        .filter(workflow_id=workflow_id)
        .order_by("id")
        .values(*_STEP_COLUMNS, **error_columns())
    }
    edges = Dependency.objects.using(using).filter(child__workflow_id=workflow_id)
    parents: dict[int, list[int]] = {pk: [] for pk in jobs}
    appender: dict[int, int] = {}
    for parent, child, appended in edges.values_list("parent_id", "child_id", "appended"):
        if parent in jobs and child in jobs:
            parents[child].append(parent)
            if appended:
                appender[child] = parent
    names = {pk: row["step_name"] for pk, row in jobs.items()}
    counts = Counter(row["status"] for row in jobs.values())
    return {
        "counts": {status.value: counts[status] for status in JobStatus},
        "started_at": _text(min(_times(jobs.values(), "started_at"), default=None)),
        "critical_path": _critical_path(jobs, parents, names),
        "steps": [
            _shown(row, sorted(parents[pk]), appender.get(pk), names) for pk, row in jobs.items()
        ],
        "edges": [
            {"parent": names[parent], "child": names[child]}
            for child, above in parents.items()
            for parent in sorted(above)
        ],
    }


def _times(rows: Iterable[Mapping[str, Any]], name: str) -> list[dt.datetime]:
    return [row[name] for row in rows if row[name] is not None]


def _text(at: dt.datetime | None) -> str | None:
    return None if at is None else utc_text(at)


def _shown(
    row: Mapping[str, Any], above: Sequence[int], appender: int | None, names: Mapping[int, str]
) -> dict[str, Any]:
    return {
        "job": row["id"],
        "step": row["step_name"],
        "task": row["task"],
        "queue": row["queue"],
        "status": row["status"],
        "depends_on": [names[parent] for parent in above],
        "waits_for": row["open_dependencies"],
        "appended_by": None if appender is None else names[appender],
        "on_failure": row["on_failure"],
        "attempts": row["attempts"],
        "max_attempts": row["max_attempts"],
        "available_at": _text(row["available_at"]),
        "started_at": _text(row["started_at"]),
        "finished_at": _text(row["finished_at"]),
        "cancel_requested_at": _text(row["cancel_requested_at"]),
        "error_preview": error_line(row),
        "allowed_actions": allowed_on_job(row["status"]),
    }


def _critical_path(
    jobs: Mapping[int, Mapping[str, Any]],
    parents: Mapping[int, Sequence[int]],
    names: Mapping[int, str],
) -> list[str]:
    """Of the steps that have run and ended."""
    ended = {
        pk: row["finished_at"].timestamp()
        for pk, row in jobs.items()
        if row["started_at"] is not None and row["finished_at"] is not None
    }
    return [names[pk] for pk in graph.critical_path(parents, ended)]
