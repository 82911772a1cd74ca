"""Numbers: bounded, honest about it, and cheap however large the table."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from jobs import stats
from jobs.models import Job
from jobs.stats import measures, overview, queues
from jobs.store import queues as controls
from tests.support import factories
from tests.support.factories import USING

pytestmark = pytest.mark.django_db


@pytest.fixture
def small_bound(monkeypatch: pytest.MonkeyPatch) -> int:
    for module in (measures, overview, queues):
        monkeypatch.setattr(module, "BOUND", 5)
    return 5


def test_counting_stops_at_the_bound_and_says_so(small_bound: int) -> None:
    factories.jobs(small_bound)
    factories.jobs(small_bound + 3, "succeeded")
    found = stats.totals(USING, stats.clock(USING)).jobs
    assert found["queued"] == stats.BoundedCount(5, exact=True)
    assert found["succeeded"] == stats.BoundedCount(5, exact=False)
    assert found["running"] == stats.BoundedCount(0, exact=True)


def test_past_the_bound_throughput_is_estimated_from_the_newest(small_bound: int) -> None:
    for seconds in range(0, 600, 10):
        factories.job("succeeded", finished_seconds=seconds)
    found = stats.totals(USING, stats.clock(USING))
    minute, hour = found.last_minute["succeeded"], found.last_hour["succeeded"]
    # The newest six span 50 seconds.
    assert (minute.exact, hour.exact) == (False, False)
    assert 5 <= minute.count <= 8
    assert 300 <= hour.count <= 460


def test_throughput_within_the_bound_is_exact() -> None:
    for seconds in (0, 30, 90, 3000, 4000):
        factories.job("failed", finished_seconds=seconds)
    found = stats.totals(USING, stats.clock(USING))
    assert found.last_minute["failed"] == stats.BoundedCount(2)
    assert found.last_hour["failed"] == stats.BoundedCount(4)


def test_latency_is_taken_from_succeeded_jobs_and_never_negative() -> None:
    def ago(seconds: float) -> Any:
        return Now() - dt.timedelta(seconds=seconds)

    for run in range(1, 101):
        times = {"available_at": ago(run + 5), "started_at": ago(run)}
        factories.job("succeeded", finished_at=Now(), **times)
    factories.job("succeeded", finished_at=ago(20), started_at=ago(10), available_at=ago(1))
    factories.job("succeeded", finished_at=Now(), started_at=None)
    found = stats.latency(USING, stats.clock(USING))
    assert found.jobs == 101
    assert found.run == pytest.approx({"p50": 50, "p95": 95, "p99": 99}, abs=1.5)
    assert found.wait == pytest.approx({"p50": 5, "p95": 5, "p99": 5}, abs=0.5)


def test_the_oldest_queued_job_counts_whatever_its_priority() -> None:
    for priority, age in ((10, 5), (0, 500), (-10, 50)):
        due = Now() - dt.timedelta(seconds=age)
        factories.job(priority=priority, available_at=due, queue="mail")
    factories.job("scheduled", queue="mail")
    factories.job(queue="other")
    assert stats.oldest_queued_seconds(USING, stats.clock(USING)) == pytest.approx(500, abs=60)
    found = {state.name: state for state in stats.queue_states(USING)}
    assert found["mail"].oldest_queued_seconds == pytest.approx(500, abs=60)
    assert found["other"].oldest_queued_seconds == pytest.approx(0, abs=60)


def test_queues_are_counted_apart(small_bound: int) -> None:
    for n in range(3):
        factories.jobs(n + 4, queue=f"q{n}")
        factories.jobs(n + 1, "scheduled", queue=f"q{n}")
    controls.pause(USING, "empty", by="me", reason="why")
    found = {state.name: state for state in stats.queue_states(USING)}
    counts = [found[f"q{n}"].jobs["queued"] for n in range(3)]
    assert counts == [
        stats.BoundedCount(4),
        stats.BoundedCount(5),
        stats.BoundedCount(5, exact=False),
    ]
    # Six scheduled jobs are over the bound, so none of their counts is the whole.
    assert not any(found[f"q{n}"].jobs["scheduled"].exact for n in range(3))
    assert found["empty"].jobs["queued"] == stats.BoundedCount(0)
    assert (found["empty"].paused_by, found["empty"].pause_reason) == ("me", "why")


def test_no_queue_at_all_is_no_error() -> None:
    assert stats.oldest_queued_seconds(USING, stats.clock(USING)) is None
    assert all(state.oldest_queued_seconds is None for state in stats.queue_states(USING))


@pytest.mark.postgres
def test_no_number_reads_the_whole_table() -> None:
    """Sixty thousand finished jobs around; every plan must go by an index."""
    model = factories.job("succeeded")
    columns = [f.column for f in Job._meta.concrete_fields if not f.primary_key]
    values = [f"{c} - n * interval '1 s'" if c == "finished_at" else c for c in columns]
    copy = (
        f"INSERT INTO jobs ({', '.join(columns)})"  # noqa: S608
        f" SELECT {', '.join(values)} FROM jobs, generate_series(1, 60000) AS n"
    )
    with connection.cursor() as cursor:
        cursor.execute(f"{copy} WHERE jobs.id = %s", [model.pk])
    factories.jobs(200)
    factories.jobs(5, "running")
    factories.jobs(5, "failed")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE jobs")
    with CaptureQueriesContext(connection) as captured:
        stats.totals(USING, stats.clock(USING))
        stats.latency(USING, stats.clock(USING))
        stats.queue_states(USING)
        stats.oldest_queued_seconds(USING, stats.clock(USING))
    reads = [query["sql"] for query in captured if "jobs" in query["sql"]]
    assert len(reads) >= 6
    for sql in reads:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}")
            (plan,) = cursor.fetchone()[0]
        worst = max(rows_read(plan["Plan"]))
        assert worst <= 10_001, sql


def rows_read(node: dict[str, Any]) -> list[float]:
    """How many rows each scan of a plan touched, those thrown away included."""
    found: list[float] = [0]
    if "Scan" in node["Node Type"] and node.get("Relation Name") == "jobs":
        removed = node.get("Rows Removed by Filter", 0)
        found.append((node["Actual Rows"] + removed) * node["Actual Loops"])
    for child in node.get("Plans", ()):
        found += rows_read(child)
    return found


def test_a_running_job_is_stalled_once_rescue_should_have_come() -> None:
    factories.job("running")
    factories.job("running", lease_seconds=-1.0)
    assert stats.glance(USING).stalled == stats.BoundedCount(0)
    factories.job("running", lease_seconds=-300.0)
    assert stats.glance(USING).stalled == stats.BoundedCount(1)
