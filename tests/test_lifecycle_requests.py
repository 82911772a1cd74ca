"""What people ask for: cancel, retry, run now; and promotion, which the clock asks for."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db.models.functions import Now

from jobs import lifecycle
from jobs.errors import InvalidInput, JobNotFound
from jobs.models import Job, JobEvent
from jobs.states import TERMINAL, JobStatus
from tests.support import factories
from tests.support.factories import USING

pytestmark = pytest.mark.django_db


def cancel(row: Job) -> Job:
    return lifecycle.cancel(USING, row.pk, actor="ada", reason="not needed")


def retry(row: Job) -> Job:
    return lifecycle.retry(USING, row.pk, actor="ada", reason="fixed")


@pytest.mark.parametrize("verb", [lifecycle.cancel, lifecycle.retry])
def test_a_verb_on_a_job_that_does_not_exist_says_so(verb: object) -> None:
    with pytest.raises(JobNotFound, match="job 987654321 does not exist"):
        verb(USING, 987654321, actor="", reason="")  # type: ignore[operator]
    with pytest.raises(JobNotFound):
        lifecycle.run_now(USING, 987654321, actor="")


@pytest.mark.parametrize("status", [JobStatus.QUEUED, JobStatus.SCHEDULED, JobStatus.BLOCKED])
def test_a_waiting_job_is_cancelled_at_once(status: JobStatus) -> None:
    row = factories.job(status)
    now = cancel(row)
    assert (now.status, now.finished_at is not None) == ("cancelled", True)
    event = JobEvent.objects.get(job=row)
    assert event.data == {"actor": "ada", "reason": "not needed"}


def test_a_running_job_is_asked_and_goes_on_until_it_ends() -> None:
    row = factories.job(JobStatus.RUNNING)
    now = cancel(row)
    assert (now.status, now.lease_token) == ("running", row.lease_token)
    assert now.cancel_requested_at is not None
    assert factories.history(row.pk) == [("cancel_requested", "running", "running")]


def test_asking_again_changes_nothing() -> None:
    row = factories.job(JobStatus.RUNNING)
    first = cancel(row).cancel_requested_at
    assert cancel(row).cancel_requested_at == first
    assert len(factories.history(row.pk)) == 1


@pytest.mark.parametrize("status", [JobStatus.FAILED, JobStatus.CANCELLED])
def test_a_retry_gives_the_whole_budget_and_forgets_the_past(status: JobStatus) -> None:
    row = factories.job(
        status,
        attempts=3,
        error="ValueError: no",
        result={"half": 1},
        progress={"percent": 50},
        cancel_requested_at=Now(),
        started_at=Now(),
        available_at=Now() - dt.timedelta(days=1),
        priority=7,
        payload={"a": 1},
        idempotency_key="k",
    )
    now = retry(row)
    assert (now.status, now.attempts, now.max_attempts) == ("queued", 0, 3)
    assert (now.error, now.result, now.progress) == ("", None, None)
    assert (now.finished_at, now.started_at, now.cancel_requested_at) == (None, None, None)
    assert now.available_at > row.available_at
    assert (now.priority, now.payload, now.idempotency_key) == (7, {"a": 1}, "k")
    assert JobEvent.objects.get(job=row).data == {"actor": "ada", "reason": "fixed"}
    assert [job.attempt for job in factories.claim()] == [1]


def test_a_retried_job_does_not_jump_the_queue_of_its_priority() -> None:
    old = factories.job(JobStatus.FAILED, available_at=Now() - dt.timedelta(days=1))
    fresh = factories.job()
    retry(old)
    assert [job.id for job in factories.claim()] == [fresh.pk, old.pk]


def test_a_scheduled_job_can_be_run_now() -> None:
    row = factories.job(JobStatus.SCHEDULED)
    now = lifecycle.run_now(USING, row.pk, actor="ada")
    assert now.status == JobStatus.QUEUED
    assert now.available_at < row.available_at
    assert JobEvent.objects.get(job=row).data == {"actor": "ada", "reason": "run now"}


def test_words_too_long_are_refused_and_change_nothing() -> None:
    row = factories.job()
    for words in ({"actor": "a" * 151, "reason": ""}, {"actor": "", "reason": "r" * 501}):
        with pytest.raises(InvalidInput, match="must be a string of at most"):
            lifecycle.cancel(USING, row.pk, **words)
    assert Job.objects.get(pk=row.pk).status == JobStatus.QUEUED


def due(seconds_ago: float, **fields: object) -> Job:
    at = Now() - dt.timedelta(seconds=seconds_ago)
    return factories.job(JobStatus.SCHEDULED, available_at=at, **fields)


def test_due_jobs_are_promoted_in_the_order_they_became_due() -> None:
    rows = [due(seconds) for seconds in (10, 30, 20)]
    future = factories.job(JobStatus.SCHEDULED)
    assert lifecycle.promote(USING, limit=2).count == 2
    assert Job.objects.get(pk=rows[0].pk).status == JobStatus.SCHEDULED
    assert lifecycle.promote(USING, limit=2).count == 1
    assert lifecycle.promote(USING, limit=2).count == 0
    assert Job.objects.get(pk=future.pk).status == JobStatus.SCHEDULED


def test_a_promoted_job_keeps_its_due_time_as_its_place() -> None:
    row = due(60)
    lifecycle.promote(USING, limit=1)
    assert Job.objects.get(pk=row.pk).available_at == row.available_at


def test_promotion_says_when_the_next_one_is_due() -> None:
    assert lifecycle.promote(USING, limit=10).next_due_seconds is None
    factories.job(JobStatus.SCHEDULED, available_at=Now() + dt.timedelta(seconds=100))
    factories.job(JobStatus.SCHEDULED, available_at=Now() + dt.timedelta(seconds=900))
    promoted = lifecycle.promote(USING, limit=10)
    assert promoted.count == 0
    assert promoted.next_due_seconds == pytest.approx(100, abs=5)


def test_promotion_with_more_to_do_says_so() -> None:
    due(10), due(5)
    assert lifecycle.promote(USING, limit=1).next_due_seconds == 0


@pytest.mark.parametrize("status", sorted(TERMINAL))
def test_a_finished_job_is_never_changed_by_a_cancel(status: JobStatus) -> None:
    row = factories.job(status)
    before = factories.snapshot(row.pk)
    with pytest.raises(Exception, match="it cannot cancel"):
        cancel(row)
    assert factories.snapshot(row.pk) == before
