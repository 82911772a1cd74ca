from __future__ import annotations

import datetime as dt

import pytest
from django.db.models.functions import Now

from jobs.models import Operation, OperationItem
from jobs.store import operations
from tests.support.factories import USING

pytestmark = pytest.mark.django_db

DAY = 86_400.0


def ended(days: float | None) -> int:
    """An operation with an item that ended so long ago; None for one that goes on."""
    plain = {"action": "retry", "filter": {}, "snapshot": "1:1:", "max_job_id": 0}
    if days is not None:
        at = Now() - dt.timedelta(days=days)
        plain |= {"status": "succeeded", "started_at": at, "finished_at": at}
    row = Operation.objects.create(**plain)
    OperationItem.objects.create(operation=row, job_id=1, outcome="skipped", reason="no")
    return row.pk


def left() -> list[int]:
    ids = list(Operation.objects.order_by("pk").values_list("pk", flat=True))
    assert list(OperationItem.objects.order_by("pk").values_list("operation_id", flat=True)) == ids
    return ids


def test_operations_past_their_age_are_pruned_with_their_items() -> None:
    _, new, goes_on = ended(31), ended(29), ended(None)
    assert operations.prune(USING, age_seconds=30 * DAY, limit=10) == 1
    assert left() == [new, goes_on]


def test_no_more_are_pruned_than_asked_for() -> None:
    rows = [ended(31) for _ in range(3)]
    assert operations.prune(USING, age_seconds=30 * DAY, limit=2) == 2
    assert left() == rows[2:]


def test_without_an_age_they_are_kept() -> None:
    row = ended(10_000)
    assert operations.prune(USING, age_seconds=None, limit=10) == 0
    assert left() == [row]
