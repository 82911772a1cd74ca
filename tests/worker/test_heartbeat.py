"""The heartbeat: what it renews, and what it brings back."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db.models.functions import Now

from jobs import lifecycle
from jobs.models import Job, JobEvent, WorkerPool
from jobs.states import JobStatus
from jobs.store import leases
from jobs.worker.attempt import context_of
from jobs.worker.heartbeat import Heartbeat
from jobs.worker.options import PoolOptions
from jobs.worker.runs import Run, Runs
from tests.support import factories
from tests.support.database import row_locks, scalar
from tests.support.events import Told
from tests.support.waiting import wait_until
from tests.worker.attempts import ANY
from tests.worker.bench import Bench

pytestmark = pytest.mark.postgres

DESCRIPTION: dict[str, Any] = {
    "host": "box",
    "pid": 42,
    "version": "1",
    "queues": ["mail"],
    "tasks": ["a.b"],
    "threads": 3,
    "busy": 1,
    "stopping": False,
    "services": {"prune": {"failures": 0, "age_seconds": None}},
}


class Beating:
    """A heartbeat over jobs that the test says are held, running or waiting."""

    def __init__(self, bench: Bench, **options: Any) -> None:
        self.exchange = bench.exchange(name="pool-of-tests")
        self.runs = Runs()
        self.description = dict(DESCRIPTION)
        self.heartbeat = Heartbeat(
            bench.engine(),
            self.exchange,
            self.runs,
            PoolOptions(**options),
            describe=lambda: self.description,
        )

    def waiting(self, row: Job) -> None:
        """The pool has claimed the job and no thread has started it."""
        self.exchange._ledger.take_in([factories.claimed(row)])

    def running(self, row: Job) -> Run:
        """The job's handler is on a thread."""
        job = factories.claimed(row)
        self.exchange._ledger.own([job])
        run = Run(job, context_of(job), ANY)
        self.runs.add(run)
        return run

    def beat(self) -> None:
        assert self.heartbeat.run_once() is None


@pytest.fixture
def beating(bench: Bench) -> Beating:
    return Beating(bench)


@pytest.fixture
def row(bench: Bench) -> Job:
    return factories.job(JobStatus.RUNNING, lease_seconds=3)


def lease_left(row: Job) -> float:
    """Seconds until the job's lease ends, by the database's clock."""
    left = Job.objects.annotate(clock=Now()).get(pk=row.pk)
    assert left.lease_expires_at is not None
    return (left.lease_expires_at - left.clock).total_seconds()  # type: ignore[attr-defined]


def test_leases_of_all_that_is_held_are_renewed_and_no_others(beating: Beating) -> None:
    rows = factories.jobs(4, JobStatus.RUNNING, lease_seconds=3)
    beating.running(rows[0])
    beating.waiting(rows[1])
    ended = factories.claimed(rows[2])
    beating.exchange._ledger.own([ended])
    beating.beat()
    left = [lease_left(row) for row in rows]
    assert all(28 < seconds <= 30 for seconds in left[:3])
    assert left[3] <= 3


def test_the_length_of_a_lease_is_an_option(bench: Bench, row: Job) -> None:
    beating = Beating(bench, lease_seconds=600, heartbeat_seconds=7)
    beating.running(row)
    beating.beat()
    assert 598 < lease_left(row) <= 600
    assert beating.heartbeat.interval_seconds == 7


def test_a_lease_that_ran_out_but_was_not_rescued_is_renewed(beating: Beating) -> None:
    row = factories.job(JobStatus.RUNNING, lease_seconds=-60)
    run = beating.running(row)
    beating.beat()
    assert lease_left(row) > 28
    assert not run.context.lease_lost


def test_a_handler_is_told_that_its_job_was_asked_to_stop(beating: Beating, row: Job) -> None:
    other = factories.job(JobStatus.RUNNING)
    asked, spared = beating.running(row), beating.running(other)
    lifecycle.cancel("default", row.pk, actor="ann", reason="")
    beating.beat()
    assert asked.context.cancel_requested
    assert not spared.context.cancel_requested


def test_a_job_that_was_asked_to_stop_before_it_started_never_starts(
    beating: Beating, row: Job
) -> None:
    beating.waiting(row)
    beating.waiting(factories.job(JobStatus.RUNNING))
    lifecycle.cancel("default", row.pk, actor="ann", reason="")
    beating.beat()
    assert [job.id for job in beating.exchange._ledger.ready] != [row.pk]
    assert len(beating.exchange._ledger.ready) == 1
    beating.exchange.flush()
    row.refresh_from_db()
    assert row.status == JobStatus.CANCELLED
    event = JobEvent.objects.get(job_id=row.pk, kind="cancelled")
    assert event.data == {"reason": "cancel requested before it started"}


def lose(row: Job) -> None:
    """Let the lease run out and somebody rescue the job."""
    Job.objects.filter(pk=row.pk).update(lease_expires_at=Now() - dt.timedelta(seconds=1))
    assert len(lifecycle.rescue("default", limit=10, worker="another")) == 1


def test_a_handler_is_told_that_its_lease_is_lost_and_so_is_everybody_once(
    beating: Beating, row: Job, told: Told
) -> None:
    other = beating.running(factories.job(JobStatus.RUNNING))
    run = beating.running(row)
    lose(row)
    for _ in range(3):
        beating.beat()
    assert run.context.lease_lost
    assert not other.context.lease_lost
    assert told.named("job.lease_lost") == [{"job_id": row.pk, "worker": "pool-of-tests"}]


