"""A table full of work, written in a few statements."""

from __future__ import annotations

from django.db import connection

from jobs.states import JobStatus

_COLUMNS = """
    task, queue, payload, args, status, priority, attempts, max_attempts, available_at, created_at,
    locked_by, lease_token, lease_expires_at, finished_at, error, idempotency_hash
"""


def fill(count: int, status: JobStatus, *, age: str = "random() * interval '7 days'") -> None:
    """Insert jobs in five queues and three priorities.

    `age` is how long ago a job became available, its lease ran out or it ended; below zero it is
    in how long. Finished jobs have one event.
    """
    leased, ended = status is JobStatus.RUNNING, status in {"succeeded", "failed", "cancelled"}
    with connection.cursor() as cursor:
        if connection.in_atomic_block:
            # Keeps autovacuum away, which would count rows without a commit as none.
            cursor.execute("LOCK TABLE jobs, job_events IN SHARE UPDATE EXCLUSIVE MODE")
        cursor.execute(
            f"INSERT INTO jobs ({_COLUMNS})"  # noqa: S608 - nothing here comes from outside
            " SELECT 'tests.task', 'queue-' || n %% 5, '{}', '[]', %s, n %% 3, %s, 3,"
            f" now() - at, now() - at, %s, {'gen_random_uuid()' if leased else 'NULL'},"
            f" {'now() - at' if leased else 'NULL'}, {'now() - at' if ended else 'NULL'}, '', ''"
            f" FROM (SELECT n, {age} AS at FROM generate_series(1, %s) AS n) AS row",
            [status.value, int(leased or ended), "worker" if leased else "", count],
        )
        if ended:
            cursor.execute(
                "INSERT INTO job_events"
                " (job_id, kind, from_status, to_status, attempt, worker, data)"
                " SELECT id, status, 'running', status, 1, '', '{}' FROM jobs WHERE status = %s",
                [status.value],
            )
