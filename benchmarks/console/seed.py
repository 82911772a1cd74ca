"""Many jobs as a busy installation would have them, written by a few statements."""

from __future__ import annotations

from typing import Final

from benchmarks.database import execute
from jobs.models.rollup import MAXIMA, RUN_BUCKETS, SUMS, WAIT_BUCKETS

QUEUES, TASKS, DAYS = 10, 40, 7

# Of a thousand jobs: 10 queued, 10 scheduled, 1 running, 40 failed, 9 cancelled; the others have
# succeeded. Those that are still open are among the newest.
_JOBS: Final = f"""
INSERT INTO jobs (task, queue, payload, args, status, priority, attempts, max_attempts, locked_by,
                  lease_token, lease_expires_at, error, idempotency_hash, created_at, available_at,
                  started_at, finished_at, result)
SELECT 'tasks.number_' || (n * 7 %% {TASKS}), 'queue-' || (n / 3 %% {QUEUES}),
       jsonb_build_object('user', n, 'region', 'eu-' || n %% 5, 'note', repeat('x', 200)), '[]',
       status, n %% 3,
       CASE WHEN status IN ('queued', 'scheduled') THEN 0 WHEN status = 'failed' THEN 3 ELSE 1 END,
       3, CASE WHEN status = 'running' THEN 'worker-' || n %% 9 ELSE '' END,
       CASE WHEN status = 'running' THEN gen_random_uuid() END,
       CASE WHEN status = 'running' THEN now() + interval '1 hour' END,
       CASE WHEN status = 'failed' THEN repeat('  File "app/tasks.py", line 12' || chr(10), 30)
            || 'ValueError: customer ' || n ELSE '' END,
       '', created, CASE WHEN status = 'scheduled' THEN now() + interval '1 day' ELSE created END,
       CASE WHEN status NOT IN ('queued', 'scheduled') THEN created + interval '1 s' END,
       CASE WHEN status IN ('succeeded', 'failed', 'cancelled') THEN created + interval '3 s' END,
       NULL
FROM (
    SELECT n, now() - (%(jobs)s - n) * (interval '{DAYS} days' / %(jobs)s) AS created,
           CASE WHEN n > %(jobs)s * 0.969 AND n %% 3 = 0 THEN 'queued'
                WHEN n > %(jobs)s * 0.969 AND n %% 3 = 1 THEN 'scheduled'
                WHEN n > %(jobs)s * 0.969 AND n %% 30 = 2 THEN 'running'
                WHEN n %% 25 = 0 THEN 'failed'
                WHEN n %% 110 = 1 THEN 'cancelled'
                ELSE 'succeeded' END AS status
    FROM generate_series(1, %(jobs)s) n
) given
"""  # noqa: S608 - put together from constants
_EVENTS: Final = """
INSERT INTO job_events (job_id, kind, at, from_status, to_status, attempt, worker, data)
SELECT jobs.id, kind, jobs.created_at, before, after, 1, 'worker-1',
       '{"run_seconds": 2.0, "wait_seconds": 1.0}'
FROM jobs CROSS JOIN (VALUES ('enqueued', '', 'queued'), ('claimed', 'queued', 'running'),
                             ('succeeded', 'running', 'succeeded')) AS e(kind, before, after)
WHERE status = 'succeeded' AND jobs.id > (SELECT max(id) FROM jobs) - %(events)s
"""
_COLUMNS: Final = ", ".join((*SUMS, *MAXIMA))
_NUMBERS: Final = ", ".join(
    ["(random() * 100)::int + 1", "50", "80"]
    + ["(random() * 20)::int"] * len((*WAIT_BUCKETS, *RUN_BUCKETS))
    + ["30", "40"]
)
_ROLLUPS: Final = f"""
INSERT INTO job_rollups (span_seconds, at, queue, outcome, {_COLUMNS})
SELECT span, date_bin(span * interval '1 s', now(), 'epoch') - n * span * interval '1 s',
       'queue-' || q, outcome, {_NUMBERS}
FROM (VALUES (60), (300), (900), (3600)) AS spans(span)
CROSS JOIN LATERAL generate_series(0, {DAYS} * 86400 / span) n
CROSS JOIN generate_series(0, {QUEUES - 1}) q
CROSS JOIN unnest(ARRAY['enqueued', 'succeeded', 'failed', 'retrying']) outcome
"""  # noqa: S608 - put together from constants
_TASK_ROLLUPS: Final = f"""
INSERT INTO job_taskrollups (at, task, outcome, {_COLUMNS})
SELECT date_bin('1 hour', now(), 'epoch') - n * interval '1 hour', 'tasks.number_' || t, outcome,
       {_NUMBERS}
FROM generate_series(0, 90 * 24) n CROSS JOIN generate_series(0, {TASKS - 1}) t
CROSS JOIN unnest(ARRAY['succeeded', 'failed', 'retrying']) outcome
"""  # noqa: S608 - put together from constants
_EVENT_SHARE: Final = 20


def seed(jobs: int) -> None:
    """Fill the empty tables with so many jobs, events of the newest, and a week of sums."""
    execute(_JOBS, {"jobs": jobs})
    execute(_EVENTS, {"events": max(jobs // _EVENT_SHARE, 1000)})
    execute(_ROLLUPS)
    execute(_TASK_ROLLUPS)
    execute("INSERT INTO job_rollupstate (id, cursor, complete_at) VALUES (1, '', now())")
    for table in ("jobs", "job_events", "job_rollups", "job_taskrollups"):
        execute(f"VACUUM ANALYZE {table}")
    execute("CHECKPOINT")
