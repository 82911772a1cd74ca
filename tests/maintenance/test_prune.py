from __future__ import annotations

import datetime as dt
from collections import Counter

import pytest
from django.db.models.functions import Now
from django.test import override_settings

from jobs.maintenance.prune import Prune
from jobs.models import Job, JobEvent, Operation, WorkerPool
from jobs.states import TERMINAL, JobStatus
from jobs.store.connections import EngineConnection
from tests.support import factories
from tests.support.database import row_locks
from tests.support.events import Told

pytestmark = pytest.mark.postgres

DAY = 86400.0


@pytest.fixture
def prune(engine: EngineConnection) -> Prune:
    return Prune(engine)


def statuses() -> dict[str, int]:
    return Counter(Job.objects.values_list("status", flat=True))


@override_settings(QFORGE={"RETENTION_SECONDS": {"succeeded": 10, "failed": 100, "cancelled": 50}})
def test_finished_jobs_are_deleted_past_the_age_of_their_status(prune: Prune) -> None:
    for status in TERMINAL:
        for seconds in (5, 40, 70, 200):
            factories.job(status, finished_seconds=seconds)
    assert prune.run_once() is None
    assert statuses() == {JobStatus.SUCCEEDED: 1, JobStatus.CANCELLED: 2, JobStatus.FAILED: 3}


@override_settings(QFORGE={"RETENTION_SECONDS": {"succeeded": 0, "failed": None, "cancelled": 0}})
def test_a_status_without_an_age_is_kept(prune: Prune) -> None:
    for status in TERMINAL:
        factories.job(status, finished_seconds=1000 * DAY)
    prune.run_once()
    assert statuses() == {JobStatus.FAILED: 1}


@override_settings(QFORGE={"RETENTION_SECONDS": {"succeeded": 0, "failed": 0, "cancelled": 0}})
def test_jobs_that_are_not_finished_are_never_deleted(prune: Prune) -> None:
    unfinished = [status for status in JobStatus if status not in TERMINAL]
    for status in unfinished:
        factories.job(status, created_at=Now() - dt.timedelta(days=1000))
    prune.run_once()
    assert statuses() == dict.fromkeys(unfinished, 1)


@override_settings(QFORGE={"RETENTION_SECONDS": {"succeeded": 0}})
def test_the_history_of_a_job_goes_with_it(prune: Prune) -> None:
    row = factories.job(JobStatus.RUNNING)
    factories.finish(factories.succeeded(row))
    kept = factories.job(JobStatus.RUNNING)
    factories.finish(factories.failed(kept))
    prune.run_once()
    assert set(JobEvent.objects.values_list("job_id", flat=True)) == {kept.pk}


@override_settings(QFORGE={"RETENTION_SECONDS": {"succeeded": 0}})
def test_a_large_backlog_is_deleted_batch_by_batch_with_short_pauses(
    prune: Prune, monkeypatch: pytest.MonkeyPatch, told: Told
) -> None:
    monkeypatch.setattr("jobs.maintenance.prune.BATCH", 4)
    factories.jobs(10, JobStatus.SUCCEEDED, finished_seconds=60)
    pauses = []
    while Job.objects.exists():
        pauses.append(prune.run_once())
    assert pauses == [0.1, 0.1, None]
    assert [fields["count"] for fields in told.named("jobs.pruned")] == [4, 4, 2]
    assert {fields["status"] for fields in told.named("jobs.pruned")} == {"succeeded"}


@override_settings(QFORGE={"RETENTION_SECONDS": {"succeeded": 0}})
def test_a_job_that_somebody_has_locked_is_left_for_the_next_time(prune: Prune) -> None:
    locked = factories.jobs(2, JobStatus.SUCCEEDED, finished_seconds=60)[0]
    with row_locks([locked.pk]):
        prune.run_once()
        assert list(Job.objects.values_list("pk", flat=True)) == [locked.pk]
    prune.run_once()
    assert not Job.objects.exists()


def test_pools_not_heard_of_for_an_hour_are_forgotten(prune: Prune) -> None:
    for name, minutes in (("alive", 59), ("lost", 61)):
        WorkerPool.objects.create(
            name=name,
            host="box",
            pid=1,
            version="1",
            threads=1,
            heartbeat_at=Now() - dt.timedelta(minutes=minutes),
        )
    prune.run_once()
    assert list(WorkerPool.objects.values_list("name", flat=True)) == ["alive"]


@override_settings(QFORGE={"OPERATION_RETENTION_SECONDS": 7200.0})
def test_operations_on_many_jobs_are_deleted_past_their_age(prune: Prune) -> None:
    for seconds in (7100, 7300):
        at = Now() - dt.timedelta(seconds=seconds)
        Operation.objects.create(
            action="retry",
            filter={},
            snapshot="1:1:",
            max_job_id=0,
            status="succeeded",
            started_at=at,
            finished_at=at,
        )
    prune.run_once()
    assert Operation.objects.count() == 1
