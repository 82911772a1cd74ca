from __future__ import annotations

import pytest

from jobs.management.loadtest import figures
from jobs.management.loadtest.drive import Enqueued
from tests.management.loadtest import made


def test_percentiles_are_times_that_were_measured() -> None:
    measured = figures.latency(n / 1000 for n in range(100, 0, -1))
    assert measured == figures.Latency(100, 50.0, 95.0, 99.0, 100.0)
    assert figures.latency([0.25]) == figures.Latency(1, 250.0, 250.0, 250.0, 250.0)
    assert figures.latency([]) == figures.Latency(0, None, None, None, None)


def test_immediate_delayed_and_retried_jobs_are_told_apart() -> None:
    plans = [
        made.planned(0),
        made.planned(1, delay_seconds=3.0),
        made.planned(2, failures=1),
        made.planned(3, delay_seconds=3.0, failures=2),
    ]
    found = {n: made.facts(plan, n) for n, plan in enumerate(plans)}
    enqueued = Enqueued({n: n for n in range(4)}, dict.fromkeys(range(4), 0.005), wall_seconds=0.5)
    measured = figures.measure(plans, enqueued, found)
    counts = {name: row["count"] for name, row in measured["latency"].items()}
    assert counts == {
        "enqueue": 4,
        "queue_wait_immediate": 2,
        "queue_wait_delayed": 2,
        "run": 7,
        "end_to_end_immediate": 1,
        "end_to_end_delayed": 1,
        "end_to_end_retried": 2,
    }
    latency = measured["latency"]
    assert latency["queue_wait_delayed"]["max_ms"] == pytest.approx(1000)
    assert latency["end_to_end_delayed"]["max_ms"] == pytest.approx(1020)
    assert latency["end_to_end_retried"]["max_ms"] == pytest.approx(3020)
    assert latency["run"]["p50_ms"] == 10.0
    assert measured["ingestion_per_second"] == 8.0
    assert measured["finished_per_second"] == [0, 1, 1, 0, 1, 0, 1]
    assert measured["throughput_per_second"] == round(4 / 6.02, 1)
    assert measured["attempts_per_second"] == round(7 / 6.02, 1)


def test_a_job_that_never_ran_has_no_latency() -> None:
    plan = made.planned()
    waiting = made.facts(plan, status="queued", finished_at=None, events=[])
    measured = figures.measure([plan], Enqueued({0: 100}, {0: 0.1}), {100: waiting})
    assert measured["latency"]["queue_wait_immediate"]["count"] == 0
    assert (measured["throughput_per_second"], measured["finished_per_second"]) == (0.0, [])
