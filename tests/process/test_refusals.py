"""The database refuses: for a moment, or one outcome of many for good."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jobs import JobSpec, enqueue_many
from jobs.models import Job, JobEvent
from jobs.states import EventKind, JobStatus
from tests.support import history
from tests.support.evidence import Evidence
from tests.support.faults.triggers import CLAIMS, ENDS, SUCCEEDS, Triggers
from tests.support.processes import Workers
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.process, pytest.mark.postgres]
AllDone = Callable[..., None]

# Serialization failure, deadlock, statement timeout, lock not available, out of connections.
TRANSIENT = ("40001", "40P01", "57014", "55P03", "53300")


def test_what_passes_by_itself_costs_no_attempt(
    workers: Workers, evidence: Evidence, all_done: AllDone, triggers: Triggers
) -> None:
    workers.start("--lease", "30")
    for number, sqlstate in enumerate(TRANSIENT):
        for moment in (CLAIMS, SUCCEEDS):
            triggers.fail(moment, sqlstate, times=2)
            enqueue_many(
                JobSpec(task="check.mark", payload={"key": f"{sqlstate}-{moment}-{n}"})
                for n in range(4)
            )
            all_done()
            assert triggers.fires() > 2, (number, moment)
            triggers.clear()
    evidence.assert_once_each(len(TRANSIENT) * 2 * 4)
    history.assert_sound()
    assert not Job.objects.exclude(status=JobStatus.SUCCEEDED, attempts=1).exists()


def test_an_outcome_that_cannot_be_stored_hurts_no_other_of_its_batch(
    workers: Workers, evidence: Evidence, all_done: AllDone, triggers: Triggers
) -> None:
    made = enqueue_many(
        JobSpec(task="check.held", payload={"key": str(n), "until": "end"}) for n in range(20)
    )
    unlucky = made[7].id
    triggers.fail(f"{SUCCEEDS} AND NEW.id = {unlucky}", "22P02")
    workers.start(threads=20)
    wait_until(lambda: len(evidence.starts()) == 20)
    evidence.let_go("end")
    all_done()
    evidence.assert_once_each(20)
    history.assert_sound()
    row = Job.objects.get(status=JobStatus.FAILED)
    assert (row.pk, row.attempts) == (unlucky, 1)
    assert row.error.startswith("the database refused the outcome (succeed): injected failure")
    assert Job.objects.filter(status=JobStatus.SUCCEEDED).count() == 19


def test_a_job_whose_every_outcome_is_refused_holds_up_neither_pool_nor_rescue(
    workers: Workers, evidence: Evidence, all_done: AllDone, triggers: Triggers
) -> None:
    made = enqueue_many(JobSpec(task="check.mark", payload={"key": str(n)}) for n in range(5))
    unlucky = made[2].id
    triggers.fail(f"{ENDS} AND NEW.id = {unlucky}", "22P02")
    first = workers.start("--lease", "1", "--heartbeat", "0.2")
    others = Job.objects.exclude(pk=unlucky)
    wait_until(lambda: others.filter(status=JobStatus.SUCCEEDED).count() == 4)
    # A second job whose lease runs out is rescued past the one that cannot be.
    enqueue_many([JobSpec(task="check.slow_first", payload={"key": "a", "seconds": 60})])
    wait_until(lambda: evidence.starts("a"))
    first.kill()
    workers.start("--lease", "1", "--heartbeat", "0.2")
    wait_until(lambda: not others.exclude(status=JobStatus.SUCCEEDED).exists(), seconds=15)
    assert Job.objects.get(pk=unlucky).status == JobStatus.RUNNING
    triggers.clear()
    all_done()
    rescued = JobEvent.objects.filter(job=unlucky, kind=EventKind.RESCUED)
    assert rescued.count() == 1
    history.assert_sound()
