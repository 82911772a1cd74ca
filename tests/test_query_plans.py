"""What the hot statements cost with a table full of other work around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from jobs import lifecycle
from jobs.models import Job
from jobs.states import JobStatus
from jobs.store import leases, prune, queues
from jobs.store.bookmarks import Bookmarks, Place
from jobs.store.look_ahead import FRONT, LookAhead
from tests.support import factories
from tests.support.backlog import fill
from tests.support.factories import USING
from tests.support.plans import FRESH, SORTS, STALE, Plan, execute

pytestmark = pytest.mark.postgres

LIMIT = 20
LOST, ALIVE = 1000, 1000
PAST, FUTURE = "interval '1 day' * random()", "interval '-1 day' * (random() + 1)"


@pytest.fixture(scope="module")
def backlog(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """50,000 queued, 200,000 scheduled, 200,000 finished and 2,000 running jobs; no commit."""
    with django_db_blocker.unblock():
        execute("TRUNCATE jobs CASCADE", "ANALYZE jobs, job_events")
        with transaction.atomic():
            fill(50_000, JobStatus.QUEUED, age=PAST)
            fill(200_000, JobStatus.SCHEDULED, age=FUTURE)
            fill(1000, JobStatus.SCHEDULED, age=PAST)
            fill(190_000, JobStatus.SUCCEEDED, age=PAST)
            fill(10_000, JobStatus.FAILED, age=PAST)
            fill(ALIVE, JobStatus.RUNNING, age=FUTURE)
            fill(LOST, JobStatus.RUNNING, age=PAST)
            yield
            transaction.set_rollback(True)
        execute("TRUNCATE jobs CASCADE")


def the_pick(found: Sequence[Plan]) -> list[Plan]:
    return [plan for plan in found if plan.sql.endswith("SKIP LOCKED")]


def assert_reads_only_what_it_takes(plan: Plan, index: str, rows: int) -> None:
    assert plan.indexes == {index}, plan.root
    assert not plan.kinds & SORTS, plan.root
    assert plan.rows_read <= rows, plan.root
    # Each row: its index entry, the row itself and the row again to lock it.
    assert plan.blocks <= 20 + 8 * rows, plan.root


def assert_every_statement_is_small(found: Sequence[Plan], rows: int) -> None:
    for plan in found:
        scanned = {n["Relation Name"] for n in plan.nodes() if n["Node Type"] == "Seq Scan"}
        # There are no workflows here, and an empty table is read as a whole.
        assert scanned <= {"job_workflows"}, plan
        assert plan.rows_read <= 4 * rows + 10, plan
        assert plan.blocks <= 100 + 100 * rows, plan


def test_a_claim_from_all_queues_reads_only_the_jobs_it_takes(plans: Any) -> None:
    found = plans(partial(factories.claim, LIMIT))
    (pick,) = the_pick(found)
    assert_reads_only_what_it_takes(pick, "jobs_claim", LIMIT)
    assert_every_statement_is_small(found, LIMIT)


def test_a_claim_from_one_queue_reads_only_the_jobs_it_takes(plans: Any) -> None:
    found = plans(partial(factories.claim, LIMIT, queues=["queue-3"]))
    (pick,) = the_pick(found)
    assert_reads_only_what_it_takes(pick, "jobs_claim_queue", LIMIT)
    assert_every_statement_is_small(found, LIMIT)


def test_a_claim_from_several_queues_reads_as_many_from_each(plans: Any) -> None:
    found = plans(partial(factories.claim, LIMIT, queues=["queue-1", "queue-2", "queue-3"]))
    picks = the_pick(found)
    assert len(picks) == 3
    for pick in picks:
        assert_reads_only_what_it_takes(pick, "jobs_claim_queue", LIMIT)


def test_a_claim_from_an_empty_queue_reads_nothing(plans: Any) -> None:
    (pick,) = plans(partial(factories.claim, LIMIT, queues=["queue-none"]))
    assert_reads_only_what_it_takes(pick, "jobs_claim_queue", 0)


@pytest.mark.parametrize("queue", [None, "queue-3"], ids=["all queues", "one queue"])
def test_a_claim_from_behind_a_bookmark_steps_over_nothing(plans: Any, queue: str | None) -> None:
    jobs = Job.objects.filter(status=JobStatus.QUEUED, priority=0, queue__in=[queue or "queue-0"])
    middle = jobs.order_by(*Job.CLAIM_ORDER)[2000]
    mark = Bookmarks()
    mark.move(queue, Place(0, middle.available_at.timestamp(), middle.created_at.timestamp(), 0))
    mark.looked = lambda *told: pytest.fail("looked from the front")  # type: ignore[method-assign]
    mark.place = mark._places.get  # type: ignore[method-assign]
    named = None if queue is None else [queue]
    (pick,) = the_pick(plans(partial(factories.claim, LIMIT, queues=named, bookmarks=mark)))
    index = "jobs_claim" if queue is None else "jobs_claim_queue"
    assert_reads_only_what_it_takes(pick, index, LIMIT)
    assert pick.sql.count("to_timestamp") == 2


def test_a_look_ahead_reads_the_front_and_locks_what_it_takes(plans: Any) -> None:
    wanted = LookAhead(tasks={"tests.other"}, among=False, limit=LIMIT)
    found = plans(partial(factories.claim, 0, choose=lambda tasks: [], ahead=lambda: wanted))
    front, pick = found[0], the_pick(found)[-1]
    assert_reads_only_what_it_takes(front, "jobs_claim", FRONT)
    assert pick.indexes == {"jobs_pkey"}, pick.root
    assert pick.rows_read <= 3 * FRONT, pick.root


def test_the_names_of_waiting_queues_cost_as_many_look_ups_as_there_are(plans: Any) -> None:
    (plan,) = plans(partial(queues.waiting_queues, USING))
    assert plan.indexes == {"jobs_claim_queue"}
    assert plan.rows_read <= 10


def test_promotion_reads_only_what_is_due(plans: Any) -> None:
    found = plans(partial(lifecycle.promote, USING, limit=LIMIT))
    (pick,) = the_pick(found)
    assert_reads_only_what_it_takes(pick, "jobs_due", LIMIT)
    assert_every_statement_is_small(found, LIMIT)


def test_a_rescue_reads_only_what_is_lost(plans: Any, statistics: str) -> None:
    found = plans(partial(lifecycle.rescue, USING, limit=LIMIT, worker="w"))
    pick = the_pick(found)[-1]
    if statistics == STALE:
        # Taken for a few, all lost jobs are read and sorted; still none of the others.
        assert pick.indexes == {"jobs_lease"}
        assert pick.rows_read <= 2 * LOST
    else:
        assert_reads_only_what_it_takes(pick, "jobs_lease", LIMIT)
        assert_every_statement_is_small(found, LIMIT)


# A table with jobs old enough to prune has been analysed long ago.
@pytest.mark.parametrize("statistics", [FRESH], indirect=True)
@pytest.mark.parametrize("status", [JobStatus.SUCCEEDED, JobStatus.FAILED])
def test_a_prune_reads_only_what_it_deletes(plans: Any, statistics: str, status: JobStatus) -> None:
    found = plans(partial(prune.prune_batch, USING, status, age_seconds=60, limit=LIMIT))
    pick = the_pick(found)[0]
    assert_reads_only_what_it_takes(pick, "jobs_finished", LIMIT)
    assert_every_statement_is_small(found, LIMIT)


@pytest.mark.parametrize("statistics", [FRESH], indirect=True)
def test_what_is_old_is_counted_in_the_order_of_its_index(plans: Any, statistics: str) -> None:
    count_old = partial(prune.count_old, USING, JobStatus.SUCCEEDED, age_seconds=60, limit=LIMIT)
    count = plans(count_old)[0]
    assert_reads_only_what_it_takes(count, "jobs_finished", LIMIT)


def test_a_prune_with_nothing_to_do_reads_nothing(plans: Any) -> None:
    prune_batch = partial(
        prune.prune_batch, USING, JobStatus.CANCELLED, age_seconds=60, limit=LIMIT
    )
    assert_every_statement_is_small(plans(prune_batch), 0)


def test_outcomes_and_renewals_read_no_other_rows_than_running_ones(plans: Any) -> None:
    rows = list(Job.objects.filter(status=JobStatus.RUNNING)[:LIMIT])
    held = {row.pk: row.lease_token for row in rows}
    outcomes = [factories.succeeded(row) for row in rows]
    finish = plans(partial(factories.finish, *outcomes))
    renew = plans(partial(leases.renew, USING, held, lease_seconds=30))
    for plan in (*finish, *renew):
        assert plan.indexes <= {"jobs_pkey", "jobs_lease"}, plan
        assert plan.rows_read <= 4 * LIMIT + 2 * (LOST + ALIVE), plan
