"""Deleting finished jobs with their events, in small batches, and finished workflows as a whole."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import Sum
from django.db.models.functions import Now

from jobs.models import Dependency, Job, JobEvent, Workflow
from jobs.states import TERMINAL, JobStatus
from jobs.store.literals import literal


def prune_batch(using: str, status: JobStatus, *, age_seconds: float, limit: int) -> int:
    """Delete up to `limit` jobs that ended as `status` over `age_seconds` ago; returns how many.

    Steps go with their workflow, when that has ended as `status` so long ago: a step is needed as
    long as another may read its result. The last workflow may take the number above `limit`.
    Raises ValueError for a status that is not final.
    """
    if status not in TERMINAL:
        raise ValueError(f"only finished jobs are pruned, not {status} ones")
    with transaction.atomic(using=using):
        old = _old_jobs(using, status, age_seconds)
        ids = list(old.select_for_update(skip_locked=True).values_list("pk", flat=True)[:limit])
        delete_jobs(using, ids)
        if len(ids) < limit:
            ids += _prune_workflows(using, status, age_seconds, limit - len(ids))
    return len(ids)


def count_old(using: str, status: JobStatus, *, age_seconds: float, limit: int) -> int:
    """How many jobs `prune_batch` would delete in all, counted up to `limit`."""
    plain = _old_jobs(using, status, age_seconds)[:limit].count()
    workflows = _old_workflows(using, status, age_seconds).values("steps")[:limit]
    steps = workflows.aggregate(all=Sum("steps", default=0))["all"]
    return int(min(plain + steps, limit))


def _old_jobs(using: str, status: JobStatus, age_seconds: float) -> Any:
    """The oldest first, as the index of finished jobs has them."""
    old = Job.objects.using(using).filter(
        status=literal(status),
        finished_at__lt=Now() - dt.timedelta(seconds=age_seconds),
        workflow__isnull=True,
    )
    return old.order_by("finished_at")


def _old_workflows(using: str, status: JobStatus, age_seconds: float) -> Any:
    # Workflows end in the words of jobs.
    old = Workflow.objects.using(using).filter(
        status=status.value, finished_at__lt=Now() - dt.timedelta(seconds=age_seconds)
    )
    return old.order_by("finished_at")


def _prune_workflows(using: str, status: JobStatus, age_seconds: float, wanted: int) -> list[int]:
    """Delete workflows until so many steps are gone; locked first, so no retry comes between."""
    old = _old_workflows(using, status, age_seconds)
    rows = old.select_for_update(skip_locked=True).values_list("pk", "steps")[:wanted]
    chosen, steps = [], 0
    for pk, count in rows:
        chosen.append(pk)
        steps += count
        if steps >= wanted:
            break
    ids = list(Job.objects.using(using).filter(workflow_id__in=chosen).values_list("pk", flat=True))
    Dependency.objects.using(using).filter(child_id__in=ids)._raw_delete(using)
    delete_jobs(using, ids)
    Workflow.objects.using(using).filter(pk__in=chosen)._raw_delete(using)
    return ids


def delete_jobs(using: str, ids: Sequence[int]) -> None:
    """Delete these jobs with their events. The caller holds them, and they have ended."""
    # Row by row cascades in Python would load every event first.
    JobEvent.objects.using(using).filter(job_id__in=ids)._raw_delete(using)
    Job.objects.using(using).filter(pk__in=ids)._raw_delete(using)
