"""Attempts and tokens: what each end of an attempt costs, and who may write it."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db.models.functions import Now

from jobs import lifecycle
from jobs.backoff import MAX_DELAY_SECONDS
from jobs.models import Job, JobEvent
from jobs.registry import default_policy
from jobs.states import JobStatus
from tests.support import factories
from tests.support.factories import USING

pytestmark = pytest.mark.django_db


def expire(row: Job) -> None:
    Job.objects.filter(pk=row.pk).update(lease_expires_at=Now() - dt.timedelta(seconds=1))


def running(**fields: Any) -> Job:
    """A job that was claimed in earnest."""
    row = factories.job(**fields)
    (claimed,) = factories.claim()
    assert claimed.id == row.pk
    return Job.objects.get(pk=row.pk)


def make_claimable(row: Job) -> None:
    Job.objects.filter(pk=row.pk).update(available_at=Now())
    lifecycle.promote(USING, limit=10)


def test_a_stale_worker_cannot_finish_a_rescued_job() -> None:
    first = running()
    expire(first)
    lifecycle.rescue(USING, limit=1, worker="w")
    make_claimable(first)
    factories.claim(worker="second")
    before = factories.snapshot(first.pk)

    for late in (factories.succeeded, factories.failed, factories.released, factories.cancelled):
        assert factories.finish(late(first), worker="first") == []
    assert factories.snapshot(first.pk) == before
    lost = JobEvent.objects.filter(job=first, kind="lease_lost")
    assert [(e.worker, e.lease_token) for e in lost] == [("first", first.lease_token)] * 4

    second = Job.objects.get(pk=first.pk)
    assert factories.finish(factories.succeeded(second))
    assert Job.objects.get(pk=first.pk).status == JobStatus.SUCCEEDED


def test_a_stale_worker_cannot_finish_a_job_the_same_worker_claimed_anew() -> None:
    first = running()
    expire(first)
    lifecycle.rescue(USING, limit=1, worker="w")
    make_claimable(first)
    (again,) = factories.claim(worker=first.locked_by)
    assert again.id == first.pk
    assert factories.finish(factories.succeeded(first)) == []


def test_an_outcome_is_written_once() -> None:
    row = running()
    assert factories.finish(factories.succeeded(row))
    assert factories.finish(factories.succeeded(row)) == []
    assert [kind for kind, *_ in factories.history(row.pk)] == [
        "claimed",
        "succeeded",
        "lease_lost",
    ]


def test_a_worker_whose_lease_ran_out_unnoticed_may_still_finish() -> None:
    row = running()
    expire(row)
    assert factories.finish(factories.succeeded(row))
    assert lifecycle.rescue(USING, limit=1, worker="w") == []


def test_every_kind_of_failure_counts_and_the_last_one_ends_the_job() -> None:
    row = factories.job(max_attempts=4)
    ends = [
        lambda job: factories.finish(factories.failed(job, 60.0)),
        lambda job: (expire(job), lifecycle.rescue(USING, limit=1, worker="w")),
        lambda job: factories.finish(factories.failed(job, 0.0)),
        lambda job: factories.finish(factories.failed(job, 60.0)),
    ]
    for number, end in enumerate(ends, start=1):
        (claimed,) = factories.claim()
        assert (claimed.id, claimed.attempt) == (row.pk, number)
        end(Job.objects.get(pk=row.pk))
        make_claimable(row)
    now = Job.objects.get(pk=row.pk)
    assert (now.status, now.attempts, now.max_attempts) == ("failed", 4, 4)
    assert factories.claim() == []


def test_one_attempt_means_one() -> None:
    for end in (
        lambda job: factories.finish(factories.failed(job, 60.0)),
        lambda job: (expire(job), lifecycle.rescue(USING, limit=1, worker="w")),
    ):
        row = running(max_attempts=1)
        end(row)
        assert Job.objects.get(pk=row.pk).status == JobStatus.FAILED


def test_an_attempt_given_back_is_not_spent() -> None:
    row = factories.job(max_attempts=2)
    for _ in range(5):
        (claimed,) = factories.claim()
        assert claimed.attempt == 1
        factories.finish(factories.released(Job.objects.get(pk=row.pk)))
    assert Job.objects.get(pk=row.pk).attempts == 0


def test_a_snooze_waits_and_spends_nothing() -> None:
    row = running()
    factories.finish(factories.released(row, 3600.0))
    now = Job.objects.annotate(clock=Now()).get(pk=row.pk)
    assert (now.status, now.attempts) == ("scheduled", 0)
    assert 3590 < (now.available_at - now.clock).total_seconds() <= 3600


def test_a_job_given_back_keeps_its_place() -> None:
    first, second = factories.jobs(2)
    (claimed,) = factories.claim(1)
    assert claimed.id == first.pk
    factories.finish(factories.released(Job.objects.get(pk=first.pk)))
    assert [job.id for job in factories.claim()] == [first.pk, second.pk]


def test_a_limit_lowered_while_the_job_runs_makes_this_its_last_attempt() -> None:
    row = factories.job(attempts=1, max_attempts=10)
    factories.claim()
    Job.objects.filter(pk=row.pk).update(max_attempts=2)
    factories.finish(factories.failed(Job.objects.get(pk=row.pk), 60.0))
    now = Job.objects.get(pk=row.pk)
    assert (now.status, now.attempts, now.max_attempts) == ("failed", 2, 2)


def test_a_limit_raised_while_the_job_runs_gives_it_another_attempt() -> None:
    row = factories.job(max_attempts=1)
    factories.claim()
    Job.objects.filter(pk=row.pk).update(max_attempts=2)
    factories.finish(factories.failed(Job.objects.get(pk=row.pk), 60.0))
    assert Job.objects.get(pk=row.pk).status == JobStatus.SCHEDULED


@pytest.mark.parametrize("end", [factories.failed, factories.released, factories.cancelled])
def test_a_running_job_that_was_asked_to_stop_ends_cancelled(end: Any) -> None:
    row = running()
    lifecycle.cancel(USING, row.pk, actor="me", reason="enough")
    factories.finish(end(row))
    now = Job.objects.get(pk=row.pk)
    assert now.status == JobStatus.CANCELLED
    assert factories.claim() == []


def test_a_handler_that_succeeds_all_the_same_has_succeeded() -> None:
    row = running()
    lifecycle.cancel(USING, row.pk, actor="me", reason="enough")
    factories.finish(factories.succeeded(row, "1"))
    assert Job.objects.get(pk=row.pk).status == JobStatus.SUCCEEDED


def test_a_failure_keeps_its_text_and_a_later_success_clears_it() -> None:
    row = running()
    factories.finish(factories.failed(row, 0.0, error="ValueError: first"))
    assert Job.objects.get(pk=row.pk).error == "ValueError: first"
    factories.claim()
    factories.finish(factories.succeeded(Job.objects.get(pk=row.pk)))
    assert Job.objects.get(pk=row.pk).error == ""


def test_a_failed_job_is_not_said_to_be_available_later() -> None:
    row = running(max_attempts=1)
    factories.finish(factories.failed(row, 3600.0))
    assert Job.objects.get(pk=row.pk).available_at == row.available_at


def test_attempt_one_thousand_is_written_like_the_first() -> None:
    row = factories.job(JobStatus.RUNNING, attempts=1000, max_attempts=10_000)
    delay = default_policy().delay_seconds(1000)
    factories.finish(factories.failed(row, delay))
    now = Job.objects.annotate(clock=Now()).get(pk=row.pk)
    assert now.status == JobStatus.SCHEDULED
    assert 2800 < (now.available_at - now.clock).total_seconds() <= 3600


def test_the_longest_delay_can_be_written() -> None:
    row = running()
    factories.finish(factories.failed(row, MAX_DELAY_SECONDS))
    now = Job.objects.annotate(clock=Now()).get(pk=row.pk)
    assert (now.available_at - now.clock).days in (3649, 3650)
