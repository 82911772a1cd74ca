"""Deleting finished jobs with their events, in small batches."""

from __future__ import annotations

import datetime as dt

from django.db import connections, transaction
from django.db.models.functions import Now

from jobs.models import Job, JobEvent
from jobs.states import TERMINAL, JobStatus


def prune_batch(using: str, status: JobStatus, *, age_seconds: float, limit: int) -> int:
    """Delete up to `limit` jobs that ended as `status` longer ago than `age_seconds`; returns how many.

    Raises ValueError for a status that is not final.
    """
    if status not in TERMINAL:
        raise ValueError(f"only finished jobs are pruned, not {status} ones")
    with transaction.atomic(using=using):
        old = (
            Job.objects.using(using)
            .filter(status=status, finished_at__lt=Now() - dt.timedelta(seconds=age_seconds))
            .order_by("finished_at")
        )
        if connections[using].features.has_select_for_update_skip_locked:
            old = old.select_for_update(skip_locked=True)
        ids = list(old.values_list("pk", flat=True)[:limit])
        # Row by row cascades in Python would load every event first.
        events = JobEvent.objects.using(using).filter(job_id__in=ids)
        events._raw_delete(using)
        Job.objects.using(using).filter(pk__in=ids)._raw_delete(using)
    return len(ids)
