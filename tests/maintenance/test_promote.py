from __future__ import annotations

import datetime as dt
from collections import Counter

import pytest
from django.db.models.functions import Now
from django.test import override_settings

from jobs.maintenance.promote import Promote
from jobs.models import Job
from jobs.states import JobStatus
from jobs.store.connections import EngineConnection
from tests.support import factories
from tests.support.database import listening, row_locks
from tests.support.threads import together
from tests.support.waiting import wait_until

pytestmark = pytest.mark.postgres


def scheduled(seconds: float, count: int = 1, **fields: object) -> list[Job]:
    """Jobs that are due in so many seconds."""
    at = Now() + dt.timedelta(seconds=seconds)
    return factories.jobs(count, JobStatus.SCHEDULED, available_at=at, **fields)


def statuses() -> dict[str, int]:
    return Counter(Job.objects.values_list("status", flat=True))


@pytest.fixture
def promote(engine: EngineConnection) -> Promote:
    return Promote(engine)


def test_a_job_that_is_due_is_queued_and_one_that_is_not_waits(promote: Promote) -> None:
    (due,), (later,) = scheduled(-1), scheduled(60)
    promote.run_once()
    assert factories.history(due.pk) == [("promoted", "scheduled", "queued")]
    assert factories.history(later.pk) == []
    assert statuses() == {JobStatus.QUEUED: 1, JobStatus.SCHEDULED: 1}


def test_it_sleeps_until_the_next_job_is_due(promote: Promote) -> None:
    scheduled(2.5)
    assert promote.run_once() == pytest.approx(2.5, abs=0.5)


@override_settings(QFORGE={"PROMOTE_SECONDS": 4})
def test_it_never_sleeps_longer_than_the_setting(engine: EngineConnection) -> None:
    promote = Promote(engine)
    assert promote.interval_seconds == 4
    assert promote.run_once() is None
    scheduled(3600)
    assert promote.run_once() == 4


def test_many_due_at_once_are_queued_in_batches_without_a_pause(
    promote: Promote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jobs.maintenance.promote._BATCH", 4)
    scheduled(-1, 7)
    assert promote.run_once() == 0
    assert promote.run_once() is None
    assert statuses() == {JobStatus.QUEUED: 7}


def test_a_due_job_that_somebody_has_locked_is_not_asked_for_without_a_pause(
    promote: Promote,
) -> None:
    locked = scheduled(-1, 2)[0]
    with row_locks([locked.pk]):
        pause = promote.run_once()
        assert statuses() == {JobStatus.SCHEDULED: 1, JobStatus.QUEUED: 1}
        assert pause is not None
        assert 0.1 <= pause <= 1
    promote.run_once()
    assert statuses() == {JobStatus.QUEUED: 2}


def test_two_pools_promote_a_job_once(engine: EngineConnection) -> None:
    rows = scheduled(-1, 40)
    engines = [EngineConnection() for _ in range(3)]
    together([Promote(made).run_once for made in engines])
    for made in engines:
        made.close()
    assert statuses() == {JobStatus.QUEUED: 40}
    assert all(len(factories.history(row.pk)) == 1 for row in rows)


def test_workers_are_woken_once_for_each_queue(promote: Promote) -> None:
    scheduled(-1, 3, queue="mail")
    scheduled(-1, 2, queue="slow")
    with listening() as listener:
        promote.run_once()
        assert sorted(listener.heard()) == ["queue:mail", "queue:slow"]


def test_a_job_is_queued_when_it_is_due_and_not_at_the_next_interval(promote: Promote) -> None:
    promote.interval_seconds = 60.0
    (row,) = scheduled(0.4)
    promote.start()
    try:
        wait_until(lambda: statuses() == {JobStatus.QUEUED: 1}, seconds=5)
    finally:
        promote.stop()
    row.refresh_from_db()
    assert row.status == JobStatus.QUEUED


def test_a_job_that_is_due_earlier_than_all_known_ones_is_not_late_when_it_is_told(
    promote: Promote,
) -> None:
    promote.interval_seconds = 60.0
    promote.start()
    try:
        wait_until(lambda: promote.last_success)
        scheduled(0.2)
        promote.wake()
        wait_until(lambda: statuses() == {JobStatus.QUEUED: 1}, seconds=5)
    finally:
        promote.stop()
