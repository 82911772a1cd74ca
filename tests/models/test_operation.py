"""What the database refuses of operations."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from jobs.models import Operation, OperationItem

pytestmark = pytest.mark.django_db


def operation(**fields: Any) -> Operation:
    plain = {"action": "retry", "filter": {}, "snapshot": "1:1:", "max_job_id": 0}
    return Operation.objects.create(**plain | fields)


def refused(make: Any, constraint: str) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        make()


@pytest.mark.parametrize(
    ("constraint", "fields"),
    [
        ("choices_known", {"action": "explode"}),
        ("choices_known", {"status": "done"}),
        ("filter_or_ids", {"job_ids": [1]}),
        ("filter_or_ids", {"filter": None}),
        ("times", {"started_at": Now()}),
        ("times", {"finished_at": Now()}),
        ("times", {"status": "running"}),
        ("times", {"status": "running", "started_at": Now(), "finished_at": Now()}),
        ("times", {"status": "succeeded", "started_at": Now()}),
        ("times", {"status": "succeeded", "finished_at": Now()}),
        ("times", {"status": "cancelled"}),
        ("counts_not_negative", {"matched": -1}),
        ("counts_not_negative", {"done": -1}),
        ("counts_not_negative", {"also_changed": -1}),
        ("counts_not_negative", {"skipped": -1}),
        ("counts_not_negative", {"failed": -1}),
        ("counts_not_negative", {"last_job_id": -1}),
        ("counts_not_negative", {"max_job_id": -1}),
        ("rate_in_range", {"rate_per_second": 0}),
        ("rate_in_range", {"rate_per_second": 10_001}),
        ("error_of_failed", {"error": "no"}),
        ("cancel_of_cancelled", {"cancelled_by": "ada"}),
        ("cancel_of_cancelled", {"cancel_reason": "no"}),
    ],
)
def test_an_operation_cannot_be_what_no_code_writes(
    constraint: str, fields: dict[str, Any]
) -> None:
    refused(lambda: operation(**fields), f"job_operations_{constraint}")


def test_a_key_belongs_to_one_operation() -> None:
    operation(idempotency_key="k")
    operation()
    operation()
    refused(lambda: operation(idempotency_key="k"), "idempotency_key")


def test_an_item_says_what_became_of_its_job_and_why() -> None:
    row = operation()

    def item(**fields: Any) -> OperationItem:
        plain = {"operation": row, "job_id": 1, "outcome": "skipped", "reason": "gone"}
        return OperationItem.objects.create(**plain | fields)

    refused(lambda: item(outcome="done"), "job_operation_items_outcome_known")
    refused(lambda: item(reason=""), "job_operation_items_outcome_known")
    item()
    refused(item, "job_id")


def test_it_says_what_it_is() -> None:
    row = operation()
    assert str(row) == f"retry #{row.pk} (pending)"
    item = OperationItem(operation=row, job_id=7, outcome="failed", reason="no")
    assert str(item) == "job 7 failed"