def test_a_prefetched_job_whose_lease_is_lost_is_dropped(
    beating: Beating, row: Job, told: Told
) -> None:
    beating.waiting(row)
    lose(row)
    beating.beat()
    assert not beating.exchange._ledger.ready
    assert beating.exchange.held() == {}
    assert [fields["job_id"] for fields in told.named("job.lease_lost")] == [row.pk]


def test_a_job_that_came_back_under_a_new_lease_is_not_called_lost(
    beating: Beating, row: Job, told: Told
) -> None:
    """The renewal knows the old lease; meanwhile the same pool has claimed the job again."""
    held = {row.pk: factories.claimed(row).token}
    lose(row)
    lifecycle.run_now("default", row.pk, actor="tests")
    (again,) = factories.claim(1)
    run = Run(again, context_of(again), ANY)
    beating.runs.add(run)
    beating.exchange._ledger.take_in([again])
    beating.heartbeat._act_on(
        held, leases.Renewal(cancel_requested=frozenset(), lost=frozenset({row.pk}))
    )
    assert not run.context.lease_lost
    assert len(beating.exchange._ledger.ready) == 1
    assert told.named("job.lease_lost") == []


def test_a_job_that_has_just_finished_is_not_called_lost(
    beating: Beating, row: Job, told: Told
) -> None:
    """Between the look at what is held and the renewal its outcome was written."""
    job = factories.claimed(row)
    beating.exchange._ledger.own([job])
    factories.finish(factories.succeeded(row))
    beating.beat()
    assert told.named("job.lease_lost") == []


def test_a_timed_out_job_is_not_called_lost(beating: Beating, row: Job, told: Told) -> None:
    """The watchdog has had its failure written, but the handler is still on its thread."""
    run = beating.running(row)
    assert run.settle()
    factories.finish(factories.failed(row))
    beating.beat()
    assert run.context.lease_lost
    assert told.named("job.lease_lost") == []


def progress(row: Job) -> Any:
    return Job.objects.values_list("progress", flat=True).get(pk=row.pk)


def test_progress_is_stored_with_the_next_heartbeat(beating: Beating, row: Job) -> None:
    run = beating.running(row)
    beating.beat()
    assert progress(row) is None
    run.context.progress(30, "a third")
    beating.beat()
    assert progress(row) == {"percent": 30, "message": "a third"}


def test_progress_that_was_stored_is_not_written_again(beating: Beating, row: Job) -> None:
    run = beating.running(row)
    run.context.progress(30)
    beating.beat()
    Job.objects.filter(pk=row.pk).update(progress={"percent": 99})
    beating.beat()
    assert progress(row) == {"percent": 99}
    run.context.progress(30)
    beating.beat()
    assert progress(row) == {"percent": 30, "message": ""}


def test_progress_said_while_a_heartbeat_fails_is_stored_by_the_next(
    beating: Beating, row: Job
) -> None:
    run = beating.running(row)
    beating.beat()
    run.context.progress(50)
    with beating.heartbeat.engine.borrowed() as connection:
        pid = connection.connection.info.backend_pid
    scalar("SELECT pg_terminate_backend(%s)", [pid])
    wait_until(lambda: not scalar("SELECT count(*) FROM pg_stat_activity WHERE pid = %s", [pid]))
    beating.heartbeat._pass()
    assert beating.heartbeat.failures == 1
    beating.heartbeat._pass()
    assert beating.heartbeat.failures == 0
    assert progress(row) == {"percent": 50, "message": ""}


def test_progress_of_a_job_that_is_no_longer_ours_is_not_stored(beating: Beating, row: Job) -> None:
    run = beating.running(row)
    lose(row)
    lifecycle.run_now("default", row.pk, actor="tests")
    factories.claim(1, worker="another")
    run.context.progress(50)
    beating.beat()
    assert progress(row) is None


def test_progress_with_text_that_postgresql_refuses_does_not_stop_the_heartbeat(
    beating: Beating, row: Job
) -> None:
    beating.running(row).context.progress(50, "nul \x00 surrogate \ud800")
    beating.beat()
    assert progress(row) == {"percent": 50, "message": "nul \\x00 surrogate \\ud800"}


def test_a_handler_that_locks_its_own_row_does_not_hold_up_the_others(
    beating: Beating, row: Job, told: Told
) -> None:
    other = factories.job(JobStatus.RUNNING, lease_seconds=3)
    run = beating.running(row)
    beating.running(other)
    run.context.progress(50)
    with row_locks([row.pk]):
        beating.beat()
    assert lease_left(other) > 28
    assert not run.context.lease_lost
    assert told.named("job.lease_lost") == []
    beating.beat()
    assert lease_left(row) > 28


def test_the_pool_has_a_row_for_people(beating: Beating) -> None:
    beating.beat()
    row = WorkerPool.objects.get()
    assert row.name == "pool-of-tests"
    assert {key: getattr(row, key) for key in DESCRIPTION} == DESCRIPTION
    beating.description |= {"busy": 3, "stopping": True}
    WorkerPool.objects.update(heartbeat_at=Now() - dt.timedelta(hours=2))
    beating.beat()
    row.refresh_from_db()
    assert (row.busy, row.stopping) == (3, True)
    assert WorkerPool.objects.filter(heartbeat_at__gt=Now() - dt.timedelta(minutes=1)).exists()


def test_a_pool_whose_row_was_pruned_by_mistake_makes_it_again(beating: Beating) -> None:
    beating.beat()
    WorkerPool.objects.all().delete()
    beating.beat()
    assert WorkerPool.objects.count() == 1


def test_a_pool_that_holds_nothing_touches_no_job(beating: Beating, row: Job) -> None:
    beating.beat()
    assert lease_left(row) <= 3
