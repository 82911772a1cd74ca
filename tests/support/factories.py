"""Rows and values for tests. Every row is one the database allows, timed by its clock."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from collections.abc import Sequence
from typing import Any

from django.db.models.functions import Now

from jobs import lifecycle
from jobs.models import Job, JobEvent
from jobs.states import TERMINAL, JobStatus
from jobs.store import values
from jobs.store.bookmarks import Bookmarks
from jobs.store.claim import Ahead, Choose, everything
from jobs.store.values import Claimed, NewJob, Outcome

USING = "default"
TASK = "tests.task"
WORKER = "worker-of-tests"


def job(status: str = JobStatus.QUEUED, **fields: Any) -> Job:
    """A job in `status`, as the store would have left it, but without events.

    `lease_seconds` is how long a running one's lease still holds, `finished_seconds` how long ago
    a finished one ended; anything else is a field of the model.
    """
    return jobs(1, status, **fields)[0]


def jobs(count: int, status: str = JobStatus.QUEUED, **fields: Any) -> list[Job]:
    """Several such jobs, each with a lease token of its own."""
    made = Job.objects.bulk_create(_row(JobStatus(status), **fields) for _ in range(count))
    rows = Job.objects.in_bulk([row.pk for row in made])
    return [rows[row.pk] for row in made]


def _row(
    status: JobStatus, *, lease_seconds: float = 30.0, finished_seconds: float = 0.0, **fields: Any
) -> Job:
    shape: dict[str, Any] = {"task": TASK, "status": status, "max_attempts": 3}
    if status is JobStatus.BLOCKED:
        shape |= {"open_dependencies": 1}
    elif status is JobStatus.SCHEDULED:
        shape |= {"available_at": Now() + dt.timedelta(hours=1)}
    elif status is JobStatus.RUNNING:
        shape |= {
            "attempts": 1,
            "locked_by": WORKER,
            "lease_token": uuid.uuid4(),
            "lease_expires_at": Now() + dt.timedelta(seconds=lease_seconds),
            "started_at": Now(),
        }
    elif status in TERMINAL:
        shape |= {"attempts": 1, "finished_at": Now() - dt.timedelta(seconds=finished_seconds)}
    if status is JobStatus.FAILED:
        shape |= {"attempts": 3, "error": "ValueError: wrong"}
    return Job(**shape | fields)


def claimed(row: Job) -> Claimed:
    """What the worker of a running job holds."""
    assert row.lease_token is not None, "only a running job is held by somebody"
    return Claimed(
        id=row.pk,
        token=row.lease_token,
        task=row.task,
        queue=row.queue,
        payload_json=json.dumps(row.payload),
        args_json=json.dumps(row.args),
        attempt=row.attempts,
        max_attempts=row.max_attempts,
        timeout_seconds=row.timeout_seconds,
        waited_seconds=0.0,
        workflow_id=row.workflow_id,
    )


def succeeded(row: Job, result: str | None = None) -> Outcome:
    return values.succeeded(claimed(row), result, run_seconds=0.1)


def failed(row: Job, delay_seconds: float | None = 60.0, error: str = "ValueError: no") -> Outcome:
    held = claimed(row)
    return values.failed(held.id, held.token, error=error, delay_seconds=delay_seconds, data={})


def released(row: Job, delay_seconds: float = 0.0) -> Outcome:
    held = claimed(row)
    return values.released(held.id, held.token, reason="shutdown", delay_seconds=delay_seconds)


def cancelled(row: Job) -> Outcome:
    return values.cancelled(claimed(row), reason="asked to stop")


def new_job(**fields: Any) -> NewJob:
    """A checked job, ready to insert."""
    plain: dict[str, Any] = {
        "task": TASK,
        "queue": "default",
        "payload": "{}",
        "args": "[]",
        "priority": 0,
        "max_attempts": 3,
    }
    return NewJob(**plain | fields)


def claim(
    limit: int = 100,
    *,
    queues: Sequence[str] | None = None,
    choose: Choose = everything,
    worker: str = WORKER,
    lease_seconds: float = 30.0,
    ahead: Ahead | None = None,
    bookmarks: Bookmarks | None = None,
) -> list[Claimed]:
    """Claim in a transaction of its own, as an exchange with nothing to write does."""
    request = lifecycle.ClaimRequest(
        queues=queues,
        limit=limit,
        choose=choose,
        token=uuid.uuid4(),
        lease_seconds=lease_seconds,
        ahead=ahead,
        bookmarks=bookmarks,
    )
    return lifecycle.exchange(USING, [], request, worker=worker).claimed


def finish(*outcomes: Outcome, worker: str = WORKER) -> list[values.Written]:
    """Write outcomes in a transaction of its own."""
    return lifecycle.exchange(USING, outcomes, None, worker=worker).written


def history(job_id: int) -> list[tuple[str, str, str]]:
    """A job's events in order: (kind, from, to)."""
    events = JobEvent.objects.filter(job_id=job_id).order_by("id")
    return list(events.values_list("kind", "from_status", "to_status"))


def snapshot(job_id: int) -> dict[str, Any] | None:
    """Every column of a job's row; None when there is none."""
    return Job.objects.filter(pk=job_id).values().first()
