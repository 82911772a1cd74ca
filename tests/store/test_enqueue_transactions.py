"""A job belongs to the transaction that asked for it."""

from __future__ import annotations

from functools import partial

import pytest
from django.db import transaction

from jobs.models import Job, JobEvent
from jobs.store import enqueue
from jobs.store.values import EnqueuedJob
from tests.support import factories
from tests.support.factories import USING, new_job
from tests.support.threads import together

pytestmark = pytest.mark.usefixtures("committed_db")


class Oops(Exception):
    """What the caller's own code raises."""


def insert(count: int = 1) -> list[EnqueuedJob]:
    return enqueue.insert(USING, [new_job() for _ in range(count)])


@transaction.atomic
def insert_and_raise(count: int) -> None:
    insert(count)
    raise Oops


@pytest.mark.postgres
@pytest.mark.parametrize("count", [1, 30])
def test_nobody_sees_or_claims_a_job_before_the_commit(count: int) -> None:
    def look() -> tuple[int, int, int]:
        return Job.objects.count(), JobEvent.objects.count(), len(factories.claim())

    with transaction.atomic():
        insert(count)
        assert together([look], seconds=5) == [(0, 0, 0)]
    assert together([look], seconds=5) == [(count, count, count)]


@pytest.mark.parametrize("count", [1, 30, pytest.param(6000, marks=pytest.mark.postgres)])
def test_an_error_of_the_caller_leaves_no_job_and_no_event(count: int) -> None:
    with pytest.raises(Oops):
        insert_and_raise(count)
    assert (Job.objects.count(), JobEvent.objects.count()) == (0, 0)


def test_an_error_that_the_caller_catches_within_keeps_the_rest() -> None:
    with transaction.atomic():
        insert()
        with pytest.raises(Oops):
            insert_and_raise(5)
        insert()
    assert (Job.objects.count(), JobEvent.objects.count()) == (2, 2)


def test_the_jobs_of_many_callers_are_all_there() -> None:
    answers = together([partial(insert, 5) for _ in range(8)])
    assert len({answer.id for one in answers for answer in one}) == 40
    assert JobEvent.objects.count() == 40
