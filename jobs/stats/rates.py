"""How fast each queue is, and which tasks take longest, out of the sums of events."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import Max, Sum

from jobs.histogram import percentile
from jobs.models import Rollup, TaskRollup
from jobs.models.rollup import RUN_BUCKETS, WAIT_BUCKETS, RollupOutcome
from jobs.stats.measures import clock
from jobs.stats.overview import PERCENTILES
from jobs.stats.queues import MAX_QUEUES
from jobs.stats.timeseries import ATTEMPTS, EPOCH, complete_until

MINUTES: Final = 5
"""The whole minutes rates are taken from."""
WAIT_MINUTES: Final = 15
SPARKS: Final = 24
"""Points of a queue's small chart, a quarter of an hour each."""
MAX_TASKS: Final = 1_000
_MINUTE, _QUARTER = 60, 900
_ENDS: Final = (RollupOutcome.SUCCEEDED, RollupOutcome.FAILED, RollupOutcome.CANCELLED)


@dataclass(slots=True)
class QueueRates:
    """How fast jobs come and go: per minute over the last whole minutes."""

    in_per_minute: float = 0.0
    """Jobs asked for."""
    out_per_minute: float = 0.0
    """Jobs that ended, in whatever way."""
    retrying_per_minute: float = 0.0
    """Attempts that failed and are followed by another."""
    wait_p95_seconds: float | None = None
    """Of the attempts that ended in the last quarter of an hour; None without any."""
    finished: list[int] = field(default_factory=lambda: [0] * SPARKS)
    """Jobs that ended, in each quarter of the last hours, the present one last."""


def queue_rates(using: str) -> dict[str, QueueRates]:
    """Of each queue in which anything has happened lately; empty before events are summed up."""
    if complete_until(using) is None:
        return {}
    now = clock(using)
    rates: dict[str, QueueRates] = {}
    minute = _begin(now, _MINUTE)
    recent = _rows(using, _MINUTE, minute - dt.timedelta(minutes=MINUTES)).filter(at__lt=minute)
    for queue, outcome, jobs in recent.values_list("queue", "outcome").annotate(Sum("jobs")):
        rate = rates.setdefault(queue, QueueRates())
        if outcome == RollupOutcome.ENQUEUED:
            rate.in_per_minute = jobs / MINUTES
        elif outcome == RollupOutcome.RETRYING:
            rate.retrying_per_minute = jobs / MINUTES
        else:
            rate.out_per_minute += jobs / MINUTES
    waits = _rows(using, _MINUTE, minute - dt.timedelta(minutes=WAIT_MINUTES))
    for queue, longest, *counts in _sized(waits.values_list("queue"), WAIT_BUCKETS, "wait_max"):
        rates.setdefault(queue, QueueRates()).wait_p95_seconds = percentile(counts, 95, longest)
    first = _begin(now, _QUARTER) - dt.timedelta(seconds=_QUARTER * (SPARKS - 1))
    ends = _rows(using, _QUARTER, first).filter(outcome__in=_ENDS)
    grouped = ends.values_list("queue", "at").annotate(Sum("jobs"))
    for queue, at, jobs in grouped[: MAX_QUEUES * SPARKS]:
        step = int((at - first).total_seconds()) // _QUARTER
        if 0 <= step < SPARKS:
            rates.setdefault(queue, QueueRates()).finished[step] = jobs
    return rates


def _rows(using: str, span_seconds: int, since: dt.datetime) -> Any:
    return Rollup.objects.using(using).filter(span_seconds=span_seconds, at__gte=since).order_by()


def _sized(grouped: Any, columns: Sequence[str], longest: str) -> Any:
    return grouped.annotate(Max(longest), *(Sum(column) for column in columns))[:MAX_QUEUES]


def _begin(now: dt.datetime, span_seconds: int) -> dt.datetime:
    spans = int((now - EPOCH).total_seconds()) // span_seconds
    return EPOCH + dt.timedelta(seconds=spans * span_seconds)


@dataclass(frozen=True, slots=True)
class TaskTimes:
    """How long the attempts at one task took, in seconds."""

    task: str
    attempts: int
    failed: int
    """Attempts that failed, whether another followed or not."""
    mean_seconds: float
    longest_seconds: float
    run_seconds: dict[str, float]
    """By percentile, estimated."""


def slowest_tasks(using: str, hours: int, limit: int) -> list[TaskTimes]:
    """The tasks whose attempts took longest in the last `hours`, the slowest first."""
    since = clock(using) - dt.timedelta(hours=hours)
    rows = TaskRollup.objects.using(using).filter(at__gt=since, outcome__in=ATTEMPTS).order_by()
    failed = dict(
        rows.exclude(outcome=RollupOutcome.SUCCEEDED)
        .values_list("task")
        .annotate(Sum("jobs"))[:MAX_TASKS]
    )
    measured = rows.values_list("task").annotate(
        Sum("jobs"), Sum("run_sum"), Max("run_max"), *(Sum(column) for column in RUN_BUCKETS)
    )
    found = []
    for task, attempts, total, longest, *counts in measured[:MAX_TASKS]:
        timed = sum(counts)
        if not timed:
            continue
        run = {f"p{p}": percentile(counts, p, longest) or 0.0 for p in PERCENTILES}
        found.append(TaskTimes(task, attempts, failed.get(task, 0), total / timed, longest, run))
    found.sort(key=lambda times: (-times.run_seconds["p95"], times.task))
    return found[:limit]
