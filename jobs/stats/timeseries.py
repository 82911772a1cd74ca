"""How it went over time: series for charts, out of the sums of events."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import Max, Min, Sum

from jobs.histogram import BUCKETS, percentile
from jobs.models import Rollup, RollupPosition
from jobs.models.rollup import RUN_BUCKETS, WAIT_BUCKETS, RollupOutcome
from jobs.stats.measures import clock
from jobs.stats.overview import PERCENTILES

EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class Range:
    """A stretch of time up to now, in steps, for each of which there are sums."""

    seconds: int
    step_seconds: int

    @property
    def steps(self) -> int:
        return self.seconds // self.step_seconds


RANGES: Final = {
    "1h": Range(3600, 60),
    "6h": Range(6 * 3600, 300),
    "24h": Range(24 * 3600, 900),
    "7d": Range(7 * 24 * 3600, 3600),
}
ATTEMPTS: Final = (RollupOutcome.SUCCEEDED, RollupOutcome.FAILED, RollupOutcome.RETRYING)
"""What events that end an attempt come to, which tell how long it took."""
Points = list[float | None]


@dataclass(slots=True)
class Timeseries:
    """One value for each step from `start` on; None where nothing is known.

    `counts` are events by outcome; `wait` and `run` seconds by percentile, estimated from counted
    sizes, with None where nothing started or ended.
    """

    start: dt.datetime
    step_seconds: int
    complete_at: dt.datetime | None
    """Up to when all events are summed up; None before the first look at them."""
    counts: dict[str, Points] = field(default_factory=dict)
    wait: dict[str, Points] = field(default_factory=dict)
    run: dict[str, Points] = field(default_factory=dict)


def timeseries(using: str, wanted: Range, queue: str | None = None) -> Timeseries:
    """The series of all queues together, or of one."""
    start = _start(clock(using), wanted)
    complete_at = complete_until(using)
    rows = Rollup.objects.using(using).filter(span_seconds=wanted.step_seconds, at__gte=start)
    if queue is not None:
        rows = rows.filter(queue=queue)
    known = _known(using, wanted, start, complete_at)
    series = Timeseries(start, wanted.step_seconds, complete_at)
    series.counts = _counts(rows, wanted, start, known)
    series.wait, series.run = _percentiles(rows, wanted, start)
    return series


def complete_until(using: str) -> dt.datetime | None:
    """Up to when all events are summed up."""
    rows = RollupPosition.objects.using(using).values_list("complete_at", flat=True)
    return rows.first()


def _start(now: dt.datetime, wanted: Range) -> dt.datetime:
    """The first step, such that the last one is that of this moment."""
    steps = int((now - EPOCH).total_seconds()) // wanted.step_seconds
    return EPOCH + dt.timedelta(seconds=(steps - wanted.steps + 1) * wanted.step_seconds)


def _known(using: str, wanted: Range, start: dt.datetime, complete_at: dt.datetime | None) -> range:
    """The steps in which no event means that there was none: between the oldest sum that is kept
    and the moment up to which all is summed up."""
    spans = Rollup.objects.using(using).filter(span_seconds=wanted.step_seconds)
    oldest = spans.aggregate(oldest=Min("at"))["oldest"]
    if oldest is None or complete_at is None:
        return range(0)
    last = int((complete_at - start).total_seconds()) // wanted.step_seconds
    first = int((oldest - start).total_seconds()) // wanted.step_seconds
    return range(max(first, 0), min(last + 1, wanted.steps))


def _counts(rows: Any, wanted: Range, start: dt.datetime, known: range) -> dict[str, Points]:
    series: dict[str, Points] = {}
    for outcome in RollupOutcome:
        series[outcome.value] = [0 if step in known else None for step in range(wanted.steps)]
    found = rows.order_by().values_list("at", "outcome").annotate(Sum("jobs"))
    for at, outcome, jobs in found:
        step = _step(at, start, wanted)
        if 0 <= step < wanted.steps:
            series[outcome][step] = (series[outcome][step] or 0) + jobs
    return series


def _percentiles(
    rows: Any, wanted: Range, start: dt.datetime
) -> tuple[dict[str, Points], dict[str, Points]]:
    """Of waits and of runs: one look at the sums, which are what takes time."""
    wait, run = _no_percentiles(wanted), _no_percentiles(wanted)
    sums = (Sum(column) for column in (*WAIT_BUCKETS, *RUN_BUCKETS))
    timed = rows.filter(outcome__in=ATTEMPTS).order_by().values_list("at")
    for at, longest_wait, longest_run, *counts in timed.annotate(
        Max("wait_max"), Max("run_max"), *sums
    )[: wanted.steps + 1]:
        step = _step(at, start, wanted)
        if 0 <= step < wanted.steps:
            waits, runs = counts[:BUCKETS], counts[BUCKETS:]
            for percent in PERCENTILES:
                wait[f"p{percent}"][step] = percentile(waits, percent, longest_wait)
                run[f"p{percent}"][step] = percentile(runs, percent, longest_run)
    return wait, run


def _no_percentiles(wanted: Range) -> dict[str, Points]:
    return {f"p{percent}": [None] * wanted.steps for percent in PERCENTILES}


def _step(at: dt.datetime, start: dt.datetime, wanted: Range) -> int:
    return int((at - start).total_seconds() // wanted.step_seconds)
