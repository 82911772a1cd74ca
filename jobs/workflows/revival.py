"""Retry: which steps come back to life, and what each of them waits for then."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from jobs.errors import StepConflict, WorkflowConflict
from jobs.models import Job, Workflow
from jobs.states import TERMINAL, JobStatus, Verb, WorkflowStatus
from jobs.store import notify, steps, transitions, workflows
from jobs.store.steps import Node
from jobs.workflows import graph

_GONE_ON = (JobStatus.QUEUED, JobStatus.SCHEDULED, JobStatus.RUNNING)


@dataclass(slots=True)
class Plan:
    waits: dict[int, int] = field(default_factory=dict)
    """Steps to revive, with the number of parents each must wait for."""
    more: dict[int, int] = field(default_factory=dict)
    """Blocked steps that had one of them behind them: so many parents more to wait for."""
    refused: dict[int, str] = field(default_factory=dict)
    """Steps that cannot be revived, and why."""


def plan(
    candidates: Collection[int],
    nodes: Mapping[int, Node],
    parents: Mapping[int, Collection[int]],
    children: Mapping[int, Collection[int]],
) -> Plan:
    """What a retry of `candidates`, steps that ended without success, can do.

    `parents` has all parents of each candidate and `children` all children of those candidates
    whose failure was let pass. A step is revived when each of its parents has succeeded, is let
    pass, is open or is revived itself; and not while a child that went on without it is under way,
    since a child must not run beside its parent.
    """
    made = Plan()
    inside = {pk: [p for p in parents.get(pk, ()) if p in candidates] for pk in candidates}
    for pk in graph.order(inside):
        above = [nodes[parent] for parent in parents.get(pk, ())]
        dead = [p for p in above if p.pk not in made.waits and p.dead and not p.satisfied]
        ahead = [c for c in children.get(pk, ()) if nodes[c].status in _GONE_ON]
        if dead:
            made.refused[pk] = f"its parent {dead[0].name!r} {dead[0].status}; retry that one"
        elif ahead and nodes[pk].satisfied:
            made.refused[pk] = f"step {nodes[ahead[0]].name!r} has gone on without it"
        else:
            made.waits[pk] = sum(p.pk in made.waits or p.status not in TERMINAL for p in above)
    for pk in made.waits:
        for child in children.get(pk, ()) if nodes[pk].satisfied else ():
            if nodes[child].status is JobStatus.BLOCKED:
                made.more[child] = made.more.get(child, 0) + 1
    return made


def retry_step(using: str, job: Job, data: dict[str, Any]) -> None:
    """Revive a failed or cancelled step with what was cancelled below it because of a step above.

    The workflow is locked, and the state table allows the retry. Raises StepConflict when the rest
    of the workflow does not.
    """
    refused = retry_steps(using, [job], data).refused
    if refused:
        raise StepConflict(job.pk, Verb.RETRY, job.status, refused[job.pk])


@dataclass(frozen=True, slots=True)
class Revived:
    steps: int
    """Those asked for, and those below them."""
    refused: dict[int, str]
    """Those asked for that stay as they are, and why."""


def retry_steps(using: str, jobs: Collection[Job], data: dict[str, Any]) -> Revived:
    """As `retry_step` for many steps of any workflows, all of which are locked.

    One that is refused keeps none of the others from being revived, unless it is above them.
    """
    stopping = set(
        Workflow.objects.using(using)
        .filter(
            pk__in={job.workflow_id for job in jobs},
            status=WorkflowStatus.RUNNING,
            cancel_requested_at__isnull=False,
        )
        .values_list("pk", flat=True)
    )
    reason = "its workflow is being cancelled"
    refused = {job.pk: reason for job in jobs if job.workflow_id in stopping}
    roots = {job.pk for job in jobs} - refused.keys()
    while roots:
        made, nodes = _plan(using, steps.revivable(using, sorted(roots)))
        unfit = {pk: made.refused[pk] for pk in roots & made.refused.keys()}
        if not unfit:
            _carry_out(using, made, nodes, data)
            return Revived(len(made.waits), refused)
        # What is below a step that is refused must not be revived in its stead.
        refused |= unfit
        roots -= unfit.keys()
    return Revived(0, refused)


def retry_all(using: str, workflow: Workflow, data: dict[str, Any]) -> None:
    """Revive all steps that ended without success, whoever cancelled them.

    A step whose failure was let pass stays as it is while a step below it is under way. The
    workflow is locked. Raises WorkflowConflict when there is nothing to revive.
    """
    ended = steps.nodes_in(using, workflow.pk, (JobStatus.FAILED, JobStatus.CANCELLED))
    made, nodes = _plan(using, list(ended))
    if not made.waits:
        raise WorkflowConflict(
            workflow.pk, Verb.RETRY, workflow.status, f"{workflow.status} and has nothing to retry"
        )
    _carry_out(using, made, nodes, data)


def _plan(using: str, candidates: Collection[int]) -> tuple[Plan, dict[int, Node]]:
    parents, children = defaultdict(list), defaultdict(list)
    for parent, child in steps.edges_into(using, candidates):
        parents[child].append(parent)
    nodes = steps.nodes(using, {*candidates, *(p for above in parents.values() for p in above)})
    let_pass = [pk for pk in candidates if nodes[pk].satisfied]
    for parent, child in steps.edges_from(using, let_pass):
        children[parent].append(child)
    nodes |= steps.nodes(using, {c for below in children.values() for c in below} - nodes.keys())
    return plan(set(candidates), nodes, parents, children), nodes


def _carry_out(using: str, made: Plan, nodes: Mapping[int, Node], data: dict[str, Any]) -> None:
    groups = defaultdict(list)
    for pk, count in sorted(made.waits.items()):
        groups[count].append(nodes[pk])
    for count, rows in sorted(groups.items()):
        transitions.change(
            using,
            Verb.RETRY,
            rows,
            to_status=JobStatus.BLOCKED if count else JobStatus.QUEUED,
            values=transitions.FRESH | {"open_dependencies": count},
            data=data,
        )
    workflows.wait_for_more(using, made.more)
    workflows.reopen(using, [nodes[pk] for pk in made.waits])
    queued = Job.objects.using(using).filter(pk__in=[node.pk for node in groups[0]])
    if queues := set(queued.values_list("queue", flat=True)):
        notify.after_commit(using, {notify.QUEUE + queue for queue in queues})
