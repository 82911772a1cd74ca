from __future__ import annotations

from collections.abc import Callable

from jobs import JobSpec, enqueue, enqueue_many
from jobs.models import Job
from jobs.states import JobStatus
from tests.process import MARKS
from tests.support import history
from tests.support.evidence import Evidence
from tests.support.processes import SHORT_LEASE, Workers
from tests.support.waiting import wait_until

pytestmark = MARKS
AllDone = Callable[..., None]

CLEAN = {
    "atomic": False,
    "autocommit": True,
    "language": "en-us",
    "left over": "",
    "timezone": "UTC",
}


def test_nothing_that_a_handler_throws_or_returns_harms_its_thread(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    worker = workers.start(threads=3)
    kinds = ["SystemExit", "KeyboardInterrupt", "GeneratorExit", "BaseException"]
    expected = {enqueue("check.base_exc", {"kind": kind}).id: kind for kind in kinds * 2}
    expected[enqueue("check.bad_str").id] = "Unprintable: (could not be made"
    expected[enqueue("check.big_error", {"megabytes": 20}).id] = "RuntimeError: \\x00\\ud800x"
    expected[enqueue("check.deep", {"levels": 500}).id] = "RuntimeError: from the bottom"
    for kind in ("nan", "nul", "bytes", "datetime", "large"):
        expected[enqueue("check.result", {"kind": kind}).id] = "InvalidInput: result"
    expected[enqueue("check.result", {"kind": "odd"}).id] = "RuntimeError: not for you"
    all_done()
    for pk, text in expected.items():
        row = Job.objects.get(pk=pk)
        assert (row.status, text in row.error) == (JobStatus.FAILED, True), row.error
        assert len(row.error) < 5000
    # All three threads are still there: three jobs run at the same time.
    enqueue_many(
        JobSpec(task="check.held", payload={"key": str(n), "until": "all"}) for n in range(3)
    )
    enqueue("check.mark", {"key": "later"})
    wait_until(lambda: len(evidence.starts()) == 3)
    evidence.let_go("all")
    all_done()
    assert worker.alive()
    history.assert_sound()


def test_a_handler_leaves_nothing_behind_for_the_next_one(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    worker = workers.start(threads=1, **SHORT_LEASE)
    messes = [("check.dirty_db", {"how": how}) for how in ("open", "abort", "close", "terminate")]
    for task, payload in [*messes, ("check.dirty_env", {})]:
        enqueue(task, payload)
        probe = enqueue("check.probe")
        all_done()
        assert Job.objects.get(pk=probe.id).result == CLEAN, payload
    assert not Job.objects.exclude(status=JobStatus.SUCCEEDED, attempts=1).exists()
    # What belongs to the process stays changed, and nothing of the engine leans on it.
    enqueue("check.mark", {"key": "renewed", "seconds": 3})
    enqueue("check.mark", {"key": "promoted"}, delay_seconds=0.5)
    all_done()
    evidence.assert_once_each(2)
    assert worker.stop() == 0
    history.assert_sound()


def test_a_child_that_a_handler_forks_is_no_second_worker(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    worker = workers.start()
    job = enqueue("check.forker", {"key": "fork"})
    all_done()
    assert Job.objects.get(pk=job.id).result == 7
    enqueue_many(JobSpec(task="check.mark", payload={"key": str(n)}) for n in range(40))
    all_done()
    evidence.assert_once_each(41)
    assert {line["pid"] for line in evidence.starts()} == {worker.pid}
    assert not worker.said("worker.lost_db")
    history.assert_sound()
