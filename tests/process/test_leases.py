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


def test_a_job_may_run_longer_than_its_lease_while_it_is_renewed(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    workers.start(processes=2, **SHORT_LEASE)
    enqueue("check.mark", {"key": "long", "seconds": 3})
    all_done()
    evidence.assert_once_each(1)
    assert Job.objects.get().attempts == 1
    history.assert_sound()


def test_a_worker_that_lost_its_lease_cannot_write_its_outcome(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    paused = workers.start(threads=1, **SHORT_LEASE)
    job = enqueue("check.slow_first", {"key": "a", "seconds": 0.5})
    wait_until(lambda: evidence.starts("a"))
    paused.signal(signal.SIGSTOP)
    workers.start(threads=1, **SHORT_LEASE)
    all_done()
    paused.signal(signal.SIGCONT)
    lost = JobEvent.objects.filter(job=job.id, kind=EventKind.LEASE_LOST)
    wait_until(lost.exists)
    assert lost.get().data["dropped"] == "succeed"
    row = Job.objects.get()
    assert (row.status, row.attempts, row.result) == (JobStatus.SUCCEEDED, 2, 2)
    assert [line["attempt"] for line in evidence.ends("a")] == [2, 1]
    history.assert_sound()


@pytest.mark.parametrize(
    ("lease", "seconds"),
    [
        (6, 3),
        pytest.param(30, 10, marks=pytest.mark.long),
    ],
)
def test_a_handler_that_hogs_the_interpreter_costs_no_other_job_its_lease(
    workers: Workers, evidence: Evidence, all_done: AllDone, lease: int, seconds: int
) -> None:
    workers.start("--lease", str(lease), "--heartbeat", str(lease / 6))
    workers.start("--lease", str(lease), "--heartbeat", str(lease / 6), "--queues", "other")
    enqueue_many(
        JobSpec(task="check.mark", payload={"key": str(n), "seconds": seconds + 1})
        for n in range(3)
    )
    wait_until(lambda: len(evidence.starts()) == 3)
    enqueue("check.burn", {"key": "burn", "seconds": seconds})
    all_done(seconds=40)
    evidence.assert_once_each(4)
    history.assert_sound()


def test_jobs_that_lose_their_lease_to_such_a_handler_end_once_all_the_same(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    workers.start("--queues", "other", **SHORT_LEASE)
    workers.start("--queues", "default", **SHORT_LEASE)
    keys = ["0", "1", "2"]
    enqueue_many(
        JobSpec(task="check.held", payload={"key": key, "until": "end"}, max_attempts=10)
        for key in keys
    )
    wait_until(lambda: len(evidence.starts()) == 3)
    burning = enqueue("check.burn", {"key": "burn", "seconds": 4}, max_attempts=1)
    rescued = JobEvent.objects.filter(kind=EventKind.RESCUED)
    wait_until(lambda: rescued.count() == 4)
    # Their next attempts start in the same process, and the first ones are told to stop.
    wait_until(lambda: {line["key"] for line in evidence.lines("lost")} == set(keys))
    evidence.let_go("end")
    all_done()
    history.assert_sound()
    assert not Job.objects.exclude(pk=burning.id).exclude(status=JobStatus.SUCCEEDED).exists()
    assert {event.data["reason"] for event in rescued} == {"lease expired"}
