"""Series and rates out of the sums of events."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from jobs import stats
from jobs.histogram import bucket
from jobs.models import Rollup, RollupPosition, TaskRollup
from jobs.stats.measures import clock
from tests.support.factories import USING

pytestmark = pytest.mark.django_db
MINUTE, QUARTER = 60, 900


def begin(minutes_ago: float, span: int) -> dt.datetime:
    at = clock(USING) - dt.timedelta(minutes=minutes_ago)
    return dt.datetime.fromtimestamp(at.timestamp() // span * span, dt.UTC)


def times(name: str, seconds: float, count: int) -> dict[str, Any]:
    return {
        f"{name}_sum": seconds * count,
        f"{name}_max": seconds,
        f"{name}_{bucket(seconds)}": count,
    }


def add(minutes_ago: float, outcome: str, jobs: int, *, span: int = MINUTE, **more: Any) -> None:
    fields = {"queue": "default", **more}
    Rollup.objects.create(
        span_seconds=span, at=begin(minutes_ago, span), outcome=outcome, jobs=jobs, **fields
    )


@pytest.fixture(autouse=True)
def summed_up() -> None:
    RollupPosition.objects.create(pk=1, complete_at=clock(USING))


@pytest.mark.parametrize(("name", "steps"), [("1h", 60), ("6h", 72), ("24h", 96), ("7d", 168)])
def test_every_range_ends_with_the_present_step(name: str, steps: int) -> None:
    wanted = stats.RANGES[name]
    add(0, "succeeded", 7, span=wanted.step_seconds)
    found = stats.timeseries(USING, wanted)
    assert {len(points) for points in found.counts.values()} == {steps}
    assert found.counts["succeeded"][-1] == 7
    end = found.start + dt.timedelta(seconds=steps * wanted.step_seconds)
    assert end - dt.timedelta(seconds=wanted.step_seconds) <= clock(USING) < end


def test_queues_add_up_to_the_whole() -> None:
    add(130, "failed", 2, span=300)
    add(131, "failed", 3, queue="mail", span=300)
    add(140, "failed", 4, span=300)
    whole = stats.timeseries(USING, stats.RANGES["6h"])
    one = stats.timeseries(USING, stats.RANGES["6h"], "mail")
    assert sum(point or 0 for point in whole.counts["failed"]) == 9
    assert sum(point or 0 for point in one.counts["failed"]) == 3


def test_where_nothing_is_known_there_is_a_gap_and_no_zero() -> None:
    add(30, "succeeded", 1)
    RollupPosition.objects.update(complete_at=clock(USING) - dt.timedelta(minutes=10))
    points = stats.timeseries(USING, stats.RANGES["1h"]).counts["cancelled"]
    known = [step for step, point in enumerate(points) if point is not None]
    assert {point for point in points if point is not None} == {0}
    assert known == list(range(known[0], known[-1] + 1))
    assert 28 <= known[0] <= 30
    assert 48 <= known[-1] <= 50


def test_before_anything_is_summed_up_all_is_a_gap() -> None:
    RollupPosition.objects.all().delete()
    found = stats.timeseries(USING, stats.RANGES["1h"])
    assert found.complete_at is None
    assert {point for points in found.counts.values() for point in points} == {None}
    assert stats.queue_rates(USING) == {}


def test_percentiles_come_from_the_merged_sizes_of_a_step() -> None:
    add(2, "succeeded", 90, **times("run", 0.02, 90), **times("wait", 0.2, 90))
    add(2, "failed", 10, **times("run", 20, 10))
    found = stats.timeseries(USING, stats.RANGES["1h"])
    step = next(n for n, point in enumerate(found.run["p50"]) if point is not None)
    assert 0.01 <= (found.run["p50"][step] or 0) < 0.025
    assert 10 <= (found.run["p95"][step] or 0) <= 20
    assert found.wait["p99"][step] == pytest.approx(0.2, abs=0.1)
    assert [n for n, point in enumerate(found.run["p99"]) if point is not None] == [step]


def test_rates_are_per_minute_over_whole_minutes() -> None:
    add(0, "enqueued", 1000)
    add(1, "enqueued", 10)
    add(3, "enqueued", 5)
    add(2, "succeeded", 5)
    add(2, "failed", 5)
    add(2, "retrying", 20)
    add(7, "cancelled", 1000)
    found = stats.queue_rates(USING)["default"]
    assert (found.in_per_minute, found.out_per_minute, found.retrying_per_minute) == (3, 2, 4)


def test_a_queue_has_its_own_waits_and_its_small_chart() -> None:
    add(3, "succeeded", 4, queue="mail", **times("wait", 3.0, 4))
    add(30, "succeeded", 4, queue="mail", **times("wait", 900, 4))
    add(0, "succeeded", 4, queue="mail", span=QUARTER)
    add(15, "failed", 2, queue="mail", span=QUARTER)
    add(15, "enqueued", 9, queue="mail", span=QUARTER)
    found = stats.queue_rates(USING)["mail"]
    assert 2.5 <= (found.wait_p95_seconds or 0) <= 3.0
    assert len(found.finished) == stats.SPARKS
    assert found.finished[-2:] == [2, 4]


def test_the_slowest_tasks_come_first() -> None:
    for task, seconds, outcome in (
        ("quick", 0.02, "succeeded"),
        ("slow", 40.0, "succeeded"),
        ("slow", 50.0, "retrying"),
        ("never-run", 0.0, "enqueued"),
        ("old", 9000.0, "succeeded"),
    ):
        hours = 30 if task == "old" else 1
        more = times("run", seconds, 2) if outcome != "enqueued" else {}
        TaskRollup.objects.create(
            at=begin(hours * 60, 3600), task=task, outcome=outcome, jobs=2, **more
        )
    slow, quick = stats.slowest_tasks(USING, 24, 5)
    assert (slow.task, slow.attempts, slow.failed, slow.longest_seconds) == ("slow", 4, 2, 50.0)
    assert slow.mean_seconds == 45.0
    assert 30 <= slow.run_seconds["p95"] <= 50
    assert (quick.task, quick.failed) == ("quick", 0)
    assert [t.task for t in stats.slowest_tasks(USING, 24, 1)] == ["slow"]
