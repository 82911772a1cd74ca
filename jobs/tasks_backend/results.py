"""From a job's row and events to a TaskResult, without running any check of today's code on it."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from jobs.states import EventKind, JobStatus
from jobs.tasks_backend import paths
from jobs.tasks_backend.namespaces import Namespace
from jobs.tasks_backend.options import defaults_of
from jobs.tasks_backend.tasks import CLASSES

STATUSES: Final = {
    JobStatus.BLOCKED: "READY",
    JobStatus.SCHEDULED: "READY",
    JobStatus.QUEUED: "READY",
    JobStatus.RUNNING: "RUNNING",
    JobStatus.SUCCEEDED: "SUCCESSFUL",
    JobStatus.FAILED: "FAILED",
    JobStatus.CANCELLED: "FAILED",
}
"""Our statuses in the four that Django has."""

_HISTORY: Final = (
    EventKind.CLAIMED,
    EventKind.RELEASED,
    EventKind.FAILED,
    EventKind.RESCUED,
    EventKind.RETRIED,
)


@dataclass(slots=True)
class History:
    """The attempts that count: those since the last `retry`, without the ones given back."""

    workers: list[str] = field(default_factory=list)
    starts: list[dt.datetime] = field(default_factory=list)
    errors: list[dict[str, str]] = field(default_factory=list)


def history(using: str, job_id: int) -> History:
    """Read what has become of a job's attempts, oldest first."""
    from jobs.models import JobEvent

    events = JobEvent.objects.using(using).filter(job_id=job_id, kind__in=_HISTORY)
    return fold(events.order_by("id").values_list("kind", "at", "worker", "data"))


def fold(events: Iterable[tuple[str, dt.datetime, str, dict[str, Any]]]) -> History:
    told = History()
    for kind, at, worker, data in events:
        if kind == EventKind.RETRIED:
            told = History()
        elif kind == EventKind.CLAIMED:
            told.workers.append(worker)
            told.starts.append(at)
        elif kind != EventKind.RELEASED:
            told.errors.append(data.get("error") or {})
        elif told.workers:
            told.workers.pop()
            told.starts.pop()
    return told


def task_error(home: Namespace, error: dict[str, str]) -> Any:
    """An error as events keep it, as a TaskError."""
    kind, message = error.get("type") or "jobs.errors.LeaseExpired", error.get("message", "")
    path = kind if "." in kind else f"builtins.{kind}"
    trace = error.get("traceback") or f"{kind}: {message}\n"
    return home.TaskError(exception_class_path=path, traceback=trace)


def task_of(home: Namespace, row: Any, found: Any | None) -> Any:
    """The task as it was enqueued: `found`, what stands at its path now, with the row's options."""
    cls = CLASSES[home.name] if found is None else type(found)
    values = {f.name: getattr(found, f.name, _default(f)) for f in dataclasses.fields(cls)}
    if found is None:
        values |= {"func": paths.placeholder(row.task), "takes_context": False}
    values |= {
        "priority": row.priority,
        "queue_name": row.queue,
        "backend": row.tasks_backend or values["backend"],
        "run_after": row.run_after,
    }
    if "max_attempts" in values:
        defaults = defaults_of(home, values["backend"])
        for name, stored, default in (
            ("max_attempts", row.max_attempts, defaults.max_attempts),
            ("timeout", row.timeout_seconds, defaults.timeout),
        ):
            # What the row has from the defaults, the task goes on leaving to them.
            if stored != (default if values[name] is None else values[name]):
                values[name] = stored
        values["idempotency_key"] = getattr(row, "idempotency_key", None)
    # Made without its checks: they are about enqueueing it today.
    made = object.__new__(cls)
    for name, value in values.items():
        object.__setattr__(made, name, value)
    return made


def _default(each: dataclasses.Field[Any]) -> Any:
    return None if each.default is dataclasses.MISSING else each.default


def result_of(home: Namespace, row: Any, task: Any, status: JobStatus, told: History) -> Any:
    """The TaskResult of a row, or of a job that a worker holds."""
    made = home.TaskResult(
        task=task,
        id=str(row.id),
        status=home.Status[STATUSES[status]],
        enqueued_at=row.created_at,
        started_at=told.starts[0] if told.starts else None,
        finished_at=getattr(row, "finished_at", None),
        last_attempted_at=told.starts[-1] if told.starts else None,
        args=row.args,
        kwargs=row.payload,
        backend=task.backend,
        errors=[task_error(home, error) for error in told.errors],
        worker_ids=list(told.workers),
    )
    if status is JobStatus.SUCCEEDED:
        object.__setattr__(made, "_return_value", getattr(row, "result", None))
    return made
