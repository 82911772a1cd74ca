"""PostgreSQL: one statement takes or finishes any number of jobs with their events."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db import connections

from jobs.payload import ExactEncoder
from jobs.states import ARROWS, JobStatus, Verb
from jobs.store import prepared
from jobs.store.arrays import array, columns
from jobs.store.insert_postgres import insert_jobs
from jobs.store.values import NewEvent, Outcome, Written

__all__ = ["finish", "insert_jobs", "record", "statement_timeout", "take"]

_encode = ExactEncoder().encode


def _other_than(statuses: frozenset[JobStatus]) -> str:
    """The guard is said as what the status must not be: `status = 'queued'` would let the planner
    go through the whole partial index of the backlog instead of the few ids."""
    return ", ".join(f"'{status.value}'" for status in JobStatus if status not in statuses)


_NOT_WAITING = _other_than(ARROWS[Verb.CLAIM].sources)
_NOT_RUNNING = _other_than(frozenset({JobStatus.RUNNING}))
_TAKE = f"""
WITH taken AS (
    UPDATE jobs SET status = 'running', attempts = attempts + 1, locked_by = %s::text,
                    lease_token = %s::uuid,
                    lease_expires_at = statement_timestamp() + %s::float8 * interval '1 second',
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
    rows = prepared.fetch(using, _TAKE, [worker, str(token), lease_seconds, array(job_ids)])
    return int(rows[0][0])


# The guard (status), the fence (token) and the decision in one update. The decision is made here
# and not by the worker, because a cancel request or a new limit may have come while it ran. The
# rows are locked first, by id as everyone locks jobs: the update alone would take them in the
# order of its plan, and a batch sent again while its first sending still runs could deadlock.
_FINISH = f"""
WITH outcome AS (
    SELECT * FROM unnest(%s::bigint[], %s::uuid[], %s::text[], %s::text[], %s::jsonb[],
                         %s::text[], %s::text[], %s::float8[], %s::bool[], %s::jsonb[])
        AS o(job_id, token, verb, event, result, error, fingerprint, delay, permanent, data)
), held AS MATERIALIZED (
    SELECT outcome.* FROM outcome JOIN jobs ON jobs.id = outcome.job_id
    WHERE jobs.status NOT IN ({_NOT_RUNNING}) AND jobs.lease_token = outcome.token
    ORDER BY jobs.id FOR NO KEY UPDATE OF jobs
), changed AS (
    UPDATE jobs SET
        status = CASE
            WHEN held.verb = 'succeed' THEN 'succeeded'
            WHEN held.verb = 'cancel' OR jobs.cancel_requested_at IS NOT NULL THEN 'cancelled'
            WHEN held.verb IN ('fail', 'rescue')
                 AND (held.permanent OR jobs.attempts >= jobs.max_attempts) THEN 'failed'
            WHEN held.delay > 0 THEN 'scheduled'
            ELSE 'queued' END,
        finished_at = CASE
            WHEN held.verb IN ('succeed', 'cancel') OR jobs.cancel_requested_at IS NOT NULL
                 OR (held.verb IN ('fail', 'rescue')
                     AND (held.permanent OR jobs.attempts >= jobs.max_attempts))
            THEN statement_timestamp() END,
        available_at = CASE
            WHEN held.delay > 0 AND jobs.cancel_requested_at IS NULL
                 AND (held.verb = 'release' OR held.verb IN ('fail', 'rescue')
                      AND NOT held.permanent AND jobs.attempts < jobs.max_attempts)
            THEN statement_timestamp() + held.delay * interval '1 second'
            ELSE jobs.available_at END,
        attempts = jobs.attempts - CASE WHEN held.verb = 'release' THEN 1 ELSE 0 END,
        result = held.result,
        error = CASE WHEN held.verb IN ('fail', 'rescue') THEN held.error
                     WHEN held.verb = 'succeed' THEN '' ELSE jobs.error END,
        error_fingerprint = CASE WHEN held.verb IN ('release', 'cancel')
                                 THEN jobs.error_fingerprint ELSE held.fingerprint END,
        locked_by = '', lease_token = NULL, lease_expires_at = NULL
    FROM held
    WHERE jobs.id = held.job_id AND jobs.status NOT IN ({_NOT_RUNNING})
          AND jobs.lease_token = held.token
    RETURNING jobs.id, held.token, jobs.status, held.event, held.data,
              jobs.attempts + CASE WHEN held.verb = 'release' THEN 1 ELSE 0 END AS attempt,
              jobs.workflow_id
), event AS (
    INSERT INTO job_events
        (job_id, kind, from_status, to_status, attempt, worker, lease_token, data)
    SELECT id, event, 'running', status, attempt, %s::text, token, data FROM changed
)
SELECT id, token, status, workflow_id FROM changed
"""  # noqa: S608


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
    return [
        Written(job_id, token, JobStatus(status), workflow_id)
        for job_id, token, status, workflow_id in prepared.fetch(
            using, _FINISH, [*columns(rows), worker]
        )
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
