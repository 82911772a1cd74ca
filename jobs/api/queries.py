"""Jobs and events as the API shows them, read without what it does not show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db.models import F, QuerySet, TextField
from django.db.models.functions import Cast, Left, Right

from jobs import registry
from jobs.api import disclosure, scope
from jobs.api.disclosure import PREVIEW_CHARS
from jobs.api.problems import allowed_actions
from jobs.errors import JobNotFound
from jobs.models import JobEvent, Queue

_ROW: Final = (
    "id",
    "task",
    "queue",
    "status",
    "priority",
    "attempts",
    "max_attempts",
    "available_at",
    "created_at",
    "started_at",
    "finished_at",
    "cancel_requested_at",
    "progress",
    "error_fingerprint",
    "idempotency_key",
    "workflow_id",
    "step_name",
)


def job_rows(using: str) -> QuerySet[Any, Any]:
    """Jobs for a list, as dicts: the database cuts payload and error down to previews."""
    rows: QuerySet[Any, Any] = scope.jobs(using).values(
        *_ROW,
        worker=F("locked_by"),
        payload_preview=Left(Cast("payload", TextField()), PREVIEW_CHARS),
        **error_columns(),
    )
    return rows


def error_columns() -> dict[str, Any]:
    """Of an error as much as `error_line` needs."""
    return {
        "error_end": Right("error", PREVIEW_CHARS),
        "error_start": Left("error", PREVIEW_CHARS),
    }


def error_line(row: Mapping[str, Any]) -> str:
    """What is shown of the error of a row with `error_columns` and its task."""
    return disclosure.error_line(row["error_end"], row["error_start"], row["task"])


def as_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A dict of `job_rows` as it is shown."""
    return {
        **row,
        "error_preview": error_line(row),
        "allowed_actions": allowed_actions(row["status"]),
    }


def job_detail(using: str, job_id: int) -> dict[str, Any]:
    """One job, whole. Raises JobNotFound."""
    job = scope.jobs(using).filter(pk=job_id).first()
    if job is None:
        raise JobNotFound(job_id)
    paused = Queue.objects.using(using).filter(name=job.queue, paused_at__isnull=False)
    lease = {"worker": job.locked_by, "expires_at": job.lease_expires_at}
    return {
        **{name: getattr(job, name) for name in _ROW},
        "payload": job.payload,
        "args": job.args,
        "timeout_seconds": job.timeout_seconds,
        "result": job.result,
        "error": job.error,
        "lease": lease if job.lease_token is not None else None,
        "allowed_actions": allowed_actions(job.status),
        "task_registered": registry.find(job.task, load=bool(job.tasks_backend)) is not None,
        "queue_paused": paused.exists(),
    }


def require_job(using: str, job_id: int) -> None:
    """Raises JobNotFound when there is no such job."""
    if not scope.jobs(using).filter(pk=job_id).exists():
        raise JobNotFound(job_id)


def event_rows(using: str, job_id: int) -> QuerySet[Any, Any]:
    """The history of a job, as dicts."""
    return (
        JobEvent.objects.using(using)
        .filter(job_id=job_id)
        .values(
            "id",
            "kind",
            "at",
            "from_status",
            "to_status",
            "attempt",
            "worker",
            "data",
            "job",
            "job__task",
        )
    )


def as_event(row: Mapping[str, Any]) -> dict[str, Any]:
    """A dict of `event_rows`, or of the feed, as it is shown."""
    task = row.get("task") or row["job__task"]
    return {
        **row,
        "from_status": row["from_status"] or None,
        "data": disclosure.event_data(row, task),
    }
