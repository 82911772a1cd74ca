"""Leases: proof that the worker of a running job is alive, renewed while it is and found when not."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connections, transaction
from django.db.models.functions import Now

from jobs.models import Job, JobEvent
from jobs.states import EventKind, JobStatus


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
    with transaction.atomic(using=using):
        rows = Job.objects.using(using).filter(pk__in=held, status=JobStatus.RUNNING)
        fields = ("pk", "lease_token", "cancel_requested_at")
        locking = rows.order_by("pk")
        if connections[using].features.has_select_for_update_skip_locked:
            locking = locking.select_for_update(skip_locked=True)
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
    """Store what handlers said of their progress, under their tokens."""
    for job_id in sorted(progress):
        Job.objects.using(using).filter(
            pk=job_id, status=JobStatus.RUNNING, lease_token=held[job_id]
        ).update(progress=progress[job_id])


@dataclass(frozen=True, slots=True)
class Expired:
    job_id: int
    token: uuid.UUID
    task: str
    attempt: int
    worker: str


def expired(using: str, *, limit: int) -> list[Expired]:
    """Lock up to `limit` running jobs whose lease has run out; must run inside a transaction."""
    rows = Job.objects.using(using).filter(status=JobStatus.RUNNING, lease_expires_at__lt=Now())
    if connections[using].features.has_select_for_update_skip_locked:
        rows = rows.select_for_update(skip_locked=True)
    columns = ("pk", "lease_token", "task", "attempts", "locked_by")
    return [
        Expired(*row) for row in rows.order_by("lease_expires_at").values_list(*columns)[:limit]
    ]


def finished_tokens(using: str, job_ids: Sequence[int]) -> set[tuple[int, uuid.UUID | None]]:
    """Which attempts of these jobs have ended, by their events: (job id, token)."""
    ends = [kind for kind in EventKind if kind not in (EventKind.CLAIMED, EventKind.LEASE_LOST)]
    return set(
        JobEvent.objects.using(using)
        .filter(job_id__in=job_ids, kind__in=ends, lease_token__isnull=False)
        .values_list("job_id", "lease_token")
    )
