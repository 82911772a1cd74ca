"""The answer to a COMMIT is lost: nobody knows whether it was carried out until it is read back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jobs import JobSpec, enqueue, enqueue_many
from jobs.models import Job, JobEvent, WorkerPool
from jobs.states import EventKind, JobStatus
from tests.process import MARKS
from tests.support import history
from tests.support.database import scalar
from tests.support.evidence import Evidence
from tests.support.faults.proxy import Proxy
from tests.support.processes import Worker, Workers
from tests.support.triggers import becomes, gate, trigger
from tests.support.waiting import wait_until

pytestmark = MARKS
AllDone = Callable[..., None]

RAN_ONCE = ["enqueued", "claimed", "succeeded"]


@pytest.fixture
def worker(workers: Workers, proxy: Proxy) -> Worker:
    workers.through(proxy.port)
    started = workers.start()
    wait_until(lambda: started.said("worker.listening"))
    return started


def committing() -> int | None:
    """The backend whose COMMIT waits at a gate."""
    found: int | None = scalar(
        "SELECT pid FROM pg_stat_activity WHERE wait_event = 'advisory' AND query = 'COMMIT'"
    )
    return found


@pytest.mark.parametrize("status", ["running", "succeeded"])
def test_a_commit_that_arrives_after_the_pool_has_reconnected_counts_once(
    worker: Worker, evidence: Evidence, all_done: AllDone, proxy: Proxy, status: str
) -> None:
    with gate(becomes(status), at_commit=True) as held_up:
        job = enqueue("check.mark", {"key": "a"})
        held_up.wait_for_somebody()
        assert committing()
        assert proxy.cut() >= 3
        wait_until(lambda: worker.said("worker.lost_db"))
        # Its beats come through again, while the server still goes on with the old COMMIT.
        beat = WorkerPool.objects.get().heartbeat_at
        wait_until(lambda: WorkerPool.objects.get().heartbeat_at > beat)
        assert committing()
        held_up.open()
        all_done()
    # Neither an attempt without a run nor a run without an attempt.
    assert history.kinds(job.id) == RAN_ONCE
    evidence.assert_once_each(1)
    history.assert_sound()
    assert not worker.said("job.lease_lost")


@pytest.mark.parametrize("status", ["running", "succeeded"])
def test_a_commit_that_was_not_carried_out_is_made_up_for(
    worker: Worker, evidence: Evidence, all_done: AllDone, status: str
) -> None:
    with gate(becomes(status), at_commit=True) as held_up:
        job = enqueue("check.mark", {"key": "a"})
        held_up.wait_for_somebody()
        assert scalar("SELECT pg_terminate_backend(%s)", [committing()])
        wait_until(lambda: worker.said("worker.lost_db"))
        held_up.open()
        all_done()
    assert history.kinds(job.id) == RAN_ONCE
    evidence.assert_once_each(1)


@pytest.mark.long
def test_answers_lost_all_the_time_lose_and_repeat_nothing(
    worker: Worker, evidence: Evidence, all_done: AllDone, proxy: Proxy
) -> None:
    slow = "PERFORM pg_sleep(0.02)"
    committing = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    succeeded = Job.objects.filter(status=JobStatus.SUCCEEDED)
    with trigger("OLD.status IS DISTINCT FROM NEW.status", slow, at_commit=True):
        enqueue_many(JobSpec(task="check.mark", payload={"key": str(n)}) for n in range(300))
        for _ in range(40):
            wait_until(lambda: scalar(committing) or succeeded.count() == 300, pause=0.005)
            proxy.cut()
        all_done(seconds=50)
    evidence.assert_once_each(300)
    history.assert_sound()
    assert not JobEvent.objects.filter(kind__in=[EventKind.RESCUED, EventKind.LEASE_LOST]).exists()
