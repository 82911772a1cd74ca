"""The answer to a COMMIT is lost: nobody knows whether it was carried out until it is read back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jobs import JobSpec, enqueue, enqueue_many
from jobs.models import Job, JobEvent
from jobs.states import EventKind, JobStatus
from tests.support import history
from tests.support.database import scalar
from tests.support.evidence import Evidence
from tests.support.faults.proxy import Proxy
from tests.support.faults.triggers import CLAIMS, ENDS, Triggers
from tests.support.processes import Worker, Workers
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.process, pytest.mark.postgres]
AllDone = Callable[..., None]

RAN_ONCE = ["enqueued", "claimed", "succeeded"]


@pytest.fixture
def worker(workers: Workers, proxy: Proxy) -> Worker:
    workers.through(proxy.port)
    started = workers.start("--lease", "30", "--heartbeat", "1")
    wait_until(lambda: started.said("worker.listening"))
    return started


def committing() -> int | None:
    """The backend that is inside a slow COMMIT right now."""
    found: int | None = scalar(
        "SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query = 'COMMIT'"
    )
    return found


@pytest.mark.parametrize("moment", [CLAIMS, ENDS], ids=["claim", "outcome"])
def test_a_commit_that_arrives_after_the_pool_has_reconnected_counts_once(
    worker: Worker,
    evidence: Evidence,
    all_done: AllDone,
    proxy: Proxy,
    triggers: Triggers,
    moment: str,
) -> None:
    triggers.slow_commit(moment, 1.5)
    job = enqueue("check.mark", {"key": "a"})
    wait_until(committing)
    assert proxy.cut() >= 3
    wait_until(lambda: worker.said("worker.lost_db"))
    # The server goes on with the COMMIT although its client is gone.
    assert committing()
    all_done()
    # Neither an attempt without a run nor a run without an attempt.
    assert history.kinds(job.id) == RAN_ONCE
    evidence.assert_once_each(1)
    history.assert_sound()
    assert not worker.said("job.lease_lost")


@pytest.mark.parametrize("moment", [CLAIMS, ENDS], ids=["claim", "outcome"])
def test_a_commit_that_was_not_carried_out_is_made_up_for(
    worker: Worker,
    evidence: Evidence,
    all_done: AllDone,
    triggers: Triggers,
    moment: str,
) -> None:
    triggers.slow_commit(moment, 1.0)
    job = enqueue("check.mark", {"key": "a"})
    wait_until(committing)
    assert scalar("SELECT pg_terminate_backend(%s)", [committing()])
    wait_until(lambda: worker.said("worker.lost_db"))
    all_done()
    assert history.kinds(job.id) == RAN_ONCE
    evidence.assert_once_each(1)


@pytest.mark.long
def test_answers_lost_all_the_time_lose_and_repeat_nothing(
    worker: Worker, evidence: Evidence, all_done: AllDone, proxy: Proxy, triggers: Triggers
) -> None:
    triggers.slow_commit(f"({CLAIMS}) OR ({ENDS})", 0.02)
    enqueue_many(JobSpec(task="check.mark", payload={"key": str(n)}) for n in range(300))
    succeeded = Job.objects.filter(status=JobStatus.SUCCEEDED)
    for _ in range(40):
        if succeeded.count() == 300:
            break
        wait_until(committing, pause=0.005)
        proxy.cut()
    all_done(seconds=50)
    evidence.assert_once_each(300)
    history.assert_sound()
    assert not JobEvent.objects.filter(kind__in=[EventKind.RESCUED, EventKind.LEASE_LOST]).exists()
