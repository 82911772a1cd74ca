"""Leases: proof that the worker of a running job lives, renewed while it does."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from jobs.models import Job, JobEvent
from jobs.payload import clean_text
from jobs.states import EventKind, JobStatus
from jobs.store.literals import literal

_MESSAGE_CHARS: Final = 200
_BATCH: Final = 1000
"""Leases in one transaction of a renewal: outcomes of these jobs wait for its end."""


@dataclass(frozen=True, slots=True)
class Renewal:
    """The answer to a renewal: jobs to stop, and jobs that are no longer ours."""

    cancel_requested: frozenset[int]
    lost: frozenset[int]


def renew(using: str, held: Mapping[int, uuid.UUID], *, lease_seconds: float) -> Renewal:
    """Renew the leases of `held` (job id to token) from now on.

    A lease that ran out but was not rescued yet is renewed too: its token still holds, and after
    an outage of the database that spares every live job a second run. A row that somebody has
    locked at this moment is left for the next renewal, so this never waits and never deadlocks.
    """
    cancelled: set[int] = set()
    lost: set[int] = set()
    ids = sorted(held)
    for start in range(0, len(ids), _BATCH):
        renewal = _renew({pk: held[pk] for pk in ids[start : start + _BATCH]}, using, lease_seconds)
        cancelled |= renewal.cancel_requested
        lost |= renewal.lost
    return Renewal(cancel_requested=frozenset(cancelled), lost=frozenset(lost))


def _renew(held: Mapping[int, uuid.UUID], using: str, lease_seconds: float) -> Renewal:
    with transaction.atomic(using=using):
        rows = Job.objects.using(using).filter(pk__in=held, status=JobStatus.RUNNING)
        fields = ("pk", "lease_token", "cancel_requested_at")
        locking = rows.order_by("pk").select_for_update(skip_locked=True, no_key=True)
        locked = [row for row in locking.values_list(*fields) if row[1] == held[row[0]]]
        Job.objects.using(using).filter(pk__in=[row[0] for row in locked]).update(
            lease_expires_at=Now() + dt.timedelta(seconds=lease_seconds)
        )
    missing = held.keys() - {row[0] for row in locked}
    if missing:
        still = rows.filter(pk__in=missing).values_list("pk", "lease_token")
        missing -= {pk for pk, token in still if token == held[pk]}
    return Renewal(
        cancel_requested=frozenset(row[0] for row in locked if row[2] is not None),
        lost=frozenset(missing),
    )


def save_progress(
    using: str, held: Mapping[int, uuid.UUID], progress: Mapping[int, dict[str, Any]]
) -> None:
    """Store what handlers said of their progress, under their tokens.

    As with renewals, a row that somebody has locked is passed over: a handler that locks its own
    job must not stop the heartbeat of all the others.
    """
    rows = Job.objects.using(using).filter(pk__in=progress, status=JobStatus.RUNNING)
    locking = rows.order_by("pk").select_for_update(skip_locked=True, no_key=True)
    with transaction.atomic(using=using):
        for job_id, token in list(locking.values_list("pk", "lease_token")):
            if token == held[job_id]:
                said = progress[job_id] | {"message": _storable(progress[job_id])}
                Job.objects.using(using).filter(pk=job_id).update(progress=said)


def _storable(progress: Mapping[str, Any]) -> str:
    return clean_text(str(progress.get("message", "")), _MESSAGE_CHARS)


@dataclass(frozen=True, slots=True)
class Expired:
    job_id: int
    token: uuid.UUID
    task: str
    attempt: int
    worker: str
    workflow_id: int | None
    queue: str


def _expired(using: str, only: Collection[int] | None) -> Any:
    running = Job.objects.using(using).filter(status=literal(JobStatus.RUNNING))
    if only is not None:
        running = running.filter(pk__in=only)
    return running.filter(lease_expires_at__lt=Now()).order_by("lease_expires_at")


def wait_until_writable(using: str) -> None:
    """Return when rows of jobs can be updated: waits, as renewals do, while the table is locked."""
    # No job has this id, but the update takes the same lock on the table as one of a row.
    Job.objects.using(using).filter(pk=0).update(lease_expires_at=None)


def expired_ids(using: str, *, limit: int) -> list[int]:
    """The next jobs to rescue, looked at without a lock."""
    return list(_expired(using, None).values_list("pk", flat=True)[:limit])


def expired_workflows(using: str, *, limit: int, only: Collection[int] | None = None) -> set[int]:
    """The workflows of the next jobs to rescue: they are locked before any job is."""
    rows = _expired(using, only).values_list("workflow_id", flat=True)
    return {pk for pk in rows[:limit] if pk is not None}


def expired(
    using: str,
    *,
    limit: int,
    workflows: Collection[int] = (),
    only: Collection[int] | None = None,
) -> list[Expired]:
    """Lock up to `limit` running jobs whose lease has run out; must run inside a transaction.

    Of the steps of workflows, only those whose workflow is among `workflows`, locked by the caller.
    """
    rows: Any = (
        _expired(using, only)
        .filter(Q(workflow__isnull=True) | Q(workflow__in=workflows))
        .select_for_update(skip_locked=True, no_key=True)
        .values_list("pk", "lease_token", "task", "attempts", "locked_by", "workflow_id", "queue")
    )
    return [Expired(*row) for row in rows[:limit]]


def ended(using: str, job_ids: Sequence[int]) -> set[tuple[int, uuid.UUID | None, str]]:
    """How attempts of these jobs have ended, by their events: (job id, token, kind)."""
    not_ends = (EventKind.CLAIMED, EventKind.LEASE_LOST)
    return set(
        JobEvent.objects.using(using)
        .filter(job_id__in=job_ids, lease_token__isnull=False)
        .exclude(kind__in=not_ends)
        .values_list("job_id", "lease_token", "kind")
    )
