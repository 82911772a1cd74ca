"""Workflows as the API takes and shows them."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.db.models import QuerySet
from django.db.models.functions import Right

from jobs.api.fields import utc_text
from jobs.api.operations import read_time
from jobs.api.problems import allowed_actions as allowed_on_job
from jobs.api.queries import PREVIEW_CHARS
from jobs.errors import InvalidInput, WorkflowNotFound
from jobs.models import Dependency, Job, Workflow
from jobs.states import JobStatus, WorkflowStatus
from jobs.store import clock
from jobs.workflows import graph
from jobs.workflows.definition import Step

FIELDS: Final = ("name", "steps", "idempotency_key")
_AS_GIVEN: Final = ("queue", "priority", "max_attempts", "timeout_seconds", "on_failure")
STEP_FIELDS: Final = ("step", "task", "payload", "depends_on", "available_at", *_AS_GIVEN)
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


# In


def steps(given: Mapping[str, Any]) -> list[Step]:
    """The steps of a request. Raises InvalidInput for what is not even shaped like one."""
    items = given.get("steps")
    if not isinstance(items, list):
        raise InvalidInput("steps", "must be a list of objects")
    return [_step(n, item) for n, item in enumerate(items)]


def _step(n: int, item: Any) -> Step:
    if not isinstance(item, dict):
        raise InvalidInput(f"steps[{n}]", "must be an object")
    for name in item:
        if name not in STEP_FIELDS:
            raise InvalidInput(f"steps[{n}].{name}", "unknown field", code="unknown-field")
    for name in ("step", "task"):
        if item.get(name) is None:
            raise InvalidInput(f"steps[{n}].{name}", "is required", code="required")
    depends_on = item.get("depends_on", [])
    if not isinstance(depends_on, list):
        raise InvalidInput(
            f"steps[{n}].depends_on", f"step {item['step']!r:.80}: must be a list of step names"
        )
    at = item.get("available_at")
    more = {name: item[name] for name in _AS_GIVEN if item.get(name) is not None}
    return Step(
        item["step"],
        item["task"],
        {} if item.get("payload") is None else item["payload"],
        after=depends_on,
        available_at=None if at is None else read_time(f"steps[{n}].available_at", at),
        **more,
    )


def from_steps(given: Mapping[str, Any]) -> list[str]:
    """The steps to run a workflow again from. Raises InvalidInput."""
    names = given.get("from_steps")
    if names is None:
        return []
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InvalidInput("from_steps", "must be a list of step names")
    return names


# Out


def rows(using: str) -> QuerySet[Any, Any]:
    """Workflows for a list, as dicts."""
    found: QuerySet[Any, Any] = Workflow.objects.using(using).values(*_COLUMNS)
    return found


def as_row(row: Mapping[str, Any], now: dt.datetime) -> dict[str, Any]:
    """A dict of `rows` as it is shown."""
    total, still_open = row["steps"], row["open_steps"]
    failed, cancelled = row["failed_steps"], row["cancelled_steps"]
    end = row["finished_at"] or now
    return {
        **{name: row[name] for name in _COLUMNS if not name.endswith("steps")},
        "progress": {
            "steps": total,
            "open": still_open,
            "succeeded": total - still_open - failed - cancelled,
            "failed": failed,
            "cancelled": cancelled,
        },
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
    row = rows(using).filter(pk=workflow_id).first()
    if row is None:
        raise WorkflowNotFound(workflow_id)
    return as_row(row, clock.now(using))


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
        .values(*_STEP_COLUMNS, error_preview=Right("error", PREVIEW_CHARS))
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
    lines = row["error_preview"].strip().splitlines()
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
        "error_preview": lines[-1].strip() if lines else "",
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
