"""How fast each queue is, and which tasks take longest, out of the sums of events."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import connections
from django.db.models import Max, Sum

from jobs.histogram import percentile
from jobs.models import TaskRollup
from jobs.models.rollup import RUN_BUCKETS, WAIT_BUCKETS, RollupOutcome
from jobs.stats.measures import as_parameter, clock, seconds_between
from jobs.stats.overview import PERCENTILES
from jobs.stats.queues import MAX_QUEUES
from jobs.stats.timeseries import ATTEMPTS, EPOCH

MINUTES: Final = 5
"""The whole minutes rates are taken from."""
WAIT_MINUTES: Final = 15
SPARKS: Final = 24
"""Points of a queue's small chart, a quarter of an hour each."""
MAX_TASKS: Final = 1_000
_MINUTE, _QUARTER = 60, 900
_ENDS: Final = "('succeeded', 'failed', 'cancelled')"


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


_WHOLE: Final = "at >= %(first)s AND at < %(minute)s"
_MINUTES: Final = f"""
SELECT queue,
    CAST(SUM(CASE WHEN {_WHOLE} AND outcome = 'enqueued' THEN jobs ELSE 0 END) AS bigint),
    CAST(SUM(CASE WHEN {_WHOLE} AND outcome IN {_ENDS} THEN jobs ELSE 0 END) AS bigint),
    CAST(SUM(CASE WHEN {_WHOLE} AND outcome = 'retrying' THEN jobs ELSE 0 END) AS bigint),
    MAX(wait_max), {", ".join(f"SUM({column})" for column in WAIT_BUCKETS)}
FROM job_rollups WHERE span_seconds = {_MINUTE} AND at >= %(since)s
GROUP BY queue LIMIT {MAX_QUEUES}
"""  # noqa: S608 - put together from constants
_QUARTERS: Final = f"""
SELECT queue, {{seconds}}, CAST(SUM(jobs) AS bigint) FROM job_rollups
WHERE span_seconds = {_QUARTER} AND at >= %(since)s AND outcome IN {_ENDS}
GROUP BY queue, at LIMIT {MAX_QUEUES * SPARKS}
"""  # noqa: S608 - put together from constants


def queue_rates(using: str) -> dict[str, QueueRates]:
    """Of each queue in which anything has happened lately; empty before events are summed up."""
    now, rates = clock(using), dict[str, QueueRates]()
    minute, quarter = _begin(now, _MINUTE), _begin(now, _QUARTER)
    since = {
        "minute": minute,
        "first": minute - dt.timedelta(minutes=MINUTES),
        "since": minute - dt.timedelta(minutes=WAIT_MINUTES),
    }
    for queue, enqueued, ended, retrying, longest, *counts in _read(using, _MINUTES, since):
        rates[queue] = QueueRates(
            enqueued / MINUTES,
            ended / MINUTES,
            retrying / MINUTES,
            percentile(counts, 95, longest),
        )
    first = quarter - dt.timedelta(seconds=_QUARTER * (SPARKS - 1))
    quarters = _QUARTERS.format(seconds=seconds_between(using, "%(since)s", "at"))
    for queue, seconds, jobs in _read(using, quarters, {"since": first}):
        step = round(seconds) // _QUARTER
        if 0 <= step < SPARKS:
            rates.setdefault(queue, QueueRates()).finished[step] = jobs
    return rates


def _read(using: str, statement: str, times: dict[str, dt.datetime]) -> list[Any]:
    given = {name: as_parameter(using, at) for name, at in times.items()}
    with connections[using].cursor() as cursor:
        cursor.execute(statement, given)
        return list(cursor.fetchall())


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
