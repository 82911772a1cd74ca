"""PostgreSQL: one statement takes or finishes any number of jobs with their events."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db import connections

from jobs.payload import ExactEncoder
from jobs.states import ARROWS, JobStatus, Verb
from jobs.store.arrays import array, columns
from jobs.store.insert_postgres import insert_jobs
from jobs.store.values import NewEvent, Outcome, Written

__all__ = ["finish", "insert_jobs", "record", "statement_timeout", "take"]

_encode = ExactEncoder().encode

# The guard is said as what the status must not be: `status = 'queued'` would let the planner go
# through the whole partial index of the backlog instead of the few ids.
_NOT_WAITING = ", ".join(
    f"'{status.value}'" for status in JobStatus if status not in ARROWS[Verb.CLAIM].sources
)
_TAKE = f"""
WITH taken AS (
    UPDATE jobs SET status = 'running', attempts = attempts + 1, locked_by = %s,
                    lease_token = %s::uuid,
                    lease_expires_at = statement_timestamp() + %s * interval '1 second',
                    started_at = statement_timestamp(), progress = NULL
    WHERE id = ANY (%s::bigint[]) AND status NOT IN ({_NOT_WAITING})
    RETURNING id, attempts, locked_by, lease_token
), event AS (
    INSERT INTO job_events
        (job_id, kind, from_status, to_status, attempt, worker, lease_token, data)
    SELECT id, 'claimed', 'queued', 'running', attempts, locked_by, lease_token, '{{}}' FROM taken
)
SELECT count(*) FROM taken
"""  # noqa: S608


def take(
    using: str, job_ids: Sequence[int], *, worker: str, token: uuid.UUID, lease_seconds: float
) -> int:
    with connections[using].cursor() as cursor:
        cursor.execute(_TAKE, [worker, str(token), lease_seconds, array(job_ids)])
        return int(cursor.fetchone()[0])


# The guard (status), the fence (token) and the decision in one update. The decision is made here
# and not by the worker, because a cancel request or a new limit may have come while it ran. The
# rows are locked first, by id as everyone locks jobs: the update alone would take them in the
# order of its plan, and a batch sent again while its first sending still runs could deadlock.
_FINISH = """
WITH outcome AS (
    SELECT * FROM unnest(%s::bigint[], %s::uuid[], %s::text[], %s::text[], %s::jsonb[],
                         %s::text[], %s::text[], %s::float8[], %s::bool[], %s::jsonb[])
        AS o(job_id, token, verb, event, result, error, fingerprint, delay, permanent, data)
), held AS MATERIALIZED (
    SELECT jobs.id FROM outcome JOIN jobs ON jobs.id = outcome.job_id
    WHERE jobs.status = 'running' AND jobs.lease_token = outcome.token
    ORDER BY jobs.id FOR NO KEY UPDATE OF jobs
), changed AS (
    UPDATE jobs SET
        status = CASE
            WHEN outcome.verb = 'succeed' THEN 'succeeded'
            WHEN outcome.verb = 'cancel' OR jobs.cancel_requested_at IS NOT NULL THEN 'cancelled'
            WHEN outcome.verb IN ('fail', 'rescue')
                 AND (outcome.permanent OR jobs.attempts >= jobs.max_attempts) THEN 'failed'
            WHEN outcome.delay > 0 THEN 'scheduled'
            ELSE 'queued' END,
        finished_at = CASE
            WHEN outcome.verb IN ('succeed', 'cancel') OR jobs.cancel_requested_at IS NOT NULL
                 OR (outcome.verb IN ('fail', 'rescue')
                     AND (outcome.permanent OR jobs.attempts >= jobs.max_attempts))
            THEN statement_timestamp() END,
        available_at = CASE
            WHEN outcome.delay > 0 AND jobs.cancel_requested_at IS NULL
                 AND (outcome.verb = 'release' OR outcome.verb IN ('fail', 'rescue')
                      AND NOT outcome.permanent AND jobs.attempts < jobs.max_attempts)
            THEN statement_timestamp() + outcome.delay * interval '1 second'
            ELSE jobs.available_at END,
        attempts = jobs.attempts - CASE WHEN outcome.verb = 'release' THEN 1 ELSE 0 END,
        result = outcome.result,
        error = CASE WHEN outcome.verb IN ('fail', 'rescue') THEN outcome.error
                     WHEN outcome.verb = 'succeed' THEN '' ELSE jobs.error END,
        error_fingerprint = CASE WHEN outcome.verb IN ('release', 'cancel')
                                 THEN jobs.error_fingerprint ELSE outcome.fingerprint END,
        locked_by = '', lease_token = NULL, lease_expires_at = NULL
    FROM held JOIN outcome ON outcome.job_id = held.id
    WHERE jobs.id = held.id AND jobs.status = 'running' AND jobs.lease_token = outcome.token
    RETURNING jobs.id, outcome.token, jobs.status, outcome.event, outcome.data,
              jobs.attempts + CASE WHEN outcome.verb = 'release' THEN 1 ELSE 0 END AS attempt,
              jobs.workflow_id
), event AS (
    INSERT INTO job_events
        (job_id, kind, from_status, to_status, attempt, worker, lease_token, data)
    SELECT id, event, 'running', status, attempt, %s::text, token, data FROM changed
)
SELECT id, token, status, workflow_id FROM changed
"""


def finish(using: str, outcomes: Sequence[Outcome], worker: str) -> list[Written]:
    if not outcomes:
        return []
    rows = [
        (
            o.job_id,
            o.token,
            o.verb.value,
            ARROWS[o.verb].event.value,
            o.result,
            o.error,
            o.fingerprint,
            o.delay_seconds,
            o.permanent,
            _encode(o.data),
        )
        for o in outcomes
    ]
    with connections[using].cursor() as cursor:
        cursor.execute(_FINISH, [*columns(rows), worker])
        return [
            Written(job_id, token, JobStatus(status), workflow_id)
            for job_id, token, status, workflow_id in cursor.fetchall()
        ]


# The lock keeps a job from being pruned between this statement and the end of the transaction,
# where its foreign key is checked; it conflicts with nothing but a delete.
_RECORD = """
INSERT INTO job_events
    (job_id, kind, from_status, to_status, attempt, worker, lease_token, data)
SELECT e.job_id, e.kind, e.from_status, e.to_status, e.attempt, e.worker, e.token, e.data
FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::text[],
            %s::int[], %s::text[], %s::uuid[], %s::jsonb[])
     WITH ORDINALITY
     AS e(job_id, kind, from_status, to_status, attempt, worker, token, data, position)
JOIN jobs ON jobs.id = e.job_id
ORDER BY e.position
FOR KEY SHARE OF jobs
"""


def record(using: str, events: Sequence[NewEvent]) -> None:
    if not events:
        return
    rows = [
        (
            e.job_id,
            e.kind.value,
            e.from_status,
            e.to_status,
            e.attempt,
            e.worker,
            e.lease_token,
            _encode(e.data),
        )
        for e in events
    ]
    with connections[using].cursor() as cursor:
        cursor.execute(_RECORD, columns(rows))


def statement_timeout(using: str, seconds: float) -> None:
    with connections[using].cursor() as cursor:
        # Bounded reads end early, which the planner does not foresee; compiling one of them took
        # 25 times as long as running it.
        cursor.execute(
            "SELECT set_config('statement_timeout', %s, true), set_config('jit', 'off', true)",
            [f"{seconds * 1000:.0f}ms"],
        )
