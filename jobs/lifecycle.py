"""The verbs. Each is one transaction on the queue's database, and each leaves an event."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.db import transaction
from django.db.models.functions import Now

from jobs import fingerprint, registry
from jobs.errors import IllegalTransition, JobNotFound
from jobs.fingerprint import Failure
from jobs.models import Job
from jobs.specs import words
from jobs.states import ARROWS, EventKind, JobStatus, Verb, allowed_verbs
from jobs.store import audit, claim, error_groups, leases, notify, told, transitions, workflows
from jobs.store import enqueue as insertion
from jobs.store.bookmarks import Bookmarks
from jobs.store.literals import literal
from jobs.store.values import Claimed, EnqueuedJob, NewJob, Outcome, Written, failed
from jobs.workflows import advance, closing, revival

LEASE_EXPIRED = "lease expired: the worker died, lost the database or was stopped"


def enqueue(using: str, jobs: Sequence[NewJob]) -> list[EnqueuedJob]:
    """Insert all or none, inside the caller's transaction when there is one."""
    return insertion.insert(using, jobs)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRequest:
    """What a pool asks for. `queues` None means all."""

    queues: Sequence[str] | None
    limit: int
    choose: claim.Choose
    token: uuid.UUID
    lease_seconds: float
    ahead: claim.Ahead | None = None
    bookmarks: Bookmarks | None = None


@dataclass(frozen=True, slots=True)
class Exchanged:
    written: list[Written] = field(default_factory=list)
    claimed: list[Claimed] = field(default_factory=list)


def exchange(
    using: str, outcomes: Sequence[Outcome], request: ClaimRequest | None, *, worker: str
) -> Exchanged:
    """Write outcomes and claim jobs for whoever is free, in one transaction."""
    with transaction.atomic(using=using):
        written, failures = _finish(using, outcomes, worker)
        claimed = [] if request is None else _claim(using, request, worker)
        error_groups.count(using, failures)
        return Exchanged(written, claimed)


def _claim(using: str, request: ClaimRequest, worker: str) -> list[Claimed]:
    taken = claim.claim(
        using,
        queues=request.queues,
        limit=request.limit,
        choose=request.choose,
        worker=worker,
        token=request.token,
        lease_seconds=request.lease_seconds,
        ahead=request.ahead,
        bookmarks=request.bookmarks,
    )
    if taken.emptied:
        notify.withdraw(using, request.queues)
    return taken.jobs


def _finish(
    using: str, outcomes: Sequence[Outcome], worker: str
) -> tuple[list[Written], list[Failure]]:
    """What was written, and the failures that the caller counts at the end of its transaction."""
    outcomes = advance.before(using, outcomes)
    written = transitions.finish(using, outcomes, worker)
    advance.after(using, written)
    _wake(using, written)
    failed = {(o.job_id, o.token): o.failure for o in outcomes if o.failure is not None}
    if not failed:
        return written, []
    # One that was asked to stop failed because of that, as like as not.
    ended = [w for w in written if w.status is not JobStatus.CANCELLED]
    found = [failed.get((w.job_id, w.token)) for w in ended]
    return written, [failure for failure in found if failure is not None]


def _wake(using: str, written: Sequence[Written]) -> None:
    statuses = {row.status for row in written}
    messages = [
        message
        for status, message in (
            (JobStatus.QUEUED, notify.QUEUE),
            (JobStatus.SCHEDULED, notify.SCHEDULED),
        )
        if status in statuses
    ]
    if messages:
        notify.after_commit(using, messages)


def rescue(
    using: str, *, limit: int, worker: str, only: Collection[int] | None = None
) -> list[Written]:
    """End the attempts whose lease has expired, of all jobs or only some: a failed attempt like
    any other."""
    with transaction.atomic(using=using):
        locked = workflows.lock(using, leases.expired_workflows(using, limit=limit, only=only))
        expired = leases.expired(using, limit=limit, workflows=locked, only=only)
        written, failures = _finish(using, [_rescued(row) for row in expired], worker)
        error_groups.count(using, failures)
        return written


def _rescued(row: leases.Expired) -> Outcome:
    task = registry.find(row.task)
    policy = task.backoff if task is not None else None
    if not isinstance(policy, registry.RetryPolicy):
        policy = registry.default_policy()
    return failed(
        row.job_id,
        row.token,
        error=LEASE_EXPIRED,
        delay_seconds=policy.delay_seconds(row.attempt),
        data={
            "reason": "lease expired",
            "lost_worker": row.worker,
            "error": {"message": LEASE_EXPIRED},
        },
        verb=Verb.RESCUE,
        workflow_id=row.workflow_id,
        failure=fingerprint.of_reason(
            row.task, row.queue, exception="LeaseExpired", message=LEASE_EXPIRED
        ),
    )


