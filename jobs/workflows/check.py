"""Asking the database whether workflows and their steps agree. Empty after every day's work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db import connections


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Something that no order of events can bring about."""

    workflow_id: int
    step: str
    """Empty when it is about the workflow as a whole."""
    problem: str


# A step is open while it has no finish time. Check constraints tie the status of a workflow to its
# counts, and a blocked step to open dependencies; these queries tie both to the other rows.
_COUNTS: Final = """
SELECT w.id, '', 'counts ' || w.steps || '/' || w.open_steps || '/' || w.failed_steps || '/'
       || w.cancelled_steps || '/' || w.tolerated_failures || '/' || w.tolerated_cancels
       || ' (all/open/failed/cancelled/tolerated failures/tolerated cancels), but the steps say '
       || s.steps || '/' || s.open || '/' || s.failed || '/' || s.cancelled || '/'
       || s.tolerated_f || '/' || s.tolerated_c
FROM job_workflows w JOIN (
    SELECT v.id, count(j.id) AS steps,
           count(CASE WHEN j.id > 0 AND j.finished_at IS NULL THEN 1 END) AS open,
           count(CASE WHEN j.status = 'failed' THEN 1 END) AS failed,
           count(CASE WHEN j.status = 'cancelled' THEN 1 END) AS cancelled,
           count(CASE WHEN j.status = 'failed' AND j.on_failure = 'continue' THEN 1 END)
               AS tolerated_f,
           count(CASE WHEN j.status = 'cancelled' AND j.on_failure = 'continue' THEN 1 END)
               AS tolerated_c
    FROM job_workflows v LEFT JOIN jobs j ON j.workflow_id = v.id
    WHERE {where} GROUP BY v.id
) s ON s.id = w.id
WHERE s.steps <> w.steps OR s.open <> w.open_steps OR s.failed <> w.failed_steps
   OR s.cancelled <> w.cancelled_steps OR s.tolerated_f <> w.tolerated_failures
   OR s.tolerated_c <> w.tolerated_cancels
"""

_WAITING: Final = """
SELECT v.id, c.step_name, 'waits for ' || c.open_dependencies || ' parents, but '
       || count(p.id) || ' have yet to succeed, ' || count(p.finished_at) || ' of which have ended'
FROM job_workflows v JOIN jobs c ON c.workflow_id = v.id
    LEFT JOIN job_dependencies d ON d.child_id = c.id
    LEFT JOIN jobs p ON p.id = d.parent_id AND p.status <> 'succeeded'
                    AND NOT (p.status IN ('failed', 'cancelled') AND p.on_failure = 'continue')
WHERE {where} AND c.status = 'blocked'
GROUP BY v.id, c.id, c.step_name, c.open_dependencies
HAVING count(p.id) <> c.open_dependencies OR count(p.finished_at) > 0
"""

_AHEAD: Final = """
SELECT v.id, c.step_name, 'is ' || c.status || ' while its parent ' || p.step_name || ' is '
       || p.status
FROM job_workflows v JOIN jobs c ON c.workflow_id = v.id
    JOIN job_dependencies d ON d.child_id = c.id JOIN jobs p ON p.id = d.parent_id
WHERE {where} AND c.status IN ('scheduled', 'queued', 'running')
  AND (p.finished_at IS NULL OR (p.status IN ('failed', 'cancelled') AND p.on_failure = 'cancel'))
"""

# A parent whose failure was let pass may run again after its children, so it is left out.
_EARLY: Final = """
SELECT v.id, c.step_name, 'started before the end of its parent ' || p.step_name
FROM job_workflows v JOIN jobs c ON c.workflow_id = v.id
    JOIN job_dependencies d ON d.child_id = c.id JOIN jobs p ON p.id = d.parent_id
WHERE {where} AND c.started_at IS NOT NULL AND p.on_failure = 'cancel'
  AND (p.finished_at IS NULL OR c.started_at < p.finished_at)
"""

_STRAY: Final = """
SELECT v.id, c.step_name, 'depends on job ' || d.parent_id || ', which is not of this workflow'
FROM job_workflows v JOIN jobs c ON c.workflow_id = v.id
    JOIN job_dependencies d ON d.child_id = c.id LEFT JOIN jobs p ON p.id = d.parent_id
WHERE {where} AND (p.workflow_id IS NULL OR p.workflow_id <> v.id)
"""

_CHILDLESS: Final = """
SELECT v.id, p.step_name, 'is the parent of job ' || d.child_id || ', which is not there'
FROM job_workflows v JOIN jobs p ON p.workflow_id = v.id
    JOIN job_dependencies d ON d.parent_id = p.id LEFT JOIN jobs c ON c.id = d.child_id
WHERE {where} AND c.id IS NULL
"""


def disagreements(using: str, workflow_id: int | None = None) -> list[Disagreement]:
    """What is wrong with all workflows, or with one; reads every step, so not for every minute.

    Each query sees one moment, so workers may go on meanwhile.
    """
    where = "TRUE" if workflow_id is None else "v.id = %s"
    parameters = [] if workflow_id is None else [workflow_id]
    found = []
    with connections[using].cursor() as cursor:
        for query in (_COUNTS, _WAITING, _AHEAD, _EARLY, _STRAY, _CHILDLESS):
            cursor.execute(query.format(where=where), parameters)
            found += [Disagreement(*row) for row in cursor.fetchall()]
    return found
