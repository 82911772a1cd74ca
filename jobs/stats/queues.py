"""The queues: what waits in each, since when, and who has paused it."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from django.db import connections

from jobs import registry
from jobs.models import Queue
from jobs.states import TERMINAL, JobStatus
from jobs.stats.measures import (
    BOUND,
    INDEXED_BY,
    BoundedCount,
    age_seconds,
    as_time,
    bounded,
    clock,
)

MAX_QUEUES: Final = 1_000
OPEN: Final = tuple(status for status in JobStatus if status not in TERMINAL)


@dataclass(slots=True)
class QueueState:
    """One queue. `jobs` has a count for each status that is not final."""

    name: str
    jobs: dict[str, BoundedCount] = field(default_factory=dict)
    oldest_queued_seconds: float | None = None
    """How long the longest waiting queued job has been due."""
    paused_at: dt.datetime | None = None
    paused_by: str = ""
    pause_reason: str = ""


# Each look-up goes to one end of a range of the index `jobs_claim_queue`: the next queue, its next
# priority, the first due time there. So this costs per queue, not per job.
_QUEUED: Final = """
WITH RECURSIVE names(name) AS (
    SELECT MIN(queue) FROM jobs WHERE status = 'queued'
    UNION ALL
    SELECT (SELECT MIN(queue) FROM jobs WHERE status = 'queued' AND queue > names.name)
    FROM names WHERE names.name IS NOT NULL
)
SELECT name,
    (SELECT COUNT(*) FROM (
        SELECT 1 FROM jobs WHERE status = 'queued' AND queue = name LIMIT %s
    ) few),
    (WITH RECURSIVE ranks(priority) AS (
        SELECT MAX(priority) FROM jobs WHERE status = 'queued' AND queue = names.name
        UNION ALL
        SELECT (SELECT MAX(priority) FROM jobs WHERE status = 'queued' AND queue = names.name
                AND jobs.priority < ranks.priority)
        FROM ranks WHERE ranks.priority IS NOT NULL
    )
    SELECT MIN((SELECT MIN(available_at) FROM jobs WHERE status = 'queued'
                AND queue = names.name AND jobs.priority = ranks.priority))
    FROM ranks WHERE ranks.priority IS NOT NULL)
FROM names WHERE name IS NOT NULL LIMIT %s
"""
# Of each status as many jobs as counting goes, by the index that holds them.
_BY_QUEUE: Final = " UNION ALL ".join(
    f"""
    SELECT '{status.value}', queue, COUNT(*) FROM (
        SELECT queue FROM jobs WHERE status = '{status.value}' ORDER BY {order} LIMIT %(limit)s
    ) few GROUP BY queue"""  # noqa: S608 - put together from constants
    for status, order in INDEXED_BY.items()
    if status is not JobStatus.QUEUED
)


def queue_states(using: str) -> list[QueueState]:
    """Every queue that holds an open job, has a task or has been paused, by name."""
    states = {
        row.name: QueueState(row.name, {}, None, row.paused_at, row.paused_by, row.pause_reason)
        for row in Queue.objects.using(using).order_by("name")[:MAX_QUEUES]
    }
    now = clock(using)
    for name, rows, due in _queued(using):
        state = states.setdefault(name, QueueState(name))
        state.jobs[JobStatus.QUEUED] = bounded(rows)
        state.oldest_queued_seconds = age_seconds(now, due) if due else None
    counted, seen = _by_queue(using), Counter[str]()
    for status, _, rows in counted:
        seen[status] += rows
    for status, name, rows in counted:
        count = BoundedCount(rows, exact=seen[status] <= BOUND)
        states.setdefault(name, QueueState(name)).jobs[status] = count
    for task in registry.all_tasks():
        states.setdefault(task.queue, QueueState(task.queue))
    none = {status: BoundedCount(0, exact=seen[status] <= BOUND) for status in OPEN}
    for state in states.values():
        state.jobs = none | state.jobs
    return [states[name] for name in sorted(states)]


def _queued(using: str) -> list[tuple[str, int, dt.datetime | None]]:
    with connections[using].cursor() as cursor:
        cursor.execute(_QUEUED, [BOUND + 1, MAX_QUEUES])
        return [(name, rows, as_time(due)) for name, rows, due in cursor.fetchall()]


def _by_queue(using: str) -> list[tuple[str, str, int]]:
    with connections[using].cursor() as cursor:
        cursor.execute(_BY_QUEUE, {"limit": BOUND + 1})
        return list(cursor.fetchall())
