"""Many steps in one statement, for PostgreSQL; rows travel as arrays."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from django.db import connections

from jobs.payload import ExactEncoder
from jobs.store import prepared
from jobs.store.arrays import array, columns
from jobs.store.origin import enqueued_by
from jobs.store.values import Closed, StepRow

_encode = ExactEncoder().encode

_LOCK = """
SELECT id FROM job_workflows WHERE id = ANY (%s::bigint[]) ORDER BY id FOR NO KEY UPDATE
"""


def lock(using: str, workflow_ids: Collection[int]) -> list[int]:
    return [pk for (pk,) in prepared.fetch(using, _LOCK, [array(workflow_ids)])]


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


# What differs from step to step travels as one object by id, and not as a table to join: a planner
# whose statistics are of a smaller time joins two lists by comparing each row with each.
_CANCEL_STEPS = """
WITH input AS MATERIALIZED (SELECT %s::jsonb AS by_id), changed AS (
    UPDATE jobs SET status = 'cancelled', open_dependencies = 0,
                    error = (SELECT by_id FROM input) -> jobs.id::text ->> 'error',
                    finished_at = statement_timestamp()
    WHERE jobs.id = ANY (%s::bigint[]) AND jobs.open_dependencies > 0
    RETURNING jobs.id, jobs.attempts
)
INSERT INTO job_events (job_id, kind, from_status, to_status, attempt, worker, data)
SELECT id, 'cancelled', 'blocked', 'cancelled', attempts, '',
       (SELECT by_id FROM input) -> id::text -> 'data'
FROM changed
"""


def cancel_steps(using: str, rows: Sequence[tuple[int, str, dict[str, Any]]]) -> None:
    by_id = {str(job_id): {"error": error, "data": data} for job_id, error, data in rows}
    with connections[using].cursor() as cursor:
        cursor.execute(_CANCEL_STEPS, [_encode(by_id), array(job_id for job_id, _, _ in rows)])


# One statement whatever the number of steps, workflows and children. The counts of a workflow and
# of a child are changed by differences, under the lock of the workflow.
#
# It must cost its own edges whatever the statistics say, so the planner is left no choice but the
# primary keys. OFFSET 0 keeps the look-up of edges one for each parent, and BETWEEN hides from it
# how many edges the average parent has: after one step with 10,000 children it would read the
# whole table for every step without any. An array is looked up in the index of ids, and how many
# parents each child lost is looked up in one object: joined as a table, 10,000 children took 27 s
# where the statistics were of a smaller time, 0.3 s so. A blocked child is known by its count, not
# by its status, for which there is an index over all of them.
_CLOSE = """
WITH closed AS MATERIALIZED (
    SELECT id, workflow_id, status, on_failure FROM jobs WHERE id = ANY (%s::bigint[])
), freed AS (
    SELECT d.child_id, count(*) AS parents
    FROM closed CROSS JOIN LATERAL (
        SELECT child_id FROM job_dependencies WHERE parent_id BETWEEN closed.id AND closed.id
        OFFSET 0
    ) d
    WHERE closed.status = 'succeeded' OR closed.on_failure = 'continue'
    GROUP BY d.child_id ORDER BY d.child_id
), lost AS MATERIALIZED (
    SELECT jsonb_object_agg(child_id, parents) AS parents FROM freed
), child AS (
    UPDATE jobs SET
        open_dependencies = jobs.open_dependencies
            - ((SELECT parents FROM lost) -> jobs.id::text)::int,
        status = CASE
            WHEN jobs.open_dependencies > ((SELECT parents FROM lost) -> jobs.id::text)::int
                THEN 'blocked'
            WHEN jobs.available_at > statement_timestamp() THEN 'scheduled'
            ELSE 'queued' END,
        available_at = CASE
            WHEN jobs.open_dependencies > ((SELECT parents FROM lost) -> jobs.id::text)::int
                THEN jobs.available_at
            ELSE GREATEST(jobs.available_at, statement_timestamp()) END
    WHERE jobs.id = ANY (ARRAY(SELECT child_id FROM freed)) AND jobs.open_dependencies > 0
    RETURNING jobs.id, jobs.queue, jobs.status, jobs.attempts
), event AS (
    INSERT INTO job_events (job_id, kind, from_status, to_status, attempt, worker, data)
    SELECT id, 'unblocked', 'blocked', status, attempts, '', '{}'
    FROM child WHERE status <> 'blocked'
), counted AS (
    SELECT workflow_id, count(*) AS steps,
           count(*) FILTER (WHERE status = 'failed') AS failed,
           count(*) FILTER (WHERE status = 'cancelled') AS cancelled,
           count(*) FILTER (WHERE status = 'failed' AND on_failure = 'continue') AS tolerated_f,
           count(*) FILTER (WHERE status = 'cancelled' AND on_failure = 'continue') AS tolerated_c
    FROM closed GROUP BY workflow_id
), workflow AS (
    UPDATE job_workflows w SET
        open_steps = w.open_steps - c.steps,
        failed_steps = w.failed_steps + c.failed,
        cancelled_steps = w.cancelled_steps + c.cancelled,
        tolerated_failures = w.tolerated_failures + c.tolerated_f,
        tolerated_cancels = w.tolerated_cancels + c.tolerated_c,
        finished_at = CASE WHEN w.open_steps = c.steps THEN statement_timestamp() END,
        status = CASE
            WHEN w.open_steps > c.steps THEN 'running'
            WHEN w.cancel_requested_at IS NOT NULL AND w.cancelled_steps + c.cancelled > 0
                THEN 'cancelled'
            WHEN w.failed_steps + c.failed > w.tolerated_failures + c.tolerated_f THEN 'failed'
            WHEN w.cancelled_steps + c.cancelled > w.tolerated_cancels + c.tolerated_c
                THEN 'cancelled'
            ELSE 'succeeded' END
    FROM counted c WHERE w.id = c.workflow_id
)
SELECT DISTINCT queue, status FROM child WHERE status <> 'blocked'
"""


def close(using: str, job_ids: Sequence[int]) -> Closed:
    unblocked = prepared.fetch(using, _CLOSE, [array(job_ids)])
    return Closed(
        queues=frozenset(queue for queue, status in unblocked if status == "queued"),
        scheduled=any(status == "scheduled" for _, status in unblocked),
    )
