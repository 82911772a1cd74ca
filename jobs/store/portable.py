"""Any other database, through the ORM, a job at a time: for a first look on SQLite.

There a write transaction is alone, so what PostgreSQL does in one statement may take several.
"""

from __future__ import annotations

import datetime as dt
import json
import uuid
from collections.abc import Sequence
from typing import Any

from django.db.models import F
from django.db.models.functions import Now
from django.db.utils import DatabaseError
from django.utils import timezone

from jobs.models import Job, JobEvent
from jobs.states import ARROWS, TERMINAL, EventKind, JobStatus, Verb
from jobs.store.origin import enqueued_by
from jobs.store.values import InsertedJob, NewEvent, NewJob, Outcome, Written


def insert_jobs(using: str, jobs: Sequence[NewJob]) -> list[InsertedJob | None]:
    inserted = [_insert(using, job) for job in jobs]
    record(
        using,
        [
            NewEvent(
                job_id=row.id,
                kind=EventKind.ENQUEUED,
                from_status="",
                to_status=row.status,
                data=dict(enqueued_by()),
            )
            for row in inserted
            if row is not None
        ],
    )
    return inserted


def _insert(using: str, job: NewJob) -> InsertedJob | None:
    rows = Job.objects.using(using)
    if (
        job.idempotency_key is not None
        and rows.filter(idempotency_key=job.idempotency_key).exists()
    ):
        return None
    # SQLite has no clock but its host's.
    now = timezone.now()
    asked = job.available_at
    if job.delay_seconds is not None:
        asked = now + dt.timedelta(seconds=job.delay_seconds)
    available_at = max(asked or now, now)
    row = rows.create(
        task=job.task,
        queue=job.queue,
        payload=json.loads(job.payload),
        args=json.loads(job.args),
        status=JobStatus.SCHEDULED if available_at > now else JobStatus.QUEUED,
        priority=job.priority,
        max_attempts=job.max_attempts,
        timeout_seconds=job.timeout_seconds,
        available_at=available_at,
        idempotency_key=job.idempotency_key,
        idempotency_hash=job.idempotency_hash,
        created_at=now,
        tasks_backend=job.tasks_backend,
        run_after=asked if job.tasks_backend else None,
    )
    after = None if row.run_after is None else row.run_after.timestamp()
    return InsertedJob(row.pk, row.status, now.timestamp(), after)


def take(
    using: str, job_ids: Sequence[int], *, worker: str, token: uuid.UUID, lease_seconds: float
) -> int:
    sources = ARROWS[Verb.CLAIM].sources
    taken = Job.objects.using(using).filter(pk__in=job_ids, status__in=sources)
    events = [
        NewEvent(
            job_id=job_id,
            kind=EventKind.CLAIMED,
            from_status=status,
            to_status=JobStatus.RUNNING,
            attempt=attempts + 1,
            worker=worker,
            lease_token=token,
        )
        for job_id, status, attempts in taken.values_list("pk", "status", "attempts")
    ]
    count = taken.update(
        status=JobStatus.RUNNING,
        attempts=F("attempts") + 1,
        locked_by=worker,
        lease_token=token,
        lease_expires_at=Now() + dt.timedelta(seconds=lease_seconds),
        started_at=Now(),
        progress=None,
    )
    record(using, events)
    return count


def finish(using: str, outcomes: Sequence[Outcome], worker: str) -> list[Written]:
    written, events = [], []
    for outcome in outcomes:
        running = Job.objects.using(using).filter(
            pk=outcome.job_id, status=JobStatus.RUNNING, lease_token=outcome.token
        )
        job = running.first()
        if job is None:
            continue
        status = _decide(outcome, job)
        if running.update(**_values(outcome, status)) != 1:
            raise DatabaseError(f"job {job.pk} changed inside this transaction")
        written.append(Written(job.pk, outcome.token, status, job.workflow_id))
        events.append(
            NewEvent(
                job_id=job.pk,
                kind=ARROWS[outcome.verb].event,
                from_status=JobStatus.RUNNING,
                to_status=status,
                attempt=job.attempts,
                worker=worker,
                lease_token=outcome.token,
                data=outcome.data,
            )
        )
    record(using, events)
    return written


def _decide(outcome: Outcome, job: Job) -> JobStatus:
    """The same decision as in `postgres._FINISH`."""
    if outcome.verb is Verb.SUCCEED:
        return JobStatus.SUCCEEDED
    if outcome.verb is Verb.CANCEL or job.cancel_requested_at is not None:
        return JobStatus.CANCELLED
    spent = outcome.permanent or job.attempts >= job.max_attempts
    if outcome.verb is not Verb.RELEASE and spent:
        return JobStatus.FAILED
    return JobStatus.SCHEDULED if outcome.delay_seconds > 0 else JobStatus.QUEUED


def _values(outcome: Outcome, status: JobStatus) -> dict[str, Any]:
    values: dict[str, Any] = {
        "status": status,
        "finished_at": Now() if status in TERMINAL else None,
        "result": None if outcome.result is None else json.loads(outcome.result),
        "locked_by": "",
        "lease_token": None,
        "lease_expires_at": None,
    }
    if status is JobStatus.SCHEDULED:
        values["available_at"] = timezone.now() + dt.timedelta(seconds=outcome.delay_seconds)
    if outcome.verb is Verb.RELEASE:
        values["attempts"] = F("attempts") - 1
    if outcome.verb in (Verb.FAIL, Verb.RESCUE, Verb.SUCCEED):
        values |= {"error": outcome.error, "error_fingerprint": outcome.fingerprint}
    return values


def record(using: str, events: Sequence[NewEvent]) -> None:
    ids = {event.job_id for event in events}
    kept = set(Job.objects.using(using).filter(pk__in=ids).values_list("pk", flat=True))
    JobEvent.objects.using(using).bulk_create(
        JobEvent(
            job_id=event.job_id,
            kind=event.kind,
            from_status=event.from_status,
            to_status=event.to_status,
            attempt=event.attempt,
            worker=event.worker,
            lease_token=event.lease_token,
            data=event.data,
        )
        for event in events
        if event.job_id in kept
    )


def statement_timeout(using: str, seconds: float) -> None:
    """SQLite has none."""
