from __future__ import annotations

import signal
from collections.abc import Callable

import pytest

from jobs import JobSpec, enqueue, enqueue_many
from jobs.models import Job, JobEvent
from jobs.states import EventKind, JobStatus
from tests.process import MARKS
from tests.support import history
from tests.support.evidence import Evidence
from tests.support.processes import SHORT_LEASE, Workers
from tests.support.waiting import wait_until

pytestmark = MARKS
AllDone = Callable[..., None]


def enqueue_waiting(count: int, seconds: float) -> None:
    """Async jobs that wait for so long in their first attempt."""
    enqueue_many(
        JobSpec(task="check.wait_first", payload={"key": str(n), "seconds": seconds})
        for n in range(count)
    )


def test_async_jobs_of_a_killed_worker_run_again(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    first = workers.start(threads=2, **SHORT_LEASE)
    enqueue_waiting(80, 60)
    wait_until(lambda: len(evidence.starts()) == 80)
    first.kill()
    workers.start(threads=2, **SHORT_LEASE)
    all_done()
    assert set(Job.objects.values_list("status", "attempts")) == {(JobStatus.SUCCEEDED, 2)}
    evidence.assert_no_overlap()
    history.assert_sound()


def test_the_leases_of_two_thousand_waiting_jobs_hold(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    lease = {"QFORGE_LEASE_SECONDS": "4", "QFORGE_HEARTBEAT_SECONDS": "0.5"}
    enqueue_waiting(2000, 9)
    workers.start("--async-jobs", "2000", threads=2, **lease)
    running = Job.objects.filter(status=JobStatus.RUNNING)
    wait_until(lambda: running.count() == 2000, seconds=30, pause=0.1)
    all_done(seconds=60)
    assert Job.objects.filter(status=JobStatus.SUCCEEDED, attempts=1).count() == 2000
    ended = (EventKind.RESCUED, EventKind.LEASE_LOST)
    assert not JobEvent.objects.filter(kind__in=ended).exists()
    evidence.assert_once_each(2000)


@pytest.mark.parametrize("signals", [1, 2])
def test_what_the_grace_cannot_wait_for_is_cancelled_and_given_back(
    workers: Workers, evidence: Evidence, signals: int
) -> None:
    worker = workers.start("--lease", "120", "--grace", "0.5" if signals == 1 else "60")
    enqueue_waiting(50, 60)
    wait_until(lambda: len(evidence.starts()) == 50)
    worker.signal(signal.SIGTERM)
    if signals == 2:
        wait_until(lambda: worker.said("worker.stopping"))
        worker.signal(signal.SIGTERM)
    assert worker.wait() == (5 if signals == 1 else 143)
    assert set(Job.objects.values_list("status", "attempts")) == {(JobStatus.SCHEDULED, 0)}
    # Each has heard of it and could clean up.
    assert len(evidence.ends()) == 50
    history.assert_sound(finished=False)


@pytest.mark.long
def test_a_handler_that_blocks_the_loop_past_its_deadline_costs_its_pool(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    worker = workers.start("--grace", "1")
    enqueue("check.block", {"key": "a", "seconds": 3600}, timeout_seconds=0.5, max_attempts=1)
    wait_until(lambda: evidence.starts("a"))
    enqueue_waiting(3, 0)
    all_done(seconds=40)
    assert Job.objects.filter(status=JobStatus.SUCCEEDED).count() == 3
    assert Job.objects.get(task="check.block").status == JobStatus.FAILED
    assert worker.said("loop.blocked")[0]["coroutine"].startswith("job-")
    assert worker.said("worker.stopping")[0]["reason"] == "threads are stuck past their deadline"
    assert worker.stop() == 0
