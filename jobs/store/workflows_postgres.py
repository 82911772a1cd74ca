"""PostgreSQL: one statement cancels or closes any number of steps."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django.db import connections

from jobs.payload import ExactEncoder
from jobs.store import prepared
from jobs.store.arrays import array
from jobs.store.insert_steps_postgres import insert_edges, insert_steps
from jobs.store.values import Closed

__all__ = ["cancel_steps", "close", "insert_edges", "insert_steps", "lock"]

_encode = ExactEncoder().encode

_LOCK = """
SELECT id FROM job_workflows WHERE id = ANY (%s::bigint[]) ORDER BY id FOR NO KEY UPDATE
"""


def lock(using: str, workflow_ids: Collection[int]) -> list[int]:
    return [pk for (pk,) in prepared.fetch(using, _LOCK, [array(workflow_ids)])]


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
