"""What a batch does: to which jobs, with what said of it, and no further than its cursor."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection, transaction

from jobs import lifecycle
from jobs.models import Job, JobEvent, Operation
from jobs.operations import batch, requests
from jobs.states import BulkAction, JobStatus, open_to
from tests.operations.helpers import (
    ask,
    carry_out,
    counts,
    do,
    enqueue,
    reasons,
    reread,
    statuses,
)
from tests.support import factories
from tests.support.database import statements
from tests.support.factories import USING

pytestmark = pytest.mark.usefixtures("committed_db")


def fail_all() -> None:
    """Claim everything that is queued and let it fail for good."""
    held = factories.claim(1000)
    rows = Job.objects.in_bulk([job.id for job in held])
    factories.finish(*(factories.failed(rows[job.id], delay_seconds=None) for job in held))


@pytest.mark.parametrize("action", list(BulkAction))
def test_only_jobs_in_a_status_the_action_may_start_from_are_touched(action: BulkAction) -> None:
    rows = {status: factories.job(status) for status in JobStatus if status != "blocked"}
    before = {row.pk: factories.snapshot(row.pk) for row in rows.values()}
    operation = do(action)
    after = {row.pk: factories.snapshot(row.pk) for row in rows.values()}
    touched = {status for status, row in rows.items() if before[row.pk] != after[row.pk]}
    assert touched == set(open_to(action)) - {"blocked"}
    assert counts(operation) == (len(touched), len(touched), 0, 0)
    assert operation.status == "succeeded"


def test_every_change_remembers_who_why_and_by_which_operation() -> None:
    waiting = enqueue(1)[0]
    running = factories.job(JobStatus.RUNNING)
    operation = do("cancel", actor="ada", reason="wrong data")
    told = {"actor": "ada", "reason": "wrong data", "operation": operation.pk}
    assert JobEvent.objects.get(job=waiting.id, kind="cancelled").data == told
    assert JobEvent.objects.get(job=running.pk, kind="cancel_requested").data == told


def test_a_retry_gives_the_whole_budget_and_wakes_the_queues() -> None:
    row = factories.job(JobStatus.FAILED, queue="mail")
    do("retry")
    row.refresh_from_db()
    assert (row.status, row.attempts, row.error, row.finished_at) == ("queued", 0, "", None)
    assert factories.history(row.pk) == [("retried", "failed", "queued")]


def test_a_running_job_that_was_asked_to_stop_keeps_the_time_of_the_first_request() -> None:
    row = factories.job(JobStatus.RUNNING)
    asked = lifecycle.cancel(USING, row.pk, actor="", reason="").cancel_requested_at
    operation = do("cancel")
    assert reasons(operation) == {row.pk: "it was asked to stop before"}
    assert Job.objects.get(pk=row.pk).cancel_requested_at == asked


def test_a_filter_means_what_it_means_in_the_list_of_jobs() -> None:
    mail, other = enqueue(2, queue="mail"), enqueue(2, queue="other", priority=5)
    operation = do("cancel", {"queue": "mail", "status": ["queued"]})
    assert statuses(*mail, *other) == ["cancelled"] * 2 + ["queued"] * 2
    assert counts(operation) == (2, 2, 0, 0)
    assert counts(do("cancel", {"priority": 5, "q": "STEP"}))[1] == 2


def test_what_arrives_after_the_request_is_left_alone() -> None:
    before = enqueue(5)
    operation = ask("cancel")
    after = enqueue(5)
    assert counts(carry_out(operation)) == (5, 5, 0, 0)
    assert statuses(*before, *after) == ["cancelled"] * 5 + ["queued"] * 5


def test_what_fails_after_the_request_is_not_retried_by_it() -> None:
    early = enqueue(2)
    fail_all()
    late = enqueue(2)
    operation = ask("retry", {"status": ["failed"]})
    fail_all()
    carry_out(operation)
    assert statuses(*early, *late) == ["queued", "queued", "failed", "failed"]


def test_what_was_retried_meanwhile_and_failed_again_is_not_retried_once_more() -> None:
    job = enqueue(1)[0]
    fail_all()
    operation = ask("retry", ids=[job.id])
    lifecycle.retry(USING, job.id, actor="", reason="")
    fail_all()
    carry_out(operation)
    assert statuses(job) == ["failed"]
    assert reasons(operation) == {job.id: "it has changed since this was asked for"}


def test_a_cancel_follows_a_job_that_has_moved_on() -> None:
    job = enqueue(1)[0]
    operation = ask("cancel", {"queue": "default"})
    fail_all()
    lifecycle.retry(USING, job.id, actor="", reason="")
    factories.claim(1)
    carry_out(operation)
    assert Job.objects.get(pk=job.id).cancel_requested_at is not None


def test_jobs_named_by_id_that_cannot_be_changed_are_reported_with_the_reason() -> None:
    done = factories.job(JobStatus.SUCCEEDED)
    good = factories.job(JobStatus.FAILED)
    operation = do("retry", ids=[done.pk, good.pk, good.pk, 999_999_999])
    assert counts(operation) == (3, 1, 2, 0)
    assert reasons(operation) == {
        done.pk: "it is succeeded; it cannot retry",
        999_999_999: "it does not exist",
    }


def test_an_operation_never_touches_the_jobs_that_carry_operations_out() -> None:
    spec = requests.OperationSpec(action=BulkAction.RETRY, filter={})
    runner = requests.create(USING, spec).operation.runner_job_id
    assert runner is not None
    assert do("cancel").done == 0
    named = do("cancel", ids=[runner])
    assert reasons(named) == {runner: "it carries out an operation; cancel that"}
    assert Job.objects.get(pk=runner).status == "queued"


def test_a_delete_takes_finished_jobs_with_their_events_and_leaves_steps() -> None:
    jobs = enqueue(2)
    fail_all()
    waiting = enqueue(1)[0]
    operation = do("delete", {"task": "tests.step"})
    assert list(Job.objects.values_list("pk", flat=True)) == [waiting.id]
    assert not JobEvent.objects.filter(job__in=[job.id for job in jobs]).exists()
    assert counts(operation) == (2, 2, 0, 0)


def test_a_batch_that_is_undone_has_done_and_counted_nothing() -> None:
    jobs = enqueue(5)
    operation = ask("cancel")
    batch.run(USING, operation.pk, limit=2)
    with transaction.atomic():
        batch.run(USING, operation.pk, limit=2)
        transaction.set_rollback(True)
    found = reread(operation)
    assert (found.done, found.last_job_id) == (2, jobs[1].id)
    assert counts(carry_out(operation)) == (5, 5, 0, 0)
    assert JobEvent.objects.filter(kind="cancelled").count() == 5


def test_a_cancelled_operation_does_no_further_batch() -> None:
    jobs = enqueue(5)
    operation = ask("cancel")
    batch.run(USING, operation.pk, limit=2)
    requests.cancel(USING, operation.pk)
    step = batch.run(USING, operation.pk, limit=2)
    assert step.over
    assert statuses(*jobs) == ["cancelled"] * 2 + ["queued"] * 3
    assert reread(operation).status == "cancelled"


def test_a_rate_bounds_the_jobs_of_a_batch() -> None:
    enqueue(5)
    operation = ask("cancel", rate_per_second=2)
    assert batch.run(USING, operation.pk, limit=500).handled == 2
    slow = ask("cancel", rate_per_second=0.1)
    assert batch.run(USING, slow.pk, limit=500).handled == 1


@pytest.mark.postgres
def test_the_number_of_statements_does_not_grow_with_the_batch() -> None:
    def cost(count: int) -> int:
        factories.jobs(count, JobStatus.FAILED)
        operation = ask("retry", {"status": ["failed"]})
        with statements() as found:
            batch.run(USING, operation.pk, limit=500)
        assert reread(operation).done == count
        return len(found)

    assert cost(2) == cost(200)


def raw(sql: str, *parameters: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)


@pytest.mark.postgres
def test_a_job_of_a_restored_dump_counts_as_there() -> None:
    job = enqueue(1)[0]
    raw("UPDATE job_events SET transaction_id = transaction_id + 4000000000")
    assert do("cancel").done == 1
    assert statuses(job) == ["cancelled"]


def test_an_operation_that_finds_nothing_has_succeeded() -> None:
    operation = do("retry", {"queue": "nowhere"})
    assert (operation.status, counts(operation)) == ("succeeded", (0, 0, 0, 0))
    assert Operation.objects.count() == 1


def test_the_jobs_of_a_group_of_failures_are_retried_and_no_others() -> None:
    name = "f" * 32
    alike = factories.jobs(4, "failed", error_fingerprint=name)
    waiting = factories.job("scheduled", error="E: no", error_fingerprint=name)
    other = factories.job("failed", error_fingerprint="e" * 32)
    operation = do("retry", {"error_fingerprint": name})
    assert counts(operation) == (4, 4, 0, 0)
    retried = Job.objects.filter(pk__in=[job.pk for job in alike])
    assert set(retried.values_list("status", "error_fingerprint")) == {("queued", "")}
    for job in (waiting, other):
        assert Job.objects.get(pk=job.pk).error_fingerprint == job.error_fingerprint


@pytest.mark.postgres
def test_events_are_looked_at_for_the_jobs_of_the_batch_alone() -> None:
    factories.jobs(3, JobStatus.FAILED)
    operation = ask("retry")
    with statements() as found:
        batch.run(USING, operation.pk, limit=500)
    searches = [sql for sql, _ in found if "LIMIT 500" in sql]
    counted = [sql for sql, _ in found if "COUNT(*)" in sql]
    looks = [sql for sql, _ in found if "FROM job_events" in sql]
    assert (len(searches), len(counted), len(looks)) == (1, 1, 1)
    assert not any("job_events" in sql for sql in searches + counted)
    assert '"jobs"."id" IN (' in looks[0]
