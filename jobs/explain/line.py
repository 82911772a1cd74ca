"""How many jobs are ahead of one in the order of claims."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from django.db import connections

from jobs.models import Job
from jobs.stats import BOUND, BoundedCount

# Two ranges of the claim index: a higher priority, and the same one but due earlier. As one
# condition the index would be read to its end. The status stands in the text so that the planner
# sees which partial index will do. The job's own times are read where they are stored: SQLite
# writes the same time in more than one way.
_AHEAD: Final = """
SELECT queue, COUNT(*) FROM (
    SELECT queue FROM (
        SELECT queue FROM jobs WHERE status = 'queued' {queue} AND priority > %s
        ORDER BY priority DESC, available_at, created_at, id LIMIT %s
    ) higher
    UNION ALL
    SELECT queue FROM (
        SELECT queue FROM jobs WHERE status = 'queued' {queue} AND priority = %s
            AND (available_at, created_at, id) < (
                (SELECT available_at FROM jobs WHERE id = %s),
                (SELECT created_at FROM jobs WHERE id = %s), %s)
        ORDER BY priority DESC, available_at, created_at, id LIMIT %s
    ) earlier
) ahead GROUP BY queue
"""


def jobs_ahead(
    using: str, job: Job, served: Collection[str] | None, paused: Collection[str]
) -> BoundedCount:
    """Queued jobs before this one in the order of claims, in the queues its workers serve."""
    alone = served is not None and set(served) <= {job.queue}
    name, limit = [job.queue] if alone else [], BOUND + 1
    own: list[Any] = [job.pk, job.pk, job.pk]
    params = [*name, job.priority, limit, *name, job.priority, *own, limit]
    with connections[using].cursor() as cursor:
        cursor.execute(_AHEAD.format(queue="AND queue = %s" if alone else ""), params)
        counted = dict(cursor.fetchall())
    count = sum(
        rows
        for queue, rows in counted.items()
        if (queue not in paused or queue == job.queue)
        and (served is None or queue in served or queue == job.queue)
    )
    return BoundedCount(min(count, BOUND), exact=sum(counted.values()) <= BOUND)
