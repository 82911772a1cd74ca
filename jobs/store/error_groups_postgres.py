"""PostgreSQL: one statement counts any number of failures in their groups and hours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db import connections

from jobs.store.values import SeenFailures

# Groups are taken in the order in which they are given. The sort below reads all of them before it
# hands the first one on, so each is held before the row of its hour is touched.
_COUNT: Final = """
WITH seen AS (
    SELECT * FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[],
                         %s::int[]) WITH ORDINALITY
        AS s(fingerprint, task, queue, exception, culprit, message, count, position)
), counted AS (
    INSERT INTO job_error_groups AS g
        (fingerprint, task, queue, exception, culprit, message, occurrences, first_seen_at,
         last_seen_at, first_release, last_release, status, note, changed_by)
    SELECT fingerprint, task, queue, exception, culprit, message, count, statement_timestamp(),
           statement_timestamp(), %s::text, %s::text, 'open', '', ''
    FROM seen ORDER BY position
    ON CONFLICT (fingerprint) DO UPDATE SET
        queue = excluded.queue,
        exception = excluded.exception,
        culprit = excluded.culprit,
        message = excluded.message,
        occurrences = g.occurrences + excluded.occurrences,
        last_seen_at = GREATEST(g.last_seen_at, excluded.last_seen_at),
        last_release = excluded.last_release,
        status = CASE WHEN g.status = 'resolved'
                        OR g.occurrences + excluded.occurrences >= g.ignore_until_count
                      THEN 'open' ELSE g.status END,
        reopened_at = CASE WHEN g.status = 'resolved'
                             OR g.occurrences + excluded.occurrences >= g.ignore_until_count
                           THEN statement_timestamp() ELSE g.reopened_at END,
        ignore_until_count = CASE WHEN g.occurrences + excluded.occurrences < g.ignore_until_count
                                  THEN g.ignore_until_count END
    RETURNING g.id, g.fingerprint
)
INSERT INTO job_error_hours AS h (group_id, hour, occurrences)
SELECT counted.id, date_trunc('hour', statement_timestamp() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC',
       seen.count
FROM counted JOIN seen ON seen.fingerprint = counted.fingerprint
ORDER BY seen.position
ON CONFLICT (group_id, hour) DO UPDATE SET occurrences = h.occurrences + excluded.occurrences
"""


def count(using: str, seen: Sequence[SeenFailures], release: str) -> None:
    failures = [row.failure for row in seen]
    columns: list[list[Any]] = [
        [failure.fingerprint for failure in failures],
        [failure.task for failure in failures],
        [failure.queue for failure in failures],
        [failure.exception for failure in failures],
        [failure.culprit for failure in failures],
        [failure.message for failure in failures],
        [row.count for row in seen],
    ]
    with connections[using].cursor() as cursor:
        cursor.execute(_COUNT, [*columns, release, release])
