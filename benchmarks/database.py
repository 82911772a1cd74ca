"""Filling and emptying the tables, in the same state before every measurement."""

from __future__ import annotations

from typing import Any

from django.db import connection

from jobs import JobSpec, enqueue_many


def execute(statement: str, parameters: Any = None) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return cursor.fetchall() if cursor.description else []


def empty() -> None:
    execute("TRUNCATE jobs, job_events, job_workers, job_queues CASCADE")
    settle()


def settle() -> None:
    """What autovacuum and the checkpointer would do at some moment, done now."""
    execute("VACUUM ANALYZE jobs")
    execute("VACUUM ANALYZE job_events")
    execute("CHECKPOINT")


def fill_noops(count: int) -> None:
    enqueue_many(JobSpec(task="benchmarks.noop", payload={"a": n}) for n in range(count))
    settle()


def fill_numbered(task: str, count: int) -> None:
    enqueue_many(JobSpec(task=task, payload={"number": n}) for n in range(count))
    settle()


def unfinished() -> int:
    """How many jobs are still to run or not yet known to have ended."""
    rows = execute("SELECT count(*) FROM jobs WHERE status IN ('queued', 'running', 'scheduled')")
    return int(rows[0][0])


_FILL = """
INSERT INTO jobs (task, queue, payload, args, status, priority, attempts, max_attempts, locked_by,
                  error, idempotency_hash, available_at, finished_at)
SELECT 'benchmarks.noop', 'default', '{}', '[]', %(status)s, 0, 0, 3, '', '', '',
       clock_timestamp() + CASE WHEN %(status)s = 'scheduled' THEN interval '30 days'
                                ELSE interval '0' END,
       CASE WHEN %(status)s = 'succeeded' THEN statement_timestamp() END
FROM generate_series(1, %(count)s)
"""


def fill_rows(status: str, count: int) -> None:
    """Rows beside the measured ones, written by one statement."""
    execute(_FILL, {"status": status, "count": count})
