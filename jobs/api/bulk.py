"""Operations as the API takes and shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from rest_framework.request import Request

from jobs.api import filters, inputs, scope
from jobs.api.base import actor
from jobs.api.permissions import require
from jobs.errors import InvalidInput, shown
from jobs.models import Job, Operation
from jobs.operations.batch import OPEN
from jobs.operations.requests import OperationSpec
from jobs.permissions import Permission
from jobs.states import BulkAction, JobStatus, OperationStatus

FIELDS: Final = (
    "action",
    "filter",
    "ids",
    "all",
    "dry_run",
    "expected_count",
    "rate_per_second",
    "reason",
    "idempotency_key",
)
SAMPLE: Final = 10
"""Jobs shown of a dry run."""
_NEEDED: Final = {
    BulkAction.RETRY: Permission.RETRY_JOB,
    BulkAction.CANCEL: Permission.CANCEL_JOB,
    BulkAction.RUN_NOW: Permission.CHANGE_JOB,
    BulkAction.DELETE: Permission.DELETE_JOB,
}


def spec(request: Request, given: Mapping[str, Any]) -> OperationSpec:
    """What the body asks for. Raises InvalidInput, and Problem 403 without the permission for the
    action itself."""
    action = _action(given.get("action"))
    require(request, _NEEDED[action])
    chosen = _filter(given)
    if scope.narrowed() and chosen is not None:
        # It is carried out later, without the user whose jobs those would have to be.
        raise InvalidInput("filter", "cannot be used while FILTER_QUERYSET is set; give ids")
    if chosen and "q" in chosen:
        # Words are looked for in errors, and how many jobs match would tell what stands there.
        require(request, Permission.VIEW_PAYLOAD)
    return OperationSpec(
        action=action,
        filter=chosen,
        ids=given.get("ids"),
        rate_per_second=given.get("rate_per_second"),
        expected_count=given.get("expected_count"),
        actor=actor(request),
        reason=inputs.reason(given),
        idempotency_key=inputs.key(request, given.get("idempotency_key")),
    )


def flag(given: Mapping[str, Any], name: str) -> bool:
    """A truth value that is false by default. Raises InvalidInput."""
    value = given.get(name, False)
    if not isinstance(value, bool):
        raise InvalidInput(name, f"must be true or false, not {shown(value)}")
    return value


def _action(value: Any) -> BulkAction:
    if value is None:
        raise InvalidInput("action", "is required", code="required")
    if value not in list(BulkAction):
        names = ", ".join(BulkAction)
        raise InvalidInput("action", f"must be one of {names}, not {shown(value)}")
    return BulkAction(value)


def _filter(given: Mapping[str, Any]) -> dict[str, Any] | None:
    """The filter, checked. An empty one would take every job, so that has to be said."""
    every = flag(given, "all")
    value = given.get("filter")
    if given.get("ids") is not None:
        if value is not None or every:
            raise InvalidInput("ids", "goes with neither filter nor all")
        return None
    found = {} if value is None else filters.read(value)
    if every and found:
        raise InvalidInput("all", "goes with an empty filter only")
    if not found and not every:
        message = "is empty, which means every job; say so with all: true, or give ids"
        raise InvalidInput("filter", message, code="required")
    return found


_SAMPLE_COLUMNS: Final = ("id", "task", "queue", "status", "created_at", "finished_at")


def sample(rows: Any) -> list[dict[str, Any]]:
    """The first jobs of a dry run, without anything that a payload may hold."""
    return list(rows.order_by("pk").values(*_SAMPLE_COLUMNS)[:SAMPLE])


def documents(using: str, operations: Iterable[Operation]) -> list[dict[str, Any]]:
    """Operations as they are shown, with the status of the jobs that carry them out."""
    rows = list(operations)
    runners = [row.runner_job_id for row in rows if row.runner_job_id is not None]
    statuses = dict(Job.objects.using(using).filter(pk__in=runners).values_list("pk", "status"))
    return [_document(row, statuses.get(row.runner_job_id or 0)) for row in rows]


_COPIED: Final = (
    *("id", "action", "filter", "rate_per_second", "actor", "reason", "status", "error"),
    *("cancelled_by", "cancel_reason"),
    *("matched", "done", "also_changed", "skipped", "failed"),
    *("created_at", "started_at", "finished_at"),
)


def _document(row: Operation, runner: str | None) -> dict[str, Any]:
    document = {name: getattr(row, name) for name in _COPIED}
    document["named"] = None if row.job_ids is None else len(row.job_ids)
    document["runner_job"] = (
        None if row.runner_job_id is None else {"id": row.runner_job_id, "status": runner}
    )
    document["allowed_actions"] = ["cancel"] if row.status in OPEN else []
    if row.status in OPEN and runner in (None, JobStatus.FAILED, JobStatus.CANCELLED):
        # Nobody carries it on: its job was cancelled by itself, or died too often.
        document["status"] = OperationStatus.FAILED.value
        document["error"] = f"the job that carried it out is {runner or 'gone'}"
    return document
