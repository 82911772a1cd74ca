"""PostgreSQL: one statement inserts many steps with their events, or many edges."""

from __future__ import annotations

import json
from collections.abc import Sequence

from django.db import connections

from jobs.store.arrays import columns
from jobs.store.origin import enqueued_by
from jobs.store.values import StepRow

_INSERT_STEPS = """
WITH input AS MATERIALIZED (
    SELECT nextval('jobs_id_seq'::regclass) AS id, u.*,
           GREATEST(COALESCE(u.at, statement_timestamp()), statement_timestamp()) AS available_at
    FROM unnest(%s::text[], %s::text[], %s::text[], %s::jsonb[], %s::jsonb[], %s::smallint[],
                %s::int[], %s::float8[], %s::timestamptz[], %s::text[], %s::int[], %s::bigint[],
                %s::text[])
         WITH ORDINALITY
         AS u(name, task, queue, payload, args, priority, max_attempts, timeout, at, on_failure,
              open, kept_from, backend, position)
), step AS (
    INSERT INTO jobs (id, task, queue, payload, args, status, priority, attempts, max_attempts,
                      timeout_seconds, available_at, locked_by, result, error, idempotency_hash,
                      created_at, finished_at, workflow_id, step_name, on_failure,
                      open_dependencies, tasks_backend, run_after)
    SELECT input.id, input.task, input.queue, input.payload, input.args,
           CASE WHEN input.kept_from IS NOT NULL THEN 'succeeded'
                WHEN input.open > 0 THEN 'blocked'
                WHEN input.available_at > statement_timestamp() THEN 'scheduled'
                ELSE 'queued' END,
           input.priority, 0, input.max_attempts, input.timeout, input.available_at, '',
           kept.result, '', '', statement_timestamp(),
           CASE WHEN input.kept_from IS NOT NULL THEN statement_timestamp() END,
           %s, input.name, input.on_failure, input.open, input.backend,
           CASE WHEN input.backend <> '' THEN input.at END
    FROM input LEFT JOIN jobs kept ON kept.id = input.kept_from
    ORDER BY input.position
    RETURNING id, status
), event AS (
    INSERT INTO job_events (job_id, kind, from_status, to_status, attempt, worker, data)
    SELECT step.id, 'enqueued', '', step.status, 0, '',
           %s::jsonb || CASE WHEN input.kept_from IS NULL THEN '{}'
                             ELSE jsonb_build_object('kept_from', input.kept_from) END
    FROM step JOIN input USING (id)
)
SELECT step.id, step.status FROM step JOIN input USING (id) ORDER BY input.position
"""


def insert_steps(using: str, workflow_id: int, rows: Sequence[StepRow]) -> list[tuple[int, str]]:
    values = [
        (
            row.step.name,
            row.step.job.task,
            row.step.job.queue,
            row.step.job.payload,
            row.step.job.args,
            row.step.job.priority,
            row.step.job.max_attempts,
            row.step.job.timeout_seconds,
            row.step.job.available_at,
            row.step.on_failure.value,
            row.open_dependencies,
            row.kept_from,
            row.step.job.tasks_backend,
        )
        for row in rows
    ]
    told = json.dumps(enqueued_by())
    with connections[using].cursor() as cursor:
        cursor.execute(_INSERT_STEPS, [*columns(values), workflow_id, told])
        inserted: list[tuple[int, str]] = cursor.fetchall()
    return inserted


_INSERT_EDGES = """
INSERT INTO job_dependencies (parent_id, child_id, appended)
SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::bool[])
"""


def insert_edges(using: str, edges: Sequence[tuple[int, int, bool]]) -> None:
    with connections[using].cursor() as cursor:
        cursor.execute(_INSERT_EDGES, columns(edges))
