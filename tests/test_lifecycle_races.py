"""Two connections and one row: who comes second looks again, and decides by what it finds."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Any

import pytest
from django.db import transaction

from jobs import lifecycle
from jobs.errors import IllegalTransition
from jobs.models import Job
from jobs.states import JobStatus
from jobs.store import leases, prune
from tests.support import factories
from tests.support.database import start_blocked
from tests.support.factories import USING
from tests.support.threads import together

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("committed_db")]


def lost() -> Job:
    return factories.job(JobStatus.RUNNING, lease_seconds=-1)


def cancel(row: Job) -> Job:
    return lifecycle.cancel(USING, row.pk, actor="me", reason="")


def rescue() -> list[Any]:
    return lifecycle.rescue(USING, limit=10, worker="rescuer")


def kinds(row: Job) -> list[str]:
    return [kind for kind, *_ in factories.history(row.pk)]


def attempt(verb: Any, row: Job) -> str:
    try:
        verb(USING, row.pk, actor="me", reason="")
    except IllegalTransition as error:
        return f"refused: {error.status}"
    return "done"


def test_of_two_outcomes_under_one_token_one_is_written() -> None:
    row = factories.job(JobStatus.RUNNING)
    outcomes = [factories.succeeded(row), factories.failed(row, None)]
    written = together([partial(factories.finish, outcome) for outcome in outcomes])
    assert sorted(len(one) for one in written) == [0, 1]
    assert kinds(row).count("lease_lost") == 1


def test_a_finisher_behind_a_rescue_finds_its_lease_gone() -> None:
    row = lost()
    with transaction.atomic():
        assert rescue()
        finisher = start_blocked(partial(factories.finish, factories.succeeded(row)))
    assert finisher.wait() == []
    assert kinds(row) == ["rescued", "lease_lost"]
    assert Job.objects.get(pk=row.pk).status == JobStatus.SCHEDULED


def test_a_finisher_behind_a_rescue_that_is_rolled_back_is_written() -> None:
    row = lost()
    with transaction.atomic():
        assert rescue()
        finisher = start_blocked(partial(factories.finish, factories.succeeded(row)))
        transaction.set_rollback(True)
    assert len(finisher.wait()) == 1
    assert kinds(row) == ["succeeded"]


def test_a_rescue_does_not_wait_for_a_finisher() -> None:
    row = lost()
    with transaction.atomic():
        factories.finish(factories.succeeded(row))
        assert together([rescue], seconds=5) == [[]]
    assert rescue() == []
    assert kinds(row) == ["succeeded"]


def test_two_rescuers_share_the_work() -> None:
    rows = factories.jobs(40, JobStatus.RUNNING, lease_seconds=-1)

    def rescue_all() -> list[Any]:
        found: list[Any] = []
        while some := lifecycle.rescue(USING, limit=3, worker="w"):
            found += some
        return found

    rescued = together([rescue_all] * 4)
    assert sorted(w.job_id for one in rescued for w in one) == sorted(row.pk for row in rows)


def test_a_renewal_beside_a_rescue_neither_waits_nor_calls_the_lease_lost_too_early() -> None:
    row = lost()
    renew = partial(leases.renew, USING, {row.pk: row.lease_token}, lease_seconds=60)
    with transaction.atomic():
        assert rescue()
        (beside,) = together([renew], seconds=5)
    assert beside.lost == frozenset()
    assert renew().lost == {row.pk}


@pytest.mark.parametrize("outcome", [factories.failed, factories.released])
def test_an_outcome_behind_a_cancel_request_ends_the_job_cancelled(outcome: Any) -> None:
    row = factories.job(JobStatus.RUNNING)
    with transaction.atomic():
        cancel(row)
        finisher = start_blocked(partial(factories.finish, outcome(row)))
    (written,) = finisher.wait()
    assert written.status == JobStatus.CANCELLED


def test_a_cancel_behind_an_outcome_finds_the_job_finished() -> None:
    row = factories.job(JobStatus.RUNNING)
    with transaction.atomic():
        factories.finish(factories.succeeded(row))
        canceller = start_blocked(partial(attempt, lifecycle.cancel, row))
    assert canceller.wait() == "refused: succeeded"
    assert kinds(row) == ["succeeded"]


def test_a_failure_behind_a_lowered_limit_is_the_last() -> None:
    row = factories.job(JobStatus.RUNNING, attempts=2, max_attempts=5)
    with transaction.atomic():
        Job.objects.filter(pk=row.pk).update(max_attempts=2)
        finisher = start_blocked(partial(factories.finish, factories.failed(row)))
    (written,) = finisher.wait()
    assert written.status == JobStatus.FAILED


def test_a_claim_passes_over_a_job_that_is_being_cancelled() -> None:
    row = factories.job()
    with transaction.atomic():
        cancel(row)
        assert together([factories.claim], seconds=5) == [[]]
    assert factories.claim() == []
    assert kinds(row) == ["cancelled"]


def test_a_cancel_behind_a_claim_becomes_a_request() -> None:
    row = factories.job()
    with transaction.atomic():
        factories.claim()
        canceller = start_blocked(partial(cancel, row))
    assert canceller.wait().status == JobStatus.RUNNING
    assert kinds(row) == ["claimed", "cancel_requested"]


@pytest.mark.parametrize("verb", [lifecycle.retry, lifecycle.cancel])
def test_of_twenty_requests_one_counts(verb: Any) -> None:
    start = JobStatus.FAILED if verb is lifecycle.retry else JobStatus.QUEUED
    row = factories.job(start)
    answers = together([partial(attempt, verb, row)] * 20)
    refused = "refused: queued" if verb is lifecycle.retry else "refused: cancelled"
    assert sorted(answers) == ["done"] + [refused] * 19
    assert len(kinds(row)) == 1


def test_a_promotion_passes_over_a_job_that_is_run_now() -> None:
    row = factories.job(JobStatus.SCHEDULED, available_at=factories.job().created_at)
    with transaction.atomic():
        lifecycle.run_now(USING, row.pk, actor="me")
        (promoted,) = together([partial(lifecycle.promote, USING, limit=10)], seconds=5)
        assert promoted.count == 0
    assert kinds(row) == ["promoted"]


def test_a_note_on_a_job_that_is_being_pruned_is_dropped_with_it() -> None:
    row = factories.job(JobStatus.SUCCEEDED, finished_seconds=60)
    row.lease_token = uuid.uuid4()
    late = factories.succeeded(row)
    with transaction.atomic():
        assert prune.prune_batch(USING, JobStatus.SUCCEEDED, age_seconds=1, limit=1) == 1
        finisher = start_blocked(partial(factories.finish, late))
    assert finisher.wait() == []
    assert kinds(row) == []


def test_a_job_that_gets_a_note_is_not_pruned_meanwhile() -> None:
    row = factories.job(JobStatus.SUCCEEDED, finished_seconds=60)
    row.lease_token = uuid.uuid4()
    prune_one = partial(prune.prune_batch, USING, JobStatus.SUCCEEDED, age_seconds=1, limit=1)
    with transaction.atomic():
        assert factories.finish(factories.succeeded(row)) == []
        assert together([prune_one], seconds=5) == [0]
    assert kinds(row) == ["lease_lost"]
    assert prune_one() == 1
    assert kinds(row) == []
