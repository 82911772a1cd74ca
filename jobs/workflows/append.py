"""Steps that a running step adds to its own workflow, if and only if it succeeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from jobs import fingerprint
from jobs.conf import conf
from jobs.models import Job, Workflow
from jobs.states import JobStatus
from jobs.store import steps, workflows
from jobs.store.values import NewStep, Outcome, StepRow, failed
from jobs.workflows import closing, graph


def insert(using: str, outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Insert the steps of all outcomes whose lease holds, before the outcomes are written.

    The appending step is still running, so its steps wait for it like any child, and its success
    releases them. Holding its row under its token makes sure that this success will be written.
    Returns the outcomes, those refused turned into failures.
    """
    return [
        _insert(using, outcome) if outcome.appended else outcome
        for outcome in sorted(outcomes, key=lambda o: o.job_id)
    ]


def _insert(using: str, outcome: Outcome) -> Outcome:
    running = Job.objects.using(using).filter(
        pk=outcome.job_id, status=JobStatus.RUNNING, lease_token=outcome.token
    )
    job = (
        running.select_for_update(no_key=True)
        .only("workflow_id", "step_name", "task", "queue")
        .first()
    )
    if job is None or job.workflow_id is None:
        return replace(outcome, appended=())
    workflow = Workflow.objects.using(using).get(pk=job.workflow_id)
    around = steps.nodes_named(using, workflow.pk, _names(outcome.appended))
    problem = _problem(using, workflow, outcome.appended, around)
    if problem is not None:
        told = {"type": "jobs.errors.InvalidInput", "message": problem}
        return failed(
            outcome.job_id,
            outcome.token,
            error=f"InvalidInput: {problem}",
            delay_seconds=None,
            data=outcome.data | {"error": told},
            workflow_id=workflow.pk,
            failure=fingerprint.of_reason(
                job.task, job.queue, exception=told["type"], message=problem
            ),
        )
    _write(using, workflow, job.step_name, outcome.appended, around)
    return replace(outcome, appended=())


def _names(appended: Sequence[NewStep]) -> set[str]:
    """The steps themselves and all that they mention."""
    return {name for step in appended for name in (step.name, *step.after, *step.before)}


def _problem(
    using: str, workflow: Workflow, appended: Sequence[NewStep], around: Mapping[str, steps.Node]
) -> str | None:
    """Why these steps cannot join the workflow as it is now; None when they can."""
    limit = conf.WORKFLOW_MAX_STEPS
    if workflow.steps + len(appended) > limit:
        return f"{workflow.steps + len(appended):,} steps, at most {limit:,} are allowed"
    new = {step.name for step in appended}
    for step in appended:
        if step.name in around:
            return f"step {step.name!r} is in the workflow already"
        for name in (*step.after, *step.before):
            if name not in new and name not in around:
                return f"step {step.name!r}: no step is named {name!r:.80}"
        for name in step.before:
            if name in new:
                return f"step {step.name!r}: {name!r} is new as well and cannot wait for it"
            node = around[name]
            if node.status is not JobStatus.BLOCKED and not node.never_ran:
                return f"step {step.name!r}: {name!r} is {node.status} and cannot wait any more"
    cycle = _cycle(using, appended, around)
    return None if cycle is None else f"waits for itself: {graph.show_cycle(cycle)}"


def _cycle(
    using: str, appended: Sequence[NewStep], around: Mapping[str, steps.Node]
) -> list[str] | None:
    """A cycle among the new steps, or through one that is to wait for a new one."""
    parents: dict[str, list[str]] = {name: [] for name in around}
    parents |= {step.name: list(step.after) for step in appended}
    for step in appended:
        for name in step.before:
            parents[name].append(step.name)
    for waiting in {name for step in appended for name in step.before}:
        below = set(steps.descendants(using, around[waiting].pk))
        for name, node in around.items():
            if node.pk in below:
                parents[name].append(waiting)
    return graph.find_cycle(parents)


def _write(
    using: str,
    workflow: Workflow,
    appender: str,
    appended: Sequence[NewStep],
    around: Mapping[str, steps.Node],
) -> None:
    rows = [StepRow(step, _open_parents(step, around)) for step in appended]
    workflows.grow(using, workflow.pk, len(rows))
    made = workflows.insert_steps(using, workflow.pk, rows)
    ids = {name: node.pk for name, node in around.items()}
    ids |= {step.name: made_id for step, (made_id, _) in zip(appended, made, strict=True)}
    edges = [
        (ids[parent], ids[step.name], parent == appender)
        for step in appended
        for parent in step.after
    ]
    later = Counter(name for step in appended for name in step.before)
    edges += [(ids[step.name], ids[name], False) for step in appended for name in step.before]
    workflows.insert_edges(using, edges)
    workflows.wait_for_more(using, {ids[name]: count for name, count in later.items()})
    if workflow.cancel_requested_at is not None:
        # They are there as cancelled ones, so that a retry of the workflow has them.
        new = steps.nodes(using, [job_id for job_id, _ in made])
        closing.stop(using, list(new.values()), {"reason": "the workflow is being cancelled"})
        return
    dead = [node.pk for name, node in around.items() if node.dead and not node.satisfied]
    if dead:
        closing.close(using, dead=closing.cancel_below(using, dead))


def _open_parents(step: NewStep, around: Mapping[str, steps.Node]) -> int:
    return sum(name not in around or not around[name].satisfied for name in step.after)
