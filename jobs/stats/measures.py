"""Bounded counts, and ages on the database's clock."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any, Final

from django.db import connections
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from jobs.states import JobStatus

BOUND: Final = 10_000
"""Where counting stops."""
INDEXED_BY: Final = {
    JobStatus.BLOCKED: "queue, id",
    JobStatus.SCHEDULED: "available_at, id",
    JobStatus.QUEUED: "priority DESC, available_at, created_at, id",
    JobStatus.RUNNING: "lease_expires_at",
}
"""The order of the index that holds the jobs in each status that is not final. A statement with a
limit asks for it, for without an order the planner may hope to find enough early in the table."""


@dataclass(frozen=True, slots=True)
class BoundedCount:
    """A number of rows. When not `exact` it is an estimate, or counting stopped there."""

    count: int = 0
    exact: bool = True


def bounded(rows: int) -> BoundedCount:
    return BoundedCount(min(rows, BOUND), exact=rows <= BOUND)


def clock(using: str) -> dt.datetime:
    """The database's clock; SQLite has none but its host's."""
    if connections[using].vendor != "postgresql":
        return timezone.now()
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        now: dt.datetime = cursor.fetchone()[0]
    return now


def seconds_between(using: str, earlier: str, later: str) -> str:
    """SQL for the seconds from one time to another: numbers are read far faster than times."""
    if connections[using].vendor == "postgresql":
        return f"CAST(EXTRACT(EPOCH FROM {later} - {earlier}) AS double precision)"
    return f"(JULIANDAY({later}) - JULIANDAY({earlier})) * 86400.0"


def age_seconds(now: dt.datetime, at: dt.datetime) -> float:
    """Seconds from `at` to `now`, never negative."""
    return max((now - at).total_seconds(), 0.0)


def as_parameter(using: str, at: dt.datetime) -> Any:
    """A time for a raw query."""
    return connections[using].ops.adapt_datetimefield_value(at)


def as_time(value: Any) -> dt.datetime | None:
    """A time out of a raw query; SQLite has it in UTC, as text or without its zone."""
    at: dt.datetime | None = parse_datetime(value) if isinstance(value, str) else value
    return at.replace(tzinfo=dt.UTC) if at is not None and at.tzinfo is None else at
