from __future__ import annotations

from collections.abc import Iterator

import pytest

from jobs.models import Job
from jobs.store import bookmarks
from jobs.store.bookmarks import Bookmarks, Place
from tests.support import factories

pytestmark = pytest.mark.django_db


class Clock:
    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    monkeypatch.setattr(bookmarks, "time", made := Clock())
    return made


PLACE = Place(0, 1.0, 1.0, 1)


def slowed(*queues: str | None, seconds: float = 0.02) -> Bookmarks:
    """Of a pool whose looks have just become slow."""
    made = Bookmarks()
    made.looked(None, 0.001)
    for queue in queues or (None,):
        for _ in range(2):
            made.looked(queue, seconds)
    return made


def test_quick_looks_are_always_from_the_front(clock: Clock) -> None:
    made = Bookmarks()
    for seconds in (0.001, 0.0029, 0.001, 0.5, 0.001, 0.5):
        made.looked(None, seconds)
        made.move(None, PLACE)
        assert made.place(None) is None


def test_looks_that_were_never_quicker_are_not_slow(clock: Clock) -> None:
    made = Bookmarks()
    for _ in range(5):
        made.looked(None, 0.1)
        made.move(None, PLACE)
    assert made.place(None) is None


@pytest.mark.parametrize(("seconds", "patience"), [(0.02, 0.2), (3.0, 0.5)])
def test_slow_looks_leave_a_bookmark_for_a_while(
    clock: Clock, seconds: float, patience: float
) -> None:
    made = slowed(seconds=seconds)
    assert made.place(None) is None, "nothing has been taken since"
    made.move(None, PLACE)
    clock.now += patience - 0.001
    assert made.place(None) == PLACE
    clock.now += 0.002
    assert made.place(None) is None


def test_each_queue_has_its_own(clock: Clock) -> None:
    made = slowed("a", "b")
    made.move("a", PLACE)
    assert (made.place("a"), made.place("b"), made.place(None)) == (PLACE, None, None)
    made.clear()
    assert made.place("a") is None


def claimed(made: Bookmarks, limit: int, queues: list[str] | None = None) -> list[int]:
    return [job.id for job in factories.claim(limit, queues=queues, bookmarks=made)]


@pytest.mark.postgres
@pytest.mark.parametrize("queues", [None, ["default"]])
def test_claims_go_on_from_the_bookmark_and_then_from_the_front(
    clock: Clock, queues: list[str] | None
) -> None:
    first, second, third, fourth = (job.pk for job in factories.jobs(4))
    made = slowed(queues and queues[0])
    made.looked = lambda *told: None  # type: ignore[method-assign]
    assert claimed(made, 2, queues) == [first, second]
    urgent = factories.job(priority=5).pk
    assert claimed(made, 1, queues) == [third]
    clock.now += 1
    assert claimed(made, 1, queues) == [urgent]
    assert claimed(made, 9, queues) == [fourth]


@pytest.mark.postgres
def test_a_claim_that_finds_nothing_behind_the_bookmark_looks_from_the_front(clock: Clock) -> None:
    (job,) = factories.jobs(1)
    made = slowed()
    assert claimed(made, 5) == [job.pk]
    low = factories.job(priority=-1).pk
    assert claimed(made, 5) == [low]
    assert claimed(made, 5) == []


@pytest.mark.postgres
def test_jobs_left_to_others_are_not_passed_over(clock: Clock) -> None:
    first, second, third = (job.pk for job in factories.jobs(3))
    made = slowed()
    (taken,) = factories.claim(3, choose=lambda tasks: [1], bookmarks=made)
    assert taken.id == second
    assert claimed(made, 5) == [first, third]


@pytest.mark.postgres
def test_the_place_is_that_of_the_job_to_the_microsecond(clock: Clock) -> None:
    jobs = factories.jobs(300)
    Job.objects.filter(pk__in=[job.pk for job in jobs]).update(
        available_at=jobs[0].available_at, created_at=jobs[0].created_at
    )
    made = slowed()
    made.looked = lambda *told: None  # type: ignore[method-assign]
    found = [claimed(made, 7) for _ in range(43)]
    assert [job_id for ids in found for job_id in ids] == [job.pk for job in jobs]
