"""The whole at a glance: jobs per status, what finished lately, how long it took."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db import connections
from django.db.models import Count, Min, Q
from django.db.models.functions import Now

from jobs.conf import conf
from jobs.models import Job
from jobs.states import TERMINAL, JobStatus
from jobs.stats.measures import BOUND, BoundedCount, age_seconds, as_time, bounded, clock

SAMPLE: Final = 200
"""How many of the latest succeeded jobs latencies are taken from, none older than an hour."""
FINISHED: Final = tuple(status for status in JobStatus if status in TERMINAL)
PERCENTILES: Final = (50, 95, 99)
_MINUTE, _HOUR = dt.timedelta(minutes=1), dt.timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Totals:
    """Jobs per status, and those that finished lately per final status."""

    jobs: dict[str, BoundedCount]
    last_minute: dict[str, BoundedCount]
    last_hour: dict[str, BoundedCount]


def totals(using: str) -> Totals:
    """How many there are. Past the bound, what finished is estimated from the span of the newest.

    The newest finished jobs are taken by the order of an index alone. With the time as a condition
    the planner would rather fetch all of the last hour and sort it.
    """
    jobs, minute, hour, now = {}, {}, {}, clock(using)
    for status in JobStatus:
        rows = Job.objects.using(using).filter(status=status)
        if status not in TERMINAL:
            jobs[status.value] = bounded(rows[: BOUND + 1].count())
            continue
        found = (
            rows.order_by("-finished_at", "-id")
            .values("finished_at")[: BOUND + 1]
            .aggregate(
                all=Count("finished_at"),
                hour=Count("finished_at", filter=Q(finished_at__gte=Now() - _HOUR)),
                minute=Count("finished_at", filter=Q(finished_at__gte=Now() - _MINUTE)),
                oldest=Min("finished_at"),
            )
        )
        span = age_seconds(now, found["oldest"]) if found["oldest"] else None
        jobs[status.value] = bounded(found["all"])
        minute[status.value] = _rate(found["minute"], span, _MINUTE)
        hour[status.value] = _rate(found["hour"], span, _HOUR)
    return Totals(jobs, minute, hour)


def _rate(rows: int, span: float | None, window: dt.timedelta) -> BoundedCount:
    if rows <= BOUND or span is None:
        return BoundedCount(rows)
    return BoundedCount(round(rows * window.total_seconds() / max(span, 0.001)), exact=False)


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds by percentile (`p50`), over `jobs` jobs; empty when there are none."""

    jobs: int
    wait: dict[str, float]
    """From the time an attempt was due until it started."""
    run: dict[str, float]
    """From the start of an attempt to its end."""


def latency(using: str) -> Latency:
    """Wait and run time of the latest succeeded jobs."""
    rows = (
        Job.objects.using(using)
        .filter(status=JobStatus.SUCCEEDED)
        .order_by("-finished_at", "-id")
        .values_list("available_at", "started_at", "finished_at")[:SAMPLE]
    )
    since = clock(using) - _HOUR
    recent = [(due, start, end) for due, start, end in rows if start and end and end >= since]
    return Latency(
        jobs=len(recent),
        wait=_percentiles([(start - due).total_seconds() for due, start, _ in recent]),
        run=_percentiles([(end - start).total_seconds() for _, start, end in recent]),
    )


@dataclass(frozen=True, slots=True)
class Glance:
    """All numbers of the overview, as they were at one moment of the database's clock."""

    at: dt.datetime
    jobs: dict[str, BoundedCount]
    finished: Totals
    oldest_queued_seconds: float | None
    latency_seconds: Latency
    stalled: BoundedCount
    """Running jobs whose lease has run out and that nobody has rescued yet."""


def stalled(using: str) -> BoundedCount:
    """Counted once rescue should have come: that gives the living two heartbeats first."""
    patience = dt.timedelta(seconds=2 * conf.HEARTBEAT_SECONDS + conf.RESCUE_SECONDS)
    rows = Job.objects.using(using).filter(status=JobStatus.RUNNING)
    expired = rows.filter(lease_expires_at__lt=Now() - patience).order_by("lease_expires_at")
    return bounded(expired[: BOUND + 1].count())


def glance(using: str) -> Glance:
    found = totals(using)
    return Glance(
        clock(using),
        found.jobs,
        found,
        oldest_queued_seconds(using),
        latency(using),
        stalled(using),
    )


def _percentiles(values: Sequence[float]) -> dict[str, float]:
    """The nearest-rank percentiles; clocks that went back are shown as no time at all."""
    ranked = sorted(max(value, 0.0) for value in values)
    return {
        f"p{percent}": ranked[math.ceil(len(ranked) * percent / 100) - 1]
        for percent in PERCENTILES
        if ranked
    }


# One look-up in the index `jobs_claim` for each priority in use, and one for its first due time.
_OLDEST: Final = """
WITH RECURSIVE ranks(priority) AS (
    SELECT MAX(priority) FROM jobs WHERE status = 'queued'
    UNION ALL
    SELECT (SELECT MAX(priority) FROM jobs WHERE status = 'queued' AND priority < ranks.priority)
    FROM ranks WHERE ranks.priority IS NOT NULL
)
SELECT MIN((SELECT MIN(available_at) FROM jobs
            WHERE status = 'queued' AND jobs.priority = ranks.priority))
FROM ranks WHERE ranks.priority IS NOT NULL
"""


def oldest_queued_seconds(using: str) -> float | None:
    """How long the longest waiting queued job of all has been due; None when none waits."""
    with connections[using].cursor() as cursor:
        cursor.execute(_OLDEST)
        due = as_time(cursor.fetchone()[0])
    return age_seconds(clock(using), due) if due else None
