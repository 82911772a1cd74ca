"""A workflow as a graph to be drawn: whole when it is small enough, else around one step."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from django.db.models import QuerySet

from jobs.api.fields import utc_text
from jobs.errors import InvalidInput
from jobs.models import Dependency, Job
from jobs.states import JobStatus
from jobs.workflows.critical import critical_path

MAX_WHOLE: Final = 2_000
"""Most steps of a workflow that is shown whole."""
MAX_AROUND: Final = 300
"""Most steps around one."""
MAX_EDGES: Final = 10_000
_HOPS: Final = 2
_COLUMNS: Final = (
    "id",
    "step_name",
    "task",
    "status",
    "attempts",
    "max_attempts",
    "on_failure",
    "open_dependencies",
    "available_at",
    "started_at",
    "finished_at",
    "progress",
)


def document(using: str, workflow_id: int, steps: int, around: str | None) -> dict[str, Any]:
    """The graph, ready to be sent: `steps` is how many the workflow has.

    A larger workflow, or one with too many edges, has no nodes unless `around` names a step.
    Raises InvalidInput when there is no such step.
    """
    if around is None:
        nodes, edges = _whole(using, workflow_id) if steps <= MAX_WHOLE else ([], [])
    else:
        nodes, edges = _around(using, workflow_id, around)
    return {
        "steps": steps,
        "complete": len(nodes) >= steps,
        "critical_path": critical_path(using, workflow_id),
        "nodes": [_node(row) for row in nodes],
        "edges": edges,
    }


def _whole(using: str, workflow_id: int) -> tuple[list[Mapping[str, Any]], list[tuple[int, int]]]:
    found = _rows(using).filter(workflow_id=workflow_id)
    # Bounded, whatever was appended since they were counted.
    rows = sorted(found[:MAX_WHOLE], key=lambda row: row["id"])
    ids = [row["id"] for row in rows]
    edges = _edges(Dependency.objects.using(using).filter(child_id__in=ids))
    known = set(ids)
    edges = [edge for edge in edges if edge[0] in known]
    return (rows, edges) if len(edges) <= MAX_EDGES else ([], [])


def _rows(using: str) -> QuerySet[Any, Any]:
    found: QuerySet[Any, Any] = Job.objects.using(using).values(*_COLUMNS)
    return found


def _edges(found: QuerySet[Dependency, Dependency]) -> list[tuple[int, int]]:
    """At most one more than are shown."""
    return sorted(found.values_list("parent_id", "child_id")[: MAX_EDGES + 1])


def _around(
    using: str, workflow_id: int, name: str
) -> tuple[list[Mapping[str, Any]], list[tuple[int, int]]]:
    center = _rows(using).filter(workflow_id=workflow_id, step_name=name).first()
    if center is None:
        raise InvalidInput("around", f"no step is named {name!r:.80}", code="unknown-step")
    near = {int(center["id"])}
    up = down = set(near)
    for _ in range(_HOPS):
        up = _next(using, "child_id", "parent_id", up, near)
        near |= up
        down = _next(using, "parent_id", "child_id", down, near)
        near |= down
    rows = sorted(_rows(using).filter(pk__in=near), key=lambda row: row["id"])
    both = Dependency.objects.using(using).filter(child_id__in=near, parent_id__in=near)
    return rows, _edges(both)[:MAX_EDGES]


def _next(using: str, here: str, there: str, ids: Collection[int], near: set[int]) -> set[int]:
    room = MAX_AROUND - len(near)
    if not ids or room <= 0:
        return set()
    edges = Dependency.objects.using(using).filter(**{f"{here}__in": ids})
    found: Iterable[int] = edges.exclude(**{f"{there}__in": near}).values_list(there, flat=True)
    return set(found[:room])  # type: ignore[index]


def _node(row: Mapping[str, Any]) -> dict[str, Any]:
    running = row["status"] == JobStatus.RUNNING
    return {
        "job": row["id"],
        "step": row["step_name"],
        "task": row["task"],
        "status": row["status"],
        "attempts": row["attempts"],
        "max_attempts": row["max_attempts"],
        "on_failure": row["on_failure"],
        "waits_for": row["open_dependencies"],
        "available_at": utc_text(row["available_at"]),
        "started_at": row["started_at"] and utc_text(row["started_at"]),
        "finished_at": row["finished_at"] and utc_text(row["finished_at"]),
        "percent": (row["progress"] or {}).get("percent") if running else None,
    }
