"""The database refuses: for a moment, or one outcome of many for good."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jobs import JobSpec, enqueue, enqueue_many
from jobs.models import Job, JobEvent
from jobs.states import EventKind, JobStatus
from tests.process import MARKS
from tests.support import history
from tests.support.evidence import Evidence
from tests.support.processes import SHORT_LEASE, Workers
from tests.support.triggers import becomes, raising, trigger
from tests.support.waiting import wait_until

pytestmark = MARKS
AllDone = Callable[..., None]

# Serialization failure, deadlock, statement timeout, lock not available, out of connections.
TRANSIENT = ("40001", "40P01", "57014", "55P03", "53300")


@pytest.mark.parametrize("status", ["succeeded", pytest.param("running", marks=pytest.mark.long)])
def test_what_passes_by_itself_costs_no_attempt(
    workers: Workers, evidence: Evidence, all_done: AllDone, status: str
) -> None:
    worker = workers.start()
    for number, sqlstate in enumerate(TRANSIENT, 1):
        with trigger(becomes(status), raising(sqlstate, times=2)):
            enqueue_many(
                JobSpec(task="check.mark", payload={"key": f"{sqlstate}-{n}"}) for n in range(4)
            )
            all_done()
        wait_until(lambda number=number: len(worker.said("worker.lost_db")) == number)  # type: ignore[misc]
    evidence.assert_once_each(len(TRANSIENT) * 4)
    history.assert_sound()
    assert not Job.objects.exclude(status=JobStatus.SUCCEEDED, attempts=1).exists()


def test_an_outcome_that_cannot_be_stored_hurts_no_other_of_its_batch(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    made = enqueue_many(
        JobSpec(task="check.held", payload={"key": str(n), "until": "end"}) for n in range(20)
    )
    unlucky = made[7].id
    workers.start(threads=20)
    wait_until(lambda: len(evidence.starts()) == 20)
    with trigger(becomes("succeeded", unlucky), raising("22P02")):
        evidence.let_go("end")
        all_done()
    evidence.assert_once_each(20)
    history.assert_sound()
    row = Job.objects.get(status=JobStatus.FAILED)
    assert (row.pk, row.attempts) == (unlucky, 1)
    assert row.error.startswith("the database refused the outcome (succeed): injected")
    assert Job.objects.filter(status=JobStatus.SUCCEEDED).count() == 19


def test_a_job_whose_every_outcome_is_refused_holds_up_neither_pool_nor_rescue(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    made = enqueue_many(JobSpec(task="check.mark", payload={"key": str(n)}) for n in range(5))
    unlucky = made[2].id
    ends = f"OLD.status = 'running' AND NEW.status <> 'running' AND NEW.id = {unlucky}"
    others = Job.objects.exclude(pk=unlucky)
    with trigger(ends, raising("22P02")):
        first = workers.start(**SHORT_LEASE)
        wait_until(lambda: others.filter(status=JobStatus.SUCCEEDED).count() == 4)
        # A second job whose lease runs out is rescued past the one that cannot be.
        enqueue("check.slow_first", {"key": "a", "seconds": 60})
        wait_until(lambda: evidence.starts("a"))
        first.kill()
        workers.start(**SHORT_LEASE)
        wait_until(lambda: not others.exclude(status=JobStatus.SUCCEEDED).exists(), seconds=15)
        assert Job.objects.get(pk=unlucky).status == JobStatus.RUNNING
    all_done()
    assert JobEvent.objects.filter(job=unlucky, kind=EventKind.RESCUED).count() == 1
    history.assert_sound()
