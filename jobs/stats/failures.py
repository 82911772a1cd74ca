"""Groups of failures in numbers: their jobs now, their last 24 hours, and what their jobs share."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import connections
from django.db.models import Case, F, JSONField, TextField, When
from django.db.models.functions import Cast, Length

from jobs.models import ErrorHour, Job
from jobs.states import JobStatus
from jobs.stats.measures import BoundedCount, clock

HOURS: Final = 24
COUNTED: Final = 1_000
"""Counting the jobs of a group stops there."""
RETRYING: Final = (JobStatus.SCHEDULED, JobStatus.QUEUED, JobStatus.RUNNING)
HELD_IN: Final = (JobStatus.FAILED, *RETRYING, JobStatus.CANCELLED)
"""The statuses of jobs whose last attempt may have failed."""
READ: Final = 100
"""Jobs looked at for what they share."""
READ_CHARS: Final = 4096
"""Longest payload looked at, as JSON text."""
_LEAST: Final = 3
_SHARE: Final = 0.8
_SHOWN: Final = 20
_PATHS: Final = 200
_DEPTH: Final = 4
_VALUE_CHARS: Final = 200


# A status at a time, by id: each is one range of the index, and read no further than the bound. In
# no order, the planner would collect the whole range first. That the fingerprint is not empty lets
# it see, whatever the parameters, that the partial index has the rows; and the status stands in a
# query of its own, so that no partial index of that status looks as good and is read to its end.
_FEW: Final = """
(SELECT COUNT(*) FROM (
    SELECT 1 FROM jobs WHERE error_fingerprint = g.fingerprint AND error_fingerprint <> ''
    AND status = (SELECT '{status}') ORDER BY id LIMIT {limit}
) few)
"""
_NOW: Final = "SELECT fingerprint, {counts} FROM job_error_groups g WHERE fingerprint IN ({names})"
_LATEST: Final = """
SELECT id FROM jobs
WHERE error_fingerprint = %s AND error_fingerprint <> '' AND status = %s ORDER BY id DESC LIMIT %s
"""


def jobs_now(using: str, fingerprints: Sequence[str]) -> dict[str, dict[str, BoundedCount]]:
    """By fingerprint: how many jobs have `failed` for good and how many are `retrying`."""
    if not fingerprints:
        return {}
    few = [
        _FEW.format(status=status.value, limit=COUNTED + 1)
        for status in (JobStatus.FAILED, *RETRYING)
    ]
    names = ", ".join(["%s"] * len(fingerprints))
    with connections[using].cursor() as cursor:
        cursor.execute(_NOW.format(counts=", ".join(few), names=names), list(fingerprints))
        return {
            name: {"failed": _bounded(failed), "retrying": _bounded(sum(retrying))}
            for name, failed, *retrying in cursor.fetchall()
        }


def _bounded(rows: int) -> BoundedCount:
    return BoundedCount(min(rows, COUNTED), exact=rows <= COUNTED)


@dataclass(frozen=True, slots=True)
class Day:
    begins_at: dt.datetime
    """The beginning of the first of the hours."""
    hours: dict[int, list[int]]
    """By the id of a group: how often it was seen in each hour, the running one last."""


def last_day(using: str, group_ids: Collection[int]) -> Day:
    """The last 24 hours of these groups, by the database's clock."""
    now = clock(using).astimezone(dt.UTC).replace(minute=0, second=0, microsecond=0)
    begin = now - dt.timedelta(hours=HOURS - 1)
    hours = {pk: [0] * HOURS for pk in group_ids}
    rows = ErrorHour.objects.using(using).filter(group_id__in=group_ids, hour__gte=begin)
    for pk, hour, occurrences in rows.values_list("group_id", "hour", "occurrences"):
        # An hour ahead of the clock cannot be; one that is counts as the running one.
        place = min(int((hour - begin).total_seconds() // 3600), HOURS - 1)
        hours[pk][place] += occurrences
    return Day(begin, hours)


def latest_jobs(using: str, fingerprint: str, limit: int) -> list[int]:
    """The ids of up to `limit` jobs of a group, those that failed for good first, then by age."""
    found: list[int] = []
    with connections[using].cursor() as cursor:
        for status in HELD_IN:
            if len(found) < limit:
                cursor.execute(_LATEST, [fingerprint, status.value, limit - len(found)])
                found += [job_id for (job_id,) in cursor.fetchall()]
    return found


@dataclass(frozen=True, slots=True)
class Sample:
    job: int
    status: str
    payload: Any
    """None when it is too long."""
    payload_chars: int


def samples(using: str, job_ids: Sequence[int]) -> list[Sample]:
    """These jobs with their payloads, the latest first."""
    size = Length(Cast("payload", TextField()))
    rows = Job.objects.using(using).filter(pk__in=job_ids).annotate(size=size)
    short = Case(When(size__lte=READ_CHARS, then=F("payload")), output_field=JSONField())
    listed = rows.annotate(short=short).order_by("-pk")
    return [Sample(*row) for row in listed.values_list("pk", "status", "short", "size")]


@dataclass(frozen=True, slots=True)
class Shared:
    path: str
    """Where in the payload, keys joined by dots."""
    value: Any
    jobs: int
    of: int
    """How many payloads were looked at."""


def shared_values(found: Sequence[Any]) -> list[Shared]:
    """What at least four fifths of these payloads, and three, have in common."""
    counts = Counter(pair for payload in found for pair in set(_values(payload)))
    least = max(_LEAST, _SHARE * len(found))
    shared = [
        Shared(path, value, count, len(found))
        for (path, _, value), count in counts.items()
        if count >= least
    ]
    return sorted(shared, key=lambda one: (-one.jobs, one.path))[:_SHOWN]


def _values(payload: Any) -> Iterable[tuple[str, str, Any]]:
    """Path, type and value of every plain value; True and 1 are different ones."""
    waiting: list[tuple[str, Any, int]] = [("", payload, 0)]
    paths = 0
    while waiting and paths < _PATHS:
        path, value, depth = waiting.pop()
        if isinstance(value, dict):
            if depth < _DEPTH:
                waiting += [(*_below(path, key, item), depth + 1) for key, item in value.items()]
        elif path and not isinstance(value, list):
            paths += 1
            shown = value[:_VALUE_CHARS] if isinstance(value, str) else value
            yield path, type(value).__name__, shown


def _below(path: str, key: str, item: Any) -> tuple[str, Any]:
    return (f"{path}.{key}" if path else key)[:_VALUE_CHARS], item
