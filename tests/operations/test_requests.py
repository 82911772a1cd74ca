"""What may be asked for, and what a second request with the same key gives."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction

from jobs.errors import (
    CountMismatch,
    IdempotencyConflict,
    InvalidInput,
    OperationEnded,
    OperationNotFound,
)
from jobs.models import Job, Operation
from jobs.operations import requests
from jobs.operations.requests import MAX_IDS, OperationSpec
from jobs.states import BulkAction
from tests.operations.helpers import ask, enqueue
from tests.support import factories
from tests.support.factories import USING
from tests.support.threads import together

pytestmark = pytest.mark.usefixtures("committed_db")


def spec(**fields: Any) -> OperationSpec:
    plain: dict[str, Any] = {"action": BulkAction.CANCEL, "filter": {"queue": "mail"}}
    return OperationSpec(**plain | fields)


def test_it_is_stored_with_the_job_that_carries_it_out() -> None:
    operation = requests.create(USING, spec(actor="ada", reason="why")).operation
    assert (operation.status, operation.matched, operation.done) == ("pending", None, 0)
    assert (operation.actor, operation.reason) == ("ada", "why")
    job = Job.objects.get(pk=operation.runner_job_id)
    assert (job.task, job.payload) == ("qforge.run_operation", {"operation": operation.pk})


def test_its_queue_is_a_setting(settings: Any) -> None:
    settings.QFORGE = {"OPERATIONS_QUEUE": "tending"}
    operation = requests.create(USING, spec()).operation
    assert Job.objects.get(pk=operation.runner_job_id).queue == "tending"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"filter": None}, "filter"),
        ({"ids": [1]}, "filter"),
        ({"filter": None, "ids": []}, "ids"),
        ({"filter": None, "ids": "1"}, "ids"),
        ({"filter": None, "ids": [0]}, "ids[0]"),
        ({"filter": None, "ids": [1, 2**63]}, "ids[1]"),
        ({"filter": None, "ids": [True]}, "ids[0]"),
        ({"filter": None, "ids": [1] * (MAX_IDS + 1)}, "ids"),
        ({"rate_per_second": 0}, "rate_per_second"),
        ({"rate_per_second": float("nan")}, "rate_per_second"),
        ({"rate_per_second": 10_001}, "rate_per_second"),
        ({"rate_per_second": True}, "rate_per_second"),
        ({"expected_count": -1}, "expected_count"),
        ({"expected_count": 1.5}, "expected_count"),
        ({"reason": "x" * 501}, "reason"),
        ({"idempotency_key": ""}, "idempotency_key"),
    ],
)
def test_what_cannot_be_is_refused_by_name(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        requests.create(USING, spec(**fields))
    assert refused.value.field == field
    assert not Operation.objects.exists()


def test_a_preview_counts_and_touches_nothing() -> None:
    enqueue(3, queue="mail")
    enqueue(1)
    count, rows = requests.preview(USING, spec())
    assert (count.count, count.exact) == (3, True)
    assert {job.queue for job in rows} == {"mail"}
    assert not Operation.objects.exists()


def test_more_jobs_than_expected_are_refused_and_fewer_are_fine() -> None:
    enqueue(3, queue="mail")
    with pytest.raises(CountMismatch):
        requests.create(USING, spec(expected_count=2))
    assert not Operation.objects.exists()
    assert requests.create(USING, spec(expected_count=3)).created
    assert requests.create(USING, spec(expected_count=4)).created


def test_a_key_gives_the_operation_it_had_and_refuses_another() -> None:
    first = requests.create(USING, spec(idempotency_key="k", reason="one"))
    again = requests.create(USING, spec(idempotency_key="k", reason="two"))
    assert (again.operation.pk, again.created) == (first.operation.pk, False)
    with pytest.raises(IdempotencyConflict, match=f"belongs to operation {first.operation.pk}"):
        requests.create(USING, spec(idempotency_key="k", action=BulkAction.RETRY))
    assert Job.objects.count() == 1


@pytest.mark.postgres
def test_of_many_with_one_key_at_once_one_makes_the_operation() -> None:
    found = together([lambda: requests.create(USING, spec(idempotency_key="k"))] * 6)
    assert sorted(one.created for one in found) == [False] * 5 + [True]
    assert Operation.objects.count() == 1


def test_one_that_has_ended_cannot_be_cancelled() -> None:
    operation = ask("cancel")
    requests.cancel(USING, operation.pk)
    with pytest.raises(OperationEnded, match="is cancelled; it cannot cancel"):
        requests.cancel(USING, operation.pk)
    with pytest.raises(OperationNotFound):
        requests.cancel(USING, 10**9)


def test_a_request_that_is_undone_leaves_neither_operation_nor_job() -> None:
    factories.job()
    with transaction.atomic():
        requests.create(USING, spec())
        transaction.set_rollback(True)
    assert not Operation.objects.exists()
    assert Job.objects.count() == 1
