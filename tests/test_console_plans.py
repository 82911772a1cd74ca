"""What it costs to ask for numbers and to search, with many jobs around."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from jobs import stats
from jobs.api import queries, search
from jobs.models import Job, Rollup
from jobs.models.rollup import SPANS_SECONDS, RollupOutcome
from jobs.states import JobStatus
from jobs.stats import measures, overview, queues, rates
from jobs.store.filters import matching
from tests.support.backlog import fill
from tests.support.factories import USING
from tests.support.plans import FRESH, SORTS, Plan, execute

pytestmark = pytest.mark.postgres

BOUND = 200
JOBS = 20_000
SPANS = 400
SECOND = dt.timedelta(seconds=1)
SCANNED = {"jobs_blocked", "jobs_due", "jobs_claim", "jobs_lease", "jobs_finished"}
# Taken for a few, all jobs in a status are sorted; a table with many has been analysed long ago.
ANALYSED = pytest.mark.parametrize("statistics", [FRESH], indirect=True)


@pytest.fixture(scope="module")
def backlog(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """20,000 jobs in each status that needs no dependency, and sums of events; no commit."""
    with django_db_blocker.unblock():
        execute("TRUNCATE jobs CASCADE", "ANALYZE jobs, job_events, job_rollups")
        with transaction.atomic():
            for status in set(JobStatus) - {JobStatus.BLOCKED}:
                fill(JOBS, status)
            now = stats.clock(USING)
            Rollup.objects.bulk_create(
                Rollup(
                    span_seconds=span,
                    at=now - n * span * SECOND,
                    queue="q",
                    outcome=outcome,
                    jobs=1,
                )
                for span in SPANS_SECONDS
                for n in range(SPANS)
                for outcome in RollupOutcome
            )
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


def test_latency_is_read_from_the_latest_jobs_alone(plans: Any) -> None:
    (plan,) = plans(lambda: stats.latency(USING, stats.clock(USING)))
    assert plan.indexes == {"jobs_finished"}, plan.root
    assert not plan.kinds & SORTS, plan.root
    assert plan.rows_read <= overview.SAMPLE, plan.root


def test_rates_are_read_from_the_sums_of_their_time_alone(plans: Any) -> None:
    minutes, quarters = plans(partial(stats.queue_rates, USING))
    outcomes = len(RollupOutcome)
    assert minutes.rows_read <= 2 * outcomes * (rates.WAIT_MINUTES + 1), minutes.root
    assert quarters.rows_read <= 2 * outcomes * (rates.SPARKS + 1), quarters.root


@pytest.mark.parametrize("given", [{"queue": "nothing"}, {"task": "nothing"}, {"q": "nowhere"}])
def test_a_search_reads_its_stretch_and_nothing_else(
    plans: Any, given: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "_FIRST", 1000)
    newest = Job.objects.order_by("-pk").values_list("pk", flat=True)[0]
    stretch = search.Stretches(newest - 999, newest)
    rows = queries.job_rows(USING).filter(matching(given))
    (plan,) = plans(lambda: stretch.look(rows, None, 51, descending=True))
    assert plan.indexes == {"jobs_pkey"}, plan.root
    # Entries of the index, and their rows.
    assert plan.rows_read <= 2 * 1000, plan.root


def test_a_time_of_creation_is_found_by_look_ups(plans: Any) -> None:
    now = stats.clock(USING)
    (halves,) = (
        plan
        for plan in plans(lambda: search.Stretches.of(USING, {"created_before": now}))
        if "halves" in plan.sql
    )
    assert halves.indexes == {"jobs_pkey"}, halves.root
    # Two look-ups for each time the 120,000 ids are halved.
    assert halves.rows_read <= 2 * 7, halves.root
