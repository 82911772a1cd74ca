"""Reading the steps of workflows: their state, their edges and what lies below them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import connections

from jobs.models import Dependency, Job
from jobs.states import JobStatus, OnFailure

# Walks go along edges in as many rounds as the graph is deep. Whatever the statistics say, each
# round must look edges and steps up by their keys: a join might read a whole table a round. So the
# look-ups are subqueries that the planner cannot turn into joins; `workflows_postgres` says more.
_CHILDREN: Final = {
    True: """CROSS JOIN LATERAL (
        SELECT child_id FROM job_dependencies
        WHERE parent_id BETWEEN {above}.id AND {above}.id OFFSET 0
    ) d""",
    False: "JOIN job_dependencies d ON d.parent_id = {above}.id",
}
_BELOW: Final = """
WITH RECURSIVE below(id) AS (
    SELECT d.child_id FROM jobs p {of_root} WHERE p.id IN ({roots}) AND {roots_that}
    UNION
    SELECT d.child_id FROM below {of_step} WHERE {children_that}
)
SELECT id FROM below
"""
_BLOCKED: Final = "(SELECT c.open_dependencies FROM jobs c WHERE c.id = d.child_id) > 0"
_STOPPED_BY_OTHERS: Final = """(
        SELECT c.status = 'cancelled' AND c.cancel_requested_at IS NULL AND c.attempts = 0
        FROM jobs c WHERE c.id = d.child_id
    )"""


def doomed(using: str, roots: Sequence[int]) -> list[int]:
    """Blocked steps that can no longer run, because of those of `roots` that have not succeeded.

    All that has started or ended below a step that has not succeeded owes it nothing.
    """
    dead = "p.status IN ('failed', 'cancelled') AND p.on_failure = 'cancel'"
    return _below(using, roots, roots_that=f"{dead} AND {_BLOCKED}", children_that=_BLOCKED)


def revivable(using: str, roots: Sequence[int]) -> list[int]:
    """The steps themselves and what was cancelled below them because of a step above.

    Of the latter nobody asked for them to stop and they never ran.
    """
    other = _STOPPED_BY_OTHERS
    return list({*roots, *_below(using, roots, roots_that=other, children_that=other)})


def descendants(using: str, root: int) -> list[int]:
    """Everything below a step."""
    return _below(using, [root], roots_that="TRUE", children_that="TRUE")


def _below(using: str, roots: Sequence[int], *, roots_that: str, children_that: str) -> list[int]:
    connection = connections[using]
    children = _CHILDREN[connection.vendor == "postgresql"]
    statement = _BELOW.format(
        roots=", ".join(["%s"] * len(roots)),
        roots_that=roots_that,
        children_that=children_that,
        of_root=children.format(above="p"),
        of_step=children.format(above="below"),
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, list(roots))
        return [job_id for (job_id,) in cursor.fetchall()]


def edges_into(using: str, children: Collection[int]) -> list[tuple[int, int]]:
    """All edges to these steps: (parent, child)."""
    edges = Dependency.objects.using(using).filter(child_id__in=children)
    return list(edges.values_list("parent_id", "child_id"))


def edges_from(using: str, parents: Collection[int]) -> list[tuple[int, int]]:
    """All edges from these steps: (parent, child)."""
    edges = Dependency.objects.using(using).filter(parent_id__in=parents)
    return list(edges.values_list("parent_id", "child_id"))


def edges_between(
    using: str, parents: Collection[int], children: Collection[int]
) -> list[tuple[int, int]]:
    """Edges from one of `parents` to one of `children`: (parent, child)."""
    wanted = set(children)
    return [edge for edge in edges_from(using, parents) if edge[1] in wanted]


@dataclass(frozen=True, slots=True)
class Node:
    """What advancing must know of a step; also what `transitions.change` asks of a row."""

    pk: int
    status: JobStatus
    on_failure: OnFailure
    attempts: int
    name: str
    workflow_id: int

    @property
    def satisfied(self) -> bool:
        """It has ended, and its children need not wait for it."""
        return self.status is JobStatus.SUCCEEDED or (
            self.dead and self.on_failure is OnFailure.CONTINUE
        )

    @property
    def dead(self) -> bool:
        """It has ended without success."""
        return self.status in (JobStatus.FAILED, JobStatus.CANCELLED)

    @property
    def never_ran(self) -> bool:
        """It was cancelled while it waited."""
        return self.status is JobStatus.CANCELLED and self.attempts == 0


_NODE: Final = ("pk", "status", "on_failure", "attempts", "step_name", "workflow_id")


def nodes(using: str, job_ids: Iterable[int]) -> dict[int, Node]:
    rows = Job.objects.using(using).filter(pk__in=list(job_ids))
    return _nodes(rows.values_list(*_NODE))


def nodes_named(using: str, workflow_id: int, names: Collection[str]) -> dict[str, Node]:
    """Steps of a workflow by name; names it does not have are left out."""
    rows = Job.objects.using(using).filter(workflow_id=workflow_id, step_name__in=names)
    return {node.name: node for node in _nodes(rows.values_list(*_NODE)).values()}


def nodes_in(using: str, workflow_id: int, statuses: Collection[JobStatus]) -> dict[int, Node]:
    """Steps of a workflow in these statuses, locked in the order of ids."""
    rows = Job.objects.using(using).filter(workflow_id=workflow_id, status__in=statuses)
    return _nodes(rows.order_by("pk").select_for_update().values_list(*_NODE))


def _nodes(rows: Iterable[tuple[Any, ...]]) -> dict[int, Node]:
    return {row[0]: Node(row[0], JobStatus(row[1]), OnFailure(row[2]), *row[3:]) for row in rows}
