"""Submitting: the whole graph is checked, then inserted in one transaction, or nothing is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import DatabaseError, transaction

from jobs.errors import IdempotencyConflict
from jobs.models import Job, Workflow
from jobs.specs import check_key
from jobs.states import JobStatus, WorkflowStatus
from jobs.store import notify, workflows
from jobs.store.values import StepRow
from jobs.workflows import definition
from jobs.workflows.definition import Step

_TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class SubmittedWorkflow:
    """The answer to a submission. `created` is False when the key had a workflow already."""

    id: int
    status: WorkflowStatus
    created: bool
    jobs: Mapping[str, int]
    """Job id of each step, by name."""


def submit(
    using: str, name: str, steps: Sequence[Step], *, idempotency_key: str | None = None
) -> SubmittedWorkflow:
    """Check and insert a workflow, inside the caller's transaction when there is one.

    Raises InvalidInput before any SQL, and IdempotencyConflict when the key's workflow was asked
    for in other words.
    """
    definition.check_workflow_name(name)
    check_key(idempotency_key)
    prepared = definition.check(steps)
    fingerprint = ""
    if idempotency_key is not None:
        fingerprint = definition.fingerprint_of(name, steps, prepared)
    return insert(
        using,
        name,
        [StepRow(step, len(step.after)) for step in prepared],
        idempotency_key=idempotency_key,
        idempotency_hash=fingerprint,
    )


def insert(
    using: str,
    name: str,
    rows: Sequence[StepRow],
    *,
    idempotency_key: str | None,
    idempotency_hash: str,
    rerun_of: int | None = None,
    appended: Callable[[str, str], bool] = lambda parent, child: False,
) -> SubmittedWorkflow:
    """Insert a checked workflow. `appended(parent, child)` marks edges to steps added later."""
    open_steps = sum(row.kept_from is None for row in rows)
    # The key may be freed between refusal and look-up, when its workflow is pruned just then.
    for _ in range(_TRIES):
        with transaction.atomic(using=using):
            workflow_id = workflows.insert(
                using,
                name=name,
                steps=len(rows),
                open_steps=open_steps,
                idempotency_key=idempotency_key,
                idempotency_hash=idempotency_hash,
                rerun_of=rerun_of,
            )
            if workflow_id is not None:
                return _insert_steps(using, workflow_id, rows, appended)
        found = _existing(using, str(idempotency_key), idempotency_hash)
        if found is not None:
            return found
    raise DatabaseError("the workflows of this idempotency key come and go too fast to be read")


def _insert_steps(
    using: str,
    workflow_id: int,
    rows: Sequence[StepRow],
    appended: Callable[[str, str], bool],
) -> SubmittedWorkflow:
    made = workflows.insert_steps(using, workflow_id, rows)
    ids = {row.step.name: job_id for row, (job_id, _) in zip(rows, made, strict=True)}
    workflows.insert_edges(
        using,
        [
            (ids[parent], ids[row.step.name], appended(parent, row.step.name))
            for row in rows
            for parent in row.step.after
        ],
    )
    messages = {
        notify.QUEUE + row.step.job.queue
        for row, (_, status) in zip(rows, made, strict=True)
        if status == JobStatus.QUEUED
    }
    if any(status == JobStatus.SCHEDULED for _, status in made):
        messages.add(notify.SCHEDULED)
    notify.after_commit(using, messages)
    return SubmittedWorkflow(workflow_id, WorkflowStatus.RUNNING, created=True, jobs=ids)


def _existing(using: str, key: str, fingerprint: str) -> SubmittedWorkflow | None:
    workflow = Workflow.objects.using(using).filter(idempotency_key=key).first()
    if workflow is None:
        return None
    if workflow.idempotency_hash != fingerprint:
        raise IdempotencyConflict(key, workflow.pk, noun="workflow")
    ids = Job.objects.using(using).filter(workflow=workflow).values_list("step_name", "pk")
    status = WorkflowStatus(workflow.status)
    return SubmittedWorkflow(workflow.pk, status, created=False, jobs=dict(ids))
