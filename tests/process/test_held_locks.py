from __future__ import annotations

from collections.abc import Callable

import pytest

from jobs import JobSpec, enqueue, enqueue_many
from jobs.models import Job
from jobs.states import JobStatus
from tests.process import MARKS
from tests.support import history
from tests.support.database import row_locks, scalar, second_connection, table_lock
from tests.support.evidence import Evidence
from tests.support.processes import SHORT_LEASE, Workers
from tests.support.waiting import wait_until

pytestmark = MARKS
AllDone = Callable[..., None]


@pytest.mark.parametrize(
    "mode", ["SHARE", pytest.param("ACCESS EXCLUSIVE", marks=pytest.mark.long)]
)
def test_a_table_that_is_locked_for_longer_than_a_lease_is_waited_for(
    workers: Workers, evidence: Evidence, all_done: AllDone, mode: str
) -> None:
    """Renewals wait as well, so every lease runs out; the living must get to renew theirs first."""
    workers.start(processes=2, **SHORT_LEASE)
    enqueue_many(
        JobSpec(task="check.held", payload={"key": str(n), "until": "end"}) for n in range(4)
    )
    wait_until(lambda: len(evidence.starts()) == 4)
    with table_lock(mode), second_connection() as clock, clock.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(4)")
    evidence.let_go("end")
    all_done()
    evidence.assert_once_each(4)
    history.assert_sound()
    assert not Job.objects.exclude(status=JobStatus.SUCCEEDED, attempts=1).exists()


def test_a_locked_row_holds_up_no_other_job(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    locked = enqueue("check.held", {"key": "locked"})
    worker = workers.start()
    wait_until(lambda: evidence.starts("locked"))
    due = enqueue("check.mark", {"key": "due"}, delay_seconds=1)
    with row_locks([locked.id, due.id]):
        enqueue_many(JobSpec(task="check.mark", payload={"key": str(n)}) for n in range(50))
        enqueue("check.mark", {"key": "later"}, delay_seconds=1.1)
        all_done(payload__key__in=[*map(str, range(50)), "later"])
        assert Job.objects.get(pk=due.id).status == JobStatus.SCHEDULED
        # Looking for the locked one again and again does not turn the loop into a busy one.
        assert passes_per_second() < 100
    evidence.let_go("locked")
    all_done()
    evidence.assert_once_each(53)
    history.assert_sound()
    assert worker.alive()


def passes_per_second() -> float:
    """Transactions of this database in a second."""
    counted = "SELECT sum(xact_commit + xact_rollback) FROM pg_stat_database"
    before = scalar(counted)
    scalar("SELECT pg_sleep(1)")
    return float(scalar(counted) - before)
