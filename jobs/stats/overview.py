"""The whole at a glance: jobs per status, what finished lately, how long it took."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db import connections

from jobs.conf import conf
from jobs.states import TERMINAL, JobStatus
from jobs.stats.measures import (
    BOUND,
    INDEXED_BY,
    BoundedCount,
    age_seconds,
    as_parameter,
    as_time,
    bounded,
    clock,
    seconds_between,
)

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


# The statuses stand in the text, so that the planner sees that their partial indexes serve.
_OPEN: Final = " UNION ALL ".join(
    f"""
    SELECT '{status.value}', COUNT(*) FROM (
        SELECT 1 FROM jobs WHERE status = '{status.value}' ORDER BY {order} LIMIT %(limit)s
    ) few"""  # noqa: S608 - put together from constants
    for status, order in INDEXED_BY.items()
)
# By the order of the index alone: with the time as a condition the planner would rather fetch all
# of the last hour and sort it.
_FINISHED: Final = " UNION ALL ".join(
    f"""
    SELECT '{status.value}', COUNT(*), COUNT(CASE WHEN finished_at >= %(minute)s THEN 1 END),
        COUNT(CASE WHEN finished_at >= %(hour)s THEN 1 END), MIN(finished_at)
    FROM (SELECT finished_at FROM jobs WHERE status = '{status.value}'
          ORDER BY finished_at DESC, id DESC LIMIT %(limit)s) newest"""  # noqa: S608 - put together from constants
    for status in FINISHED
)


def totals(using: str, now: dt.datetime) -> Totals:
    """How many there are at `now`, the database's clock. Past the bound, what finished is estimated
    from the span of the newest."""
    given = {
        "limit": BOUND + 1,
        "minute": as_parameter(using, now - _MINUTE),
        "hour": as_parameter(using, now - _HOUR),
    }
    found, minute, hour = Counter[str](), {}, {}
    with connections[using].cursor() as cursor:
        cursor.execute(_OPEN, given)
        found.update(dict(cursor.fetchall()))
        cursor.execute(_FINISHED, given)
        for status, rows, in_minute, in_hour, oldest in cursor.fetchall():
            span = age_seconds(now, at) if (at := as_time(oldest)) else None
            found[status] = rows
            minute[status] = _rate(in_minute, span, _MINUTE)
            hour[status] = _rate(in_hour, span, _HOUR)
    return Totals({status.value: bounded(found[status]) for status in JobStatus}, minute, hour)


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


_LATEST: Final = """
SELECT {wait}, {run} FROM (
    SELECT available_at, started_at, finished_at FROM jobs WHERE status = 'succeeded'
    ORDER BY finished_at DESC, id DESC LIMIT %s
) latest WHERE started_at IS NOT NULL AND finished_at >= %s
"""


def latency(using: str, now: dt.datetime) -> Latency:
    """Wait and run time of the latest succeeded jobs at `now`, the database's clock."""
    latest = _LATEST.format(
        wait=seconds_between(using, "available_at", "started_at"),
        run=seconds_between(using, "started_at", "finished_at"),
    )
    with connections[using].cursor() as cursor:
        cursor.execute(latest, [SAMPLE, as_parameter(using, now - _HOUR)])
        found = cursor.fetchall()
    return Latency(
        jobs=len(found),
        wait=_percentiles([wait for wait, _ in found]),
        run=_percentiles([run for _, run in found]),
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


_STALLED: Final = """
SELECT COUNT(*) FROM (
    SELECT 1 FROM jobs WHERE status = 'running' AND lease_expires_at < %s
    ORDER BY lease_expires_at LIMIT %s
) few
"""


def stalled(using: str, now: dt.datetime) -> BoundedCount:
    """Counted once rescue should have come: that gives the living two heartbeats first."""
    patience = dt.timedelta(seconds=2 * conf.HEARTBEAT_SECONDS + conf.RESCUE_SECONDS)
    with connections[using].cursor() as cursor:
        cursor.execute(_STALLED, [as_parameter(using, now - patience), BOUND + 1])
        return bounded(cursor.fetchone()[0])


def glance(using: str) -> Glance:
    now = clock(using)
    found = totals(using, now)
    return Glance(
        now,
        found.jobs,
        found,
        oldest_queued_seconds(using, now),
        latency(using, now),
        stalled(using, now),
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


def oldest_queued_seconds(using: str, now: dt.datetime) -> float | None:
    """How long the longest waiting queued job has been due at `now`; None when none waits."""
    with connections[using].cursor() as cursor:
        cursor.execute(_OLDEST)
        due = as_time(cursor.fetchone()[0])
    return age_seconds(now, due) if due else None
