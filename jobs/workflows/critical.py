"""The critical path of a workflow of any size, read hop by hop instead of as a whole graph."""

from __future__ import annotations

from typing import Final

from django.db import connections

# From the step that ended last, each time to the parent that ended last, as
# `graph.critical_path` does for a graph in memory. Each hop reads one step's edges by their index.
_PATH: Final = """
WITH RECURSIVE path(id, hop) AS (
    SELECT (
        SELECT id FROM jobs
        WHERE workflow_id = %s AND started_at IS NOT NULL AND finished_at IS NOT NULL
        ORDER BY finished_at DESC, id LIMIT 1
    ), 0
    UNION ALL
    SELECT (
        SELECT jobs.id FROM job_dependencies JOIN jobs ON jobs.id = job_dependencies.parent_id
        WHERE job_dependencies.child_id = path.id
            AND jobs.started_at IS NOT NULL AND jobs.finished_at IS NOT NULL
        ORDER BY jobs.finished_at DESC, jobs.id LIMIT 1
    ), hop + 1
    FROM path WHERE path.id IS NOT NULL
)
SELECT id FROM path WHERE id IS NOT NULL ORDER BY hop DESC
"""


def critical_path(using: str, workflow_id: int) -> list[int]:
    """Job ids of the steps whose ends made the workflow take so long, so far, in their order.

    Of the steps that have run and ended; empty before the first one has.
    """
    with connections[using].cursor() as cursor:
        cursor.execute(_PATH, [workflow_id])
        return [row[0] for row in cursor.fetchall()]
