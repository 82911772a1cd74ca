from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from jobs import JobSpec, enqueue, enqueue_many
from jobs.models import Job
from jobs.states import JobStatus
from tests.process import MARKS
from tests.support import history
from tests.support.evidence import Evidence
from tests.support.faults.proxy import Proxy
from tests.support.processes import Worker, Workers, slowness
from tests.support.triggers import becomes, gate
from tests.support.waiting import wait_until

pytestmark = MARKS
AllDone = Callable[..., None]


@pytest.fixture
def worker(workers: Workers, proxy: Proxy) -> Worker:
    """A worker behind the proxy; a use of a connection may stall for five seconds."""
    workers.through(proxy.port)
    started = workers.start("--lease", "15", "--heartbeat", "1", threads=8)
    wait_until(lambda: started.said("worker.listening"))
    return started


@pytest.mark.parametrize(
    ("count", "cuts"),
    [(300, 6), pytest.param(5000, 100, marks=[pytest.mark.long, pytest.mark.timeout(300)])],
)
def test_connections_may_be_cut_at_any_moment(
    worker: Worker, evidence: Evidence, all_done: AllDone, proxy: Proxy, count: int, cuts: int
) -> None:
    enqueue_many(
        JobSpec(task="check.mark", payload={"key": str(n), "seconds": 0.03}) for n in range(count)
    )
    succeeded = Job.objects.filter(status=JobStatus.SUCCEEDED)
    for number in range(cuts):
        share = count * number / cuts
        wait_until(lambda share=share: succeeded.count() >= share, seconds=30)  # type: ignore[misc]
        proxy.cut()
    all_done(seconds=120)
    # A claim whose answer was lost was found again, so that no attempt was spent for nothing.
    evidence.assert_once_each(count)
    history.assert_sound()
    assert not Job.objects.exclude(status=JobStatus.SUCCEEDED, attempts=1).exists()
    assert worker.alive()


def test_an_outage_shorter_than_the_lease_is_only_waited_for(
    worker: Worker, evidence: Evidence, all_done: AllDone, proxy: Proxy
) -> None:
    keys = [str(n) for n in range(8)]
    enqueue_many(JobSpec(task="check.held", payload={"key": key, "until": "end"}) for key in keys)
    wait_until(lambda: len(evidence.starts()) == 8)
    enqueue_many(JobSpec(task="check.mark", payload={"key": f"later-{key}"}) for key in keys)
    proxy.refuse()
    evidence.let_go("end")
    wait_until(lambda: len(evidence.ends()) == 8 and worker.said("worker.lost_db"))
    proxy.mend()
    all_done()
    evidence.assert_once_each(16)
    assert worker.said("worker.recovered")
    history.assert_sound()


@pytest.mark.parametrize("silence", ["hold", "strand"])
def test_connections_that_fell_silent_are_cut_and_replaced(
    worker: Worker, evidence: Evidence, all_done: AllDone, proxy: Proxy, silence: str
) -> None:
    enqueue_many(
        JobSpec(task="check.held", payload={"key": str(n), "until": "end"}) for n in range(4)
    )
    wait_until(lambda: len(evidence.starts()) == 4)
    getattr(proxy, silence)()
    evidence.let_go("end")
    wait_until(lambda: worker.said("worker.connection_cut"))
    proxy.mend()
    enqueue("check.mark", {"key": "next"})
    all_done()
    evidence.assert_once_each(5)
    history.assert_sound()
    # Wake-ups work again as well, by a connection that was silent too.
    woken = time.monotonic()
    enqueue("check.mark", {"key": "woken"})
    all_done()
    assert time.monotonic() - woken < 5 * slowness()


@pytest.mark.long
@pytest.mark.parametrize("status", ["running", "succeeded"])
def test_a_session_that_the_server_does_not_know_is_dead_holds_nobody_up(
    worker: Worker,
    evidence: Evidence,
    all_done: AllDone,
    proxy: Proxy,
    status: str,
) -> None:
    """The network loses the connection in the middle of a transaction, which stays open."""
    with gate(becomes(status)) as held_up:
        enqueue("check.mark", {"key": "a"})
        held_up.wait_for_somebody()
        proxy.strand()
        held_up.open()
        enqueue("check.mark", {"key": "b"})
        all_done(seconds=40)
    evidence.assert_once_each(2)
    history.assert_sound()
