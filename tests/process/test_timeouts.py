from __future__ import annotations

from collections.abc import Callable

import pytest

from jobs import JobSpec, enqueue, enqueue_many
from jobs.models import Job, JobEvent
from jobs.states import EventKind, JobStatus
from tests.process import MARKS
from tests.support import history
from tests.support.evidence import Evidence
from tests.support.processes import Worker, Workers, slowness
from tests.support.waiting import wait_until

pytestmark = MARKS
AllDone = Callable[..., None]


def enqueue_deaf(count: int, seconds: float = 60) -> None:
    """Jobs past their deadline after half a second, which their threads do not hear."""
    enqueue_many(
        JobSpec(
            task="check.deaf",
            payload={"key": f"deaf-{n}", "seconds": seconds},
            timeout_seconds=0.5,
            max_attempts=1,
        )
        for n in range(count)
    )


def test_an_attempt_fails_at_its_deadline_whatever_its_thread_does(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    workers.start(threads=2)
    enqueue_deaf(1, seconds=3)
    all_done(seconds=5)
    row = Job.objects.get()
    assert row.error == "jobs.errors.JobTimeout: timed out after 0.5 s"
    failed = JobEvent.objects.get(kind=EventKind.FAILED)
    assert 0.5 <= (failed.at - row.started_at).total_seconds() < 1.5 * slowness()
    assert not evidence.ends("deaf-0")
    # The other thread goes on meanwhile, and this one comes back.
    enqueue("check.mark", {"key": "meanwhile"})
    all_done()
    assert not evidence.ends("deaf-0")
    wait_until(lambda: evidence.ends("deaf-0"))
    history.assert_sound()


def test_a_thread_that_listens_is_free_again_at_the_deadline(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    workers.start(threads=1)
    enqueue_many(
        [JobSpec(task="check.held", payload={"key": "a"}, timeout_seconds=0.5, max_attempts=2)]
    )
    all_done()
    assert Job.objects.get().attempts == 2
    assert len(evidence.ends("a")) == 2
    evidence.assert_no_overlap()
    history.assert_sound()


@pytest.mark.long
@pytest.mark.parametrize("processes", [1, 2])
def test_a_pool_whose_threads_are_stuck_past_their_deadline_starts_afresh(
    workers: Workers, evidence: Evidence, all_done: AllDone, processes: int
) -> None:
    worker = workers.start("--grace", "2", processes=processes, threads=2)
    enqueue_deaf(2 * processes, seconds=3600)
    wait_until(lambda: len(evidence.starts()) == 2 * processes)
    enqueue("check.mark", {"key": "after"})
    all_done(seconds=40)
    assert Job.objects.get(task="check.mark").status == JobStatus.SUCCEEDED
    assert Job.objects.filter(task="check.deaf", status=JobStatus.FAILED).count() == 2 * processes
    assert worker.said("worker.stopping")[0]["reason"] == "threads are stuck past their deadline"
    if processes == 1:
        # The same process, running its command again.
        assert {line["pid"] for line in evidence.starts("after")} == {worker.pid}
    else:
        assert {line["exit_code"] for line in worker.said("pool.died")} == {75}
        assert {line["restart_in_seconds"] for line in worker.said("pool.died")} == {0}
    assert worker.stop() == 0
    history.assert_sound()


@pytest.mark.long
def test_a_signal_during_such_a_restart_is_not_forgotten(
    workers: Workers, evidence: Evidence
) -> None:
    worker = stuck_and_busy(workers, evidence)
    assert worker.stop() in (0, 5)


def stuck_and_busy(workers: Workers, evidence: Evidence) -> Worker:
    """A pool that is about to start afresh and waits for one job that still runs."""
    worker = workers.start("--grace", "30", threads=2)
    enqueue_deaf(1, seconds=3600)
    enqueue("check.held", {"key": "busy"})
    wait_until(lambda: len(evidence.starts()) == 2)
    wait_until(lambda: worker.said("worker.stopping"), seconds=20)
    evidence.let_go("busy")
    return worker
