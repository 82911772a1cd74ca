"""The rows of workflows and their edges: locked, inserted, counted and read.

What moves many steps along their edges is one statement on PostgreSQL (`workflows_postgres`) and a
loop elsewhere (`workflows_portable`). Whoever changes the status of a step holds the lock of its
workflow; `jobs.workflows.advance` says why.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, Protocol

from django.db import connections
from django.db.models import F

from jobs.models import Job, Workflow
from jobs.states import JobStatus, WorkflowStatus
from jobs.store import workflows_portable, workflows_postgres
from jobs.store.steps import Node
from jobs.store.values import Closed, StepRow

_STEP_CHUNK: Final = 1000
_EDGE_CHUNK: Final = 50_000


class _Bulk(Protocol):
    def lock(self, using: str, workflow_ids: Collection[int]) -> list[int]: ...

    def insert_steps(
        self, using: str, workflow_id: int, rows: Sequence[StepRow]
    ) -> list[tuple[int, str]]: ...

    def insert_edges(self, using: str, edges: Sequence[tuple[int, int, bool]]) -> None: ...

    def cancel_steps(self, using: str, rows: Sequence[tuple[int, str, dict[str, Any]]]) -> None: ...

    def close(self, using: str, job_ids: Sequence[int]) -> Closed: ...


def _bulk(using: str) -> _Bulk:
    postgres = connections[using].vendor == "postgresql"
    chosen: Any = workflows_postgres if postgres else workflows_portable
    return chosen  # type: ignore[no-any-return]


def lock(using: str, workflow_ids: Collection[int]) -> list[int]:
    """Lock these workflows, in the order of ids, for the transaction; returns those found."""
    return _bulk(using).lock(using, workflow_ids)


def of_jobs(using: str, job_ids: Collection[int]) -> set[int]:
    """The workflows these jobs are steps of. A job never changes its workflow."""
    steps = Job.objects.using(using).filter(pk__in=job_ids, workflow__isnull=False)
    return {pk for pk in steps.values_list("workflow_id", flat=True) if pk is not None}


_INSERT = """
INSERT INTO job_workflows (name, status, steps, open_steps, failed_steps, cancelled_steps,
                           tolerated_failures, tolerated_cancels, idempotency_key,
                           idempotency_hash, rerun_of)
VALUES (%s, %s, %s, %s, 0, 0, 0, 0, %s, %s, %s)
ON CONFLICT (idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
RETURNING id
"""


def insert(
    using: str,
    *,
    name: str,
    steps: int,
    open_steps: int,
    idempotency_key: str | None,
    idempotency_hash: str,
    rerun_of: int | None = None,
) -> int | None:
    """Insert a running workflow without its steps; None when its key is taken."""
    values: list[str | int | None] = [
        name,
        WorkflowStatus.RUNNING.value,
        steps,
        open_steps,
        idempotency_key,
        idempotency_hash,
        rerun_of,
    ]
    with connections[using].cursor() as cursor:
        cursor.execute(_INSERT, values)
        row = cursor.fetchone()
    return None if row is None else int(row[0])


def insert_steps(using: str, workflow_id: int, rows: Sequence[StepRow]) -> list[tuple[int, str]]:
    """Insert steps with their events; per step its id and status, in the order of `rows`."""
    bulk = _bulk(using)
    return [
        made
        for start in range(0, len(rows), _STEP_CHUNK)
        for made in bulk.insert_steps(using, workflow_id, rows[start : start + _STEP_CHUNK])
    ]


def insert_edges(using: str, edges: Sequence[tuple[int, int, bool]]) -> None:
    """Insert edges: parent, child, and whether the parent appended the child."""
    for start in range(0, len(edges), _EDGE_CHUNK):
        _bulk(using).insert_edges(using, edges[start : start + _EDGE_CHUNK])


def cancel_steps(using: str, rows: Sequence[tuple[int, str, dict[str, Any]]]) -> None:
    """Cancel blocked steps with their events: id, error, and what the event remembers."""
    _bulk(using).cancel_steps(using, rows)


def close(using: str, job_ids: Sequence[int]) -> Closed:
    """Count steps that have just ended and unblock the children that waited for them last."""
    return _bulk(using).close(using, job_ids)


def wait_for_more(using: str, children: Mapping[int, int]) -> None:
    """Blocked steps wait for so many parents more."""
    groups: dict[int, list[int]] = defaultdict(list)
    for child, count in children.items():
        groups[count].append(child)
    blocked = Job.objects.using(using).filter(status=JobStatus.BLOCKED)
    for count, ids in groups.items():
        blocked.filter(pk__in=ids).update(open_dependencies=F("open_dependencies") + count)


def grow(using: str, workflow_id: int, count: int) -> None:
    """The workflow has `count` more steps, all of them open."""
    Workflow.objects.using(using).filter(pk=workflow_id).update(
        steps=F("steps") + count, open_steps=F("open_steps") + count
    )


def reopen(using: str, revived: Collection[Node]) -> None:
    """Count steps that had ended, `revived` as they were before, as open again.

    Workflows that change alike are changed together, so many of them cost few statements.
    """
    of_workflow: dict[int, list[Node]] = defaultdict(list)
    for node in revived:
        of_workflow[node.workflow_id].append(node)
    alike: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for workflow_id, nodes in of_workflow.items():
        alike[_counts(nodes)].append(workflow_id)
    for (steps, failed, cancelled, let_fail, let_cancel), ids in sorted(alike.items()):
        Workflow.objects.using(using).filter(pk__in=ids).update(
            status=WorkflowStatus.RUNNING,
            finished_at=None,
            cancel_requested_at=None,
            open_steps=F("open_steps") + steps,
            failed_steps=F("failed_steps") - failed,
            cancelled_steps=F("cancelled_steps") - cancelled,
            tolerated_failures=F("tolerated_failures") - let_fail,
            tolerated_cancels=F("tolerated_cancels") - let_cancel,
        )


def _counts(nodes: Collection[Node]) -> tuple[int, int, int, int, int]:
    """How many: all, failed, cancelled, and of these two those let pass."""
    failed = [node for node in nodes if node.status is JobStatus.FAILED]
    cancelled = [node for node in nodes if node.status is JobStatus.CANCELLED]
    return (
        len(nodes),
        len(failed),
        len(cancelled),
        sum(node.satisfied for node in failed),
        sum(node.satisfied for node in cancelled),
    )
