"""What it costs to ask for numbers, with many jobs around."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from jobs import stats
from jobs.states import JobStatus
from jobs.stats import measures, overview, queues
from tests.support.backlog import fill
from tests.support.factories import USING
from tests.support.plans import FRESH, SORTS, Plan, execute

pytestmark = pytest.mark.postgres

BOUND = 200
JOBS = 20_000
SCANNED = {"jobs_blocked", "jobs_due", "jobs_claim", "jobs_lease", "jobs_finished"}
# Taken for a few, all jobs in a status are sorted; a table with many has been analysed long ago.
ANALYSED = pytest.mark.parametrize("statistics", [FRESH], indirect=True)


@pytest.fixture(scope="module")
def backlog(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """20,000 jobs in each status that needs no dependency; no commit."""
    with django_db_blocker.unblock():
        execute("TRUNCATE jobs CASCADE", "ANALYZE jobs, job_events")
        with transaction.atomic():
            for status in set(JobStatus) - {JobStatus.BLOCKED}:
                fill(JOBS, status)
            yield
            transaction.set_rollback(True)
        execute("TRUNCATE jobs CASCADE")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (measures, overview, queues):
        monkeypatch.setattr(module, "BOUND", BOUND)


def assert_counts_go_by_indexes(plan: Plan, statuses: int) -> None:
    assert plan.indexes <= SCANNED, plan.root
    assert not plan.kinds & SORTS, plan.root
    assert "Seq Scan" not in plan.kinds, plan.root
    assert plan.rows_read <= statuses * (BOUND + 1), plan.root


@ANALYSED
def test_jobs_of_each_status_are_counted_up_to_the_bound(
    plans: Any, few: None, statistics: str
) -> None:
    found = plans(lambda: stats.totals(USING, stats.clock(USING)))
    assert len(found) == 2
    for plan in found:
        assert_counts_go_by_indexes(plan, 4)


@ANALYSED
def test_jobs_of_each_queue_are_counted_up_to_the_bound(
    plans: Any, few: None, statistics: str
) -> None:
    (plan,) = (
        plan for plan in plans(partial(stats.queue_states, USING)) if "few GROUP" in plan.sql
    )
    assert_counts_go_by_indexes(plan, 3)


@ANALYSED
def test_stalled_jobs_are_counted_among_the_running(plans: Any, few: None, statistics: str) -> None:
    (plan,) = plans(lambda: overview.stalled(USING, stats.clock(USING)))
    assert_counts_go_by_indexes(plan, 1)
    assert plan.indexes == {"jobs_lease"}
