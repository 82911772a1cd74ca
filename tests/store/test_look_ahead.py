"""Jobs behind others that cannot be taken: found up to a bound, and locked as all are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from jobs.models import Job
from jobs.states import JobStatus
from jobs.store.look_ahead import FRONT, LookAhead
from tests.support import factories
from tests.support.threads import together

pytestmark = pytest.mark.usefixtures("committed_db")

WAITS = "tests.waits"


def ask(*, among: bool = True, limit: int = 10) -> Any:
    return lambda: LookAhead(tasks={WAITS}, among=among, limit=limit)


def nothing(tasks: Sequence[str]) -> Sequence[int]:
    return []


def test_jobs_of_a_task_are_found_behind_others() -> None:
    factories.jobs(30)
    wanted = [factories.job(task=WAITS, priority=-n).pk for n in range(1, 4)]
    claimed = factories.claim(5, choose=nothing, ahead=ask(limit=2))
    assert [job.id for job in claimed] == wanted[:2]
    assert [job.attempt for job in claimed] == [1, 1]
    assert Job.objects.filter(status=JobStatus.RUNNING).count() == 2


def test_jobs_of_all_other_tasks_are_found_as_well() -> None:
    factories.jobs(30, task=WAITS)
    other = factories.job(priority=-1)
    claimed = factories.claim(5, choose=nothing, ahead=ask(among=False))
    assert [job.id for job in claimed] == [other.pk]


def test_a_job_that_was_picked_already_is_not_taken_twice() -> None:
    rows = factories.jobs(3, task=WAITS)
    claimed = factories.claim(2, ahead=ask())
    assert sorted(job.id for job in claimed) == [row.pk for row in rows]
    assert {job.attempt for job in claimed} == {1}


def test_behind_a_pick_that_was_not_filled_there_is_nothing() -> None:
    factories.jobs(3)

    def unasked() -> LookAhead | None:
        raise AssertionError("nothing can be there")

    assert len(factories.claim(5, ahead=unasked)) == 3


def test_the_look_is_bounded_for_each_queue_that_is_named() -> None:
    factories.jobs(FRONT, queue="plain")
    behind = factories.job(task=WAITS, queue="plain", priority=-1)
    apart = factories.job(task=WAITS, queue="apart", priority=-2)
    found = factories.claim(1, choose=nothing, ahead=ask())
    assert found == []
    found = factories.claim(1, choose=nothing, queues=["plain", "apart"], ahead=ask())
    assert [job.id for job in found] == [apart.pk]
    Job.objects.filter(queue="plain").exclude(pk=behind.pk).order_by("pk")[:1].get().delete()
    found = factories.claim(1, choose=nothing, ahead=ask())
    assert [job.id for job in found] == [behind.pk]


@pytest.mark.postgres
def test_pools_that_look_ahead_at_once_take_each_job_once() -> None:
    factories.jobs(20)
    rows = factories.jobs(40, task=WAITS, priority=-1)

    def drain(worker: str) -> list[int]:
        found: list[int] = []
        while Job.objects.filter(task=WAITS, status=JobStatus.QUEUED).exists():
            claimed = factories.claim(2, choose=nothing, worker=worker, ahead=ask(limit=3))
            found += [job.id for job in claimed]
        return found

    found = together([partial(drain, f"w{n}") for n in range(4)])
    assert sorted(job_id for one in found for job_id in one) == [row.pk for row in rows]
