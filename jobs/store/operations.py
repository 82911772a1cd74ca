"""Deleting operations past their age, with what they say of single jobs."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.db.models.functions import Now

from jobs.models import Operation, OperationItem


def prune(using: str, *, age_seconds: float | None, limit: int) -> int:
    """Delete up to `limit` operations that ended over `age_seconds` ago; returns how many.

    None keeps them.
    """
    if age_seconds is None:
        return 0
    old = Operation.objects.using(using).filter(
        finished_at__lt=Now() - dt.timedelta(seconds=age_seconds)
    )
    with transaction.atomic(using=using):
        locking = old.order_by("id").select_for_update(skip_locked=True)
        ids = list(locking.values_list("pk", flat=True)[:limit])
        # Row by row cascades in Python would load every item first.
        OperationItem.objects.using(using).filter(operation_id__in=ids)._raw_delete(using)
        Operation.objects.using(using).filter(pk__in=ids)._raw_delete(using)
    return len(ids)
