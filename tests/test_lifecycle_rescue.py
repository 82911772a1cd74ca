from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import override_settings

from jobs import RetryPolicy, lifecycle
from jobs.models import Job, JobEvent, WorkerPool
from jobs.states import JobStatus
from jobs.store import workers
from tests.support import factories
from tests.support.factories import USING

pytestmark = pytest.mark.django_db


def rescue(limit: int = 100) -> list[int]:
    return [row.job_id for row in lifecycle.rescue(USING, limit=limit, worker="rescuer")]


def pool(name: str) -> None:
    fields: dict[str, Any] = {"busy": 1, "stopping": False, "services": {}}
    workers.beat(USING, name, host="h", pid=1, version="1", threads=1, **fields)


def test_a_lost_job_is_rescued_whatever_the_registry_of_workers_says() -> None:
    nowhere = factories.job(JobStatus.RUNNING, locked_by="never-was", lease_seconds=-1)
    pool("just-deleted")
    deleted = factories.job(JobStatus.RUNNING, locked_by="just-deleted", lease_seconds=-1)
    workers.leave(USING, "just-deleted")
    pool("fresh")
    fresh = factories.job(JobStatus.RUNNING, locked_by="fresh", lease_seconds=-3600)
    assert WorkerPool.objects.count() == 1

    assert sorted(rescue()) == [nowhere.pk, deleted.pk, fresh.pk]
    for row in (nowhere, deleted, fresh):
        event = JobEvent.objects.get(job=row)
        assert (event.kind, event.worker) == ("rescued", "rescuer")
        assert event.data["reason"] == "lease expired"
        assert event.data["lost_worker"] == row.locked_by
        assert event.lease_token == row.lease_token
    assert not Job.objects.filter(status=JobStatus.RUNNING).exists()


def test_a_job_whose_lease_holds_is_left_alone() -> None:
    row = factories.job(JobStatus.RUNNING, lease_seconds=5)
    before = factories.snapshot(row.pk)
    assert rescue() == []
    assert factories.snapshot(row.pk) == before


def test_a_rescued_job_waits_for_its_backoff_and_says_why() -> None:
    row = factories.job(JobStatus.RUNNING, lease_seconds=-1, attempts=1)
    with override_settings(QFORGE={"BACKOFF_BASE_SECONDS": 50, "BACKOFF_JITTER": 0}):
        rescue()
    now = Job.objects.annotate(clock=Now()).get(pk=row.pk)
    assert (now.status, now.attempts, now.error) == ("scheduled", 1, lifecycle.LEASE_EXPIRED)
    assert 45 < (now.available_at - now.clock).total_seconds() <= 50


def test_a_rescue_uses_the_backoff_of_the_task(register: Callable[..., Any]) -> None:
    policy = RetryPolicy(base_seconds=0)
    register(lambda: None, name="tests.quick", backoff=policy)
    row = factories.job(JobStatus.RUNNING, task="tests.quick", lease_seconds=-1)
    rescue()
    assert Job.objects.get(pk=row.pk).status == JobStatus.QUEUED


def test_a_backoff_function_that_needs_an_error_is_not_asked(
    register: Callable[..., Any],
) -> None:
    def explode(attempt: int, error: BaseException) -> float:
        raise AssertionError(f"{attempt} {error}")

    register(lambda: None, name="tests.picky", backoff=explode)
    row = factories.job(JobStatus.RUNNING, task="tests.picky", lease_seconds=-1)
    rescue()
    assert Job.objects.get(pk=row.pk).status == JobStatus.SCHEDULED


def test_a_job_that_kills_its_workers_ends_failed() -> None:
    row = factories.job(max_attempts=3)
    for attempt in range(1, 4):
        (claimed,) = factories.claim()
        assert claimed.attempt == attempt
        Job.objects.filter(pk=row.pk).update(lease_expires_at=Now() - dt.timedelta(seconds=1))
        assert rescue() == [row.pk]
        Job.objects.filter(pk=row.pk).update(available_at=Now())
        lifecycle.promote(USING, limit=10)
    now = Job.objects.get(pk=row.pk)
    assert (now.status, now.attempts) == ("failed", 3)
    assert factories.claim() == []
    assert [kind for kind, *_ in factories.history(row.pk)].count("rescued") == 3


def test_a_lost_job_that_was_asked_to_stop_ends_cancelled() -> None:
    row = factories.job(JobStatus.RUNNING, lease_seconds=-1, cancel_requested_at=Now())
    rescue()
    assert factories.history(row.pk) == [("rescued", "running", "cancelled")]


def test_no_more_than_the_limit_is_rescued_and_the_longest_lost_first() -> None:
    rows = [factories.job(JobStatus.RUNNING, lease_seconds=-n) for n in (10, 30, 20)]
    assert rescue(limit=2) == [rows[1].pk, rows[2].pk]
    assert rescue(limit=2) == [rows[0].pk]
    assert rescue(limit=2) == []


def test_a_rescue_of_an_unregistered_task_works_all_the_same() -> None:
    row = factories.job(JobStatus.RUNNING, task="tests.removed", lease_seconds=-1)
    assert rescue() == [row.pk]
