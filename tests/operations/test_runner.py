"""The job that carries an operation out: in turns, at a rate, past what the database refuses."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError

from jobs import lifecycle
from jobs.context import JobContext
from jobs.errors import Cancel, Snooze
from jobs.models import Job, JobEvent, Operation
from jobs.operations import batch, requests, runner
from jobs.operations.requests import OperationSpec
from jobs.states import BulkAction
from tests.operations.helpers import ask, counts, enqueue, reasons, reread, statuses
from tests.support import factories
from tests.support.factories import USING
from tests.support.live import running_pool
from tests.support.triggers import becomes, raising, trigger
from tests.support.waiting import wait_until

pytestmark = pytest.mark.usefixtures("committed_db")


def context(attempt: int = 1) -> JobContext:
    return JobContext(
        job_id=1,
        task=runner.RUNNER,
        queue="default",
        attempt=attempt,
        max_attempts=20,
        timeout_seconds=None,
    )


def run(operation: Operation, given: JobContext | None = None) -> Any:
    return runner.run_operation(operation.pk, given or context())


def test_it_returns_what_became_of_the_jobs() -> None:
    enqueue(3)
    operation = ask("cancel")
    told = {"matched": 3, "done": 3, "also_changed": 0, "skipped": 0, "failed": 0}
    assert run(operation) == {"status": "succeeded", **told}
    assert run(operation)["done"] == 3


def test_after_a_while_others_have_a_turn_and_it_goes_on_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runner, "SLICE_SECONDS", 0.0)
    monkeypatch.setattr(runner, "BATCH", 2)
    enqueue(5)
    operation = ask("cancel")
    given = context()
    with pytest.raises(Snooze) as snoozed:
        run(operation, given)
    assert 0 < snoozed.value.seconds < 1
    assert given._progress == {"percent": 40.0, "message": ""}
    for _ in range(2):
        with pytest.raises(Snooze):
            run(operation)
    assert run(operation)["done"] == 5


def test_a_rate_is_kept_to_by_waiting_between_batches() -> None:
    enqueue(3)
    slow = ask("cancel", rate_per_second=0.1)
    with pytest.raises(Snooze) as snoozed:
        run(slow)
    assert snoozed.value.seconds == 10
    assert reread(slow).done == 1
    quick = ask("cancel", rate_per_second=1000)
    assert run(quick)["done"] == 2


def test_when_its_job_is_cancelled_so_is_the_operation() -> None:
    enqueue(3)
    operation = ask("cancel")
    given = context()
    given._cancel.set()
    with pytest.raises(Cancel):
        run(operation, given)
    found = reread(operation)
    assert (found.status, found.cancel_reason) == ("cancelled", "its job was cancelled")
    assert Job.objects.filter(status="queued").count() == 3


def test_one_that_has_lost_its_lease_does_nothing_more() -> None:
    enqueue(3)
    operation = ask("cancel")
    given = context()
    given._lost.set()
    with pytest.raises(Cancel):
        run(operation, given)
    assert reread(operation).status == "pending"


@pytest.mark.postgres
def test_a_job_that_the_database_refuses_is_reported_and_passed() -> None:
    jobs = enqueue(9)
    operation = ask("cancel")
    with trigger(becomes("cancelled", jobs[4].id), raising("23514")):
        assert run(operation)["status"] == "succeeded"
    assert counts(reread(operation)) == (9, 8, 0, 1)
    assert reasons(operation)[jobs[4].id].startswith("injected")
    assert statuses(*jobs) == ["cancelled"] * 4 + ["queued"] + ["cancelled"] * 4
    assert JobEvent.objects.filter(kind="cancelled").count() == 8


@pytest.mark.postgres
def test_what_may_pass_by_itself_is_tried_again_and_blames_no_job() -> None:
    enqueue(3)
    operation = ask("cancel")
    with (
        trigger(becomes("cancelled"), raising("40001", times=1)),
        pytest.raises(DatabaseError),
    ):
        run(operation)
    assert counts(reread(operation)) == (None, 0, 0, 0)
    assert run(operation)["done"] == 3


@pytest.mark.postgres
def test_the_last_attempt_says_why_it_failed_and_a_retry_of_its_job_goes_on() -> None:
    enqueue(3)
    operation = ask("cancel")
    with trigger(becomes("cancelled"), raising("57014")), pytest.raises(DatabaseError):
        run(operation, context(attempt=20))
    found = reread(operation)
    assert found.status == "failed"
    assert "injected" in found.error
    assert run(operation) == run(operation) | {"status": "succeeded", "done": 3}
    assert reread(operation).error == ""


@pytest.mark.postgres
def test_a_pool_carries_it_out_while_other_jobs_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "BATCH", 100)
    factories.jobs(1000, "failed", queue="nobody")
    spec = OperationSpec(action=BulkAction.RETRY, filter={"status": ["failed"]}, actor="ada")
    with running_pool(queues=("default",)):
        operation = requests.create(USING, spec).operation
        wait_until(lambda: reread(operation).status == "succeeded", seconds=30)
        wait_until(lambda: Job.objects.get(pk=operation.runner_job_id).status == "succeeded")
    assert counts(reread(operation)) == (1000, 1000, 0, 0)
    assert Job.objects.filter(queue="nobody", status="queued", attempts=0).count() == 1000


def test_the_operation_is_not_lost_when_its_job_has_to_be_rescued() -> None:
    enqueue(3)
    spec = OperationSpec(action=BulkAction.CANCEL, filter={})
    operation = requests.create(USING, spec).operation
    held = {job.id: job for job in factories.claim(10)}
    assert operation.runner_job_id in held
    batch.run(USING, operation.pk, limit=1)
    Job.objects.filter(pk=operation.runner_job_id).update(lease_expires_at="2000-01-01T00:00Z")
    lifecycle.rescue(USING, limit=10, worker="w")
    row = Job.objects.get(pk=operation.runner_job_id)
    assert (row.status, row.attempts) == ("scheduled", 1)
    run(operation)
    assert reread(operation).status == "succeeded"
