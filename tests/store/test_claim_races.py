"""Claims by several connections at once."""

from __future__ import annotations

import threading
import uuid
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.db.models import QuerySet

from jobs import lifecycle
from jobs.models import Job, JobEvent
from jobs.states import JobStatus
from jobs.store import claim, pick
from tests.support import factories
from tests.support.database import row_locks
from tests.support.factories import USING
from tests.support.threads import together

pytestmark = pytest.mark.usefixtures("committed_db")


def drain(limit: int, worker: str) -> list[int]:
    found: list[int] = []
    while claimed := factories.claim(limit, worker=worker):
        found += [job.id for job in claimed]
    return found


@pytest.mark.parametrize("limit", [1, 7])
def test_ten_threads_claim_sixty_jobs_once_each(limit: int) -> None:
    rows = factories.jobs(60)
    found = together([partial(drain, limit, f"w{n}") for n in range(10)])
    assert sorted(job_id for one in found for job_id in one) == sorted(row.pk for row in rows)
    assert set(Job.objects.values_list("status", "attempts")) == {("running", 1)}
    assert JobEvent.objects.filter(kind="claimed").count() == 60


@pytest.mark.postgres
def test_without_the_lock_the_guard_alone_still_claims_once_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = factories.jobs(60)
    monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, **how: rows)
    monkeypatch.setattr(pick, "_statement", pick._statement.__wrapped__)
    lost = []

    def drain_losing(worker: str) -> list[int]:
        found: list[int] = []
        while Job.objects.filter(status=JobStatus.QUEUED).exists():
            try:
                found += [job.id for job in factories.claim(1, worker=worker)]
            except DatabaseError as error:
                lost.append(str(error))
        return found

    found = together([partial(drain_losing, f"w{n}") for n in range(10)])
    assert sorted(job_id for one in found for job_id in one) == sorted(row.pk for row in rows)
    assert set(lost) == {"claim: a row changed while it was locked"}


@pytest.mark.postgres
@pytest.mark.parametrize("queues", [None, ["default"], ["default", "other"]])
def test_a_row_that_somebody_holds_is_passed_over_without_waiting(queues: Any) -> None:
    first, other = factories.jobs(2)
    with row_locks([first.pk]):
        assert [job.id for job in factories.claim(queues=queues)] == [other.pk]
    assert [job.id for job in factories.claim(queues=queues)] == [first.pk]


@pytest.mark.postgres
def test_jobs_left_by_the_chooser_are_free_when_the_claim_commits() -> None:
    factories.jobs(4)
    both_picked = threading.Barrier(2)

    def take_one(tasks: Any) -> list[int]:
        both_picked.wait(10)
        return [0]

    found = together([partial(factories.claim, 2, choose=take_one)] * 2)
    assert len({job.id for one in found for job in one}) == 2
    assert len(factories.claim()) == 2


@pytest.mark.postgres
def test_an_event_of_a_job_can_be_written_while_a_claim_holds_its_row() -> None:
    row = factories.job()
    row.lease_token = uuid.uuid4()
    stale = factories.succeeded(row)
    written = []

    def while_the_row_is_held(tasks: Any) -> list[int]:
        # Another connection drops its outcome, and notes so on this very job.
        written.extend(together([partial(factories.finish, stale)], seconds=5))
        return [0]

    assert [job.id for job in factories.claim(choose=while_the_row_is_held)] == [row.pk]
    assert written == [[]]
    assert [kind for kind, *_ in factories.history(row.pk)] == ["lease_lost", "claimed"]


@pytest.mark.postgres
def test_a_claim_that_is_rolled_back_gives_the_jobs_back_as_they_were() -> None:
    (row,) = factories.jobs(1)
    before = factories.snapshot(row.pk)
    with transaction.atomic():
        factories.claim()
        transaction.set_rollback(True)
    assert factories.snapshot(row.pk) == before
    assert len(factories.claim()) == 1


def test_outcomes_and_claims_share_one_transaction() -> None:
    done = factories.job(JobStatus.RUNNING)
    factories.job()

    def broken(tasks: Any) -> list[int]:
        raise RuntimeError("in the middle of the exchange")

    request = lifecycle.ClaimRequest(
        queues=None, limit=5, choose=broken, token=done.lease_token, lease_seconds=30
    )
    with pytest.raises(RuntimeError, match="in the middle"):
        lifecycle.exchange(USING, [factories.succeeded(done)], request, worker="w")
    assert Job.objects.get(pk=done.pk).status == JobStatus.RUNNING
    assert not JobEvent.objects.exists()
    assert claim.held(USING, [done.lease_token])
