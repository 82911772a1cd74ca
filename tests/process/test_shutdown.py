from __future__ import annotations

import signal
import time
from collections.abc import Callable

import pytest

from jobs import JobSpec, enqueue, enqueue_many
from jobs.models import Job, JobEvent, WorkerPool
from jobs.states import EventKind, JobStatus
from tests.process import MARKS
from tests.support import history
from tests.support.evidence import Evidence
from tests.support.faults.proxy import Proxy
from tests.support.processes import Workers, slowness
from tests.support.waiting import wait_until

pytestmark = MARKS
AllDone = Callable[..., None]


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.long)]
)
def test_a_job_that_ends_within_the_grace_is_recorded_and_no_other_is_claimed(
    workers: Workers, evidence: Evidence, number: signal.Signals
) -> None:
    worker = workers.start()
    ending = enqueue("check.mark", {"key": "ending", "seconds": 1})
    wait_until(lambda: evidence.starts("ending"))
    worker.signal(number)
    wait_until(lambda: worker.said("worker.stopping"))
    waiting = enqueue("check.mark", {"key": "waiting"})
    assert worker.wait() == 0
    assert history.kinds(ending.id) == ["enqueued", "claimed", "succeeded"]
    assert Job.objects.get(pk=ending.id).attempts == 1
    assert Job.objects.get(pk=waiting.id).status == JobStatus.QUEUED
    assert not WorkerPool.objects.exists()


def test_what_the_grace_cannot_wait_for_goes_to_the_next_worker_with_its_attempt(
    workers: Workers, evidence: Evidence
) -> None:
    running = Job.objects.filter(status=JobStatus.RUNNING)
    enqueue_many(
        JobSpec(task="check.mark", payload={"key": str(n), "seconds": 60}) for n in range(12)
    )
    for deploy in range(1, 4):
        worker = workers.start("--lease", "120", "--grace", "0.5")
        # Within seconds, although the leases of those before would hold two minutes.
        wait_until(lambda deploy=deploy: len(evidence.starts()) == 4 * deploy)  # type: ignore[misc]
        assert running.count() == 4
        begun = time.monotonic()
        assert worker.stop() == 5
        assert time.monotonic() - begun < 3.5 * slowness()
        assert not running.exists()
        assert JobEvent.objects.filter(kind=EventKind.RELEASED).count() == 4 * deploy
    assert Job.objects.filter(attempts=0).count() == 12
    assert {e.data["reason"] for e in JobEvent.objects.filter(kind=EventKind.RELEASED)} == {
        "shutdown"
    }
    evidence.assert_no_overlap()
    history.assert_sound(finished=False)


def test_an_idle_pool_ends_at_once_however_long_it_would_sleep(workers: Workers) -> None:
    worker = workers.start("--poll-interval", "60")
    wait_until(lambda: worker.said("worker.listening"))
    begun = time.monotonic()
    assert worker.stop() == 0
    assert time.monotonic() - begun < 3 * slowness()


def test_a_second_signal_skips_the_grace(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    worker = workers.start("--lease", "120", "--grace", "60")
    enqueue("check.slow_first", {"key": "a", "seconds": 60})
    wait_until(lambda: evidence.starts("a"))
    worker.signal(signal.SIGINT)
    wait_until(lambda: worker.said("worker.stopping"))
    begun = time.monotonic()
    worker.signal(signal.SIGINT)
    assert worker.wait() == 130
    assert time.monotonic() - begun < 3 * slowness()
    job = Job.objects.get()
    assert (job.status, job.attempts) == (JobStatus.SCHEDULED, 0)


def test_an_unstarted_job_is_given_back_at_once(workers: Workers, evidence: Evidence) -> None:
    """A pool that claims ahead, told to stop, does not keep what it has not started."""
    worker = workers.start(threads=1, QFORGE_PREFETCH_SECONDS="5")
    enqueue_many(
        JobSpec(task="check.mark", payload={"key": f"short-{n}", "seconds": 0.01})
        for n in range(20)
    )
    wait_until(lambda: len(evidence.ends()) == 20)
    enqueue_many(
        JobSpec(task="check.mark", payload={"key": str(n), "seconds": 0.6}) for n in range(10)
    )
    wait_until(lambda: Job.objects.filter(status=JobStatus.RUNNING).count() > 1)
    assert worker.stop() == 0
    started = len(evidence.starts()) - 20
    assert Job.objects.filter(status=JobStatus.QUEUED, attempts=0).count() == 10 - started
    history.assert_sound(finished=False)


def test_a_pool_without_a_database_still_ends(
    workers: Workers, evidence: Evidence, proxy: Proxy
) -> None:
    workers.through(proxy.port)
    worker = workers.start("--lease", "60", "--grace", "1")
    enqueue("check.held", {"key": "a"})
    wait_until(lambda: evidence.starts("a"))
    proxy.hold()
    begun = time.monotonic()
    assert worker.stop() == 5
    assert time.monotonic() - begun < (1 + 5 + 1.5) * slowness()