@dataclass(frozen=True, slots=True)
class Promoted:
    count: int
    next_due_seconds: float | None
    """Until the next scheduled job is due, by the database's clock; None when there is none."""


def promote(using: str, *, limit: int) -> Promoted:
    """Queue up to `limit` scheduled jobs that have become due."""
    scheduled = (
        Job.objects.using(using)
        .filter(status=literal(JobStatus.SCHEDULED))
        .order_by("available_at", "id")
    )
    slim = scheduled.only("pk", "status", "attempts", "queue")
    with transaction.atomic(using=using):
        locking = slim.select_for_update(skip_locked=True, no_key=True)
        due = list(locking.filter(available_at__lte=Now())[:limit])
        if due:
            transitions.change(using, Verb.PROMOTE, due, to_status=JobStatus.QUEUED)
            notify.after_commit(using, {notify.QUEUE + row.queue for row in due})
    following = scheduled.annotate(clock=Now()).values_list("available_at", "clock").first()
    seconds = max((following[0] - following[1]).total_seconds(), 0.0) if following else None
    return Promoted(len(due), seconds)


_LARGEST_ID: Final = 2**63 - 1


def _get_locked(using: str, job_id: int) -> Job:
    # SQLite raises another error for a number that no id can be.
    if not 0 < job_id <= _LARGEST_ID:
        raise JobNotFound(job_id)
    advance.lock_of(using, job_id)
    try:
        return Job.objects.using(using).select_for_update(no_key=True).get(pk=job_id)
    except Job.DoesNotExist:
        raise JobNotFound(job_id) from None


def _require(job: Job, verb: Verb) -> None:
    if job.status not in ARROWS[verb].sources:
        status = JobStatus(job.status)
        raise IllegalTransition(job.pk, verb, status, tuple(allowed_verbs(status)))


def cancel(using: str, job_id: int, *, actor: str, reason: str) -> Job:
    """Cancel a waiting job at once; ask a running one to stop.

    A running job that has been asked ends `cancelled` unless its handler succeeds all the same;
    asking again changes nothing. Raises JobNotFound, and IllegalTransition for a finished job.
    """
    data = words(actor, reason)
    with transaction.atomic(using=using):
        job = _get_locked(using, job_id)
        _require(job, Verb.CANCEL)
        if job.status != JobStatus.RUNNING:
            stopped = transitions.STOPPED
            transitions.change(
                using, Verb.CANCEL, [job], to_status=JobStatus.CANCELLED, values=stopped, data=data
            )
            told.cancelled_after_commit(using, [job])
            if job.workflow_id is not None:
                closing.close(using, dead=[job_id])
        elif job.cancel_requested_at is None:
            Job.objects.using(using).filter(pk=job_id).update(cancel_requested_at=Now())
            transitions.note(using, [job], EventKind.CANCEL_REQUESTED, data)
            notify.after_commit(using, [notify.CANCEL])
        changed = Job.objects.using(using).get(pk=job_id)
        _note(using, "job.cancel", job, changed, reason)
        return changed


def retry(using: str, job_id: int, *, actor: str, reason: str) -> Job:
    """Queue a failed or cancelled job anew, with its whole attempt budget.

    Raises JobNotFound, and IllegalTransition from any other status, so of many callers at once
    exactly one succeeds.
    """
    data = words(actor, reason)
    with transaction.atomic(using=using):
        job = _get_locked(using, job_id)
        _require(job, Verb.RETRY)
        if job.workflow_id is not None:
            revival.retry_step(using, job, data)
        else:
            fresh = transitions.FRESH
            transitions.change(
                using, Verb.RETRY, [job], to_status=JobStatus.QUEUED, values=fresh, data=data
            )
            notify.after_commit(using, [notify.QUEUE + job.queue])
        changed = Job.objects.using(using).get(pk=job_id)
        _note(using, "job.retry", job, changed, reason)
        return changed


def run_now(using: str, job_id: int, *, actor: str, reason: str = "run now") -> Job:
    """Queue a scheduled job before its time. Raises JobNotFound or IllegalTransition."""
    with transaction.atomic(using=using):
        job = _get_locked(using, job_id)
        _require(job, Verb.PROMOTE)
        values, data = {"available_at": Now()}, words(actor, reason)
        transitions.change(
            using, Verb.PROMOTE, [job], to_status=JobStatus.QUEUED, values=values, data=data
        )
        notify.after_commit(using, [notify.QUEUE + job.queue])
        changed = Job.objects.using(using).get(pk=job_id)
        _note(using, "job.run-now", job, changed, reason)
        return changed


def _note(using: str, action: str, before: Job, after: Job, reason: str) -> None:
    old, new = audit.changed({"status": before.status}, {"status": after.status})
    audit.record(using, action, after.pk, reason=reason, before=old, after=new)
