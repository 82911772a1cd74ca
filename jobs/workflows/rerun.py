"""Rerun: a new workflow from the steps of another, whole or from any step on."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from jobs import registry
from jobs.errors import InvalidInput, WorkflowNotFound
from jobs.models import Dependency, Job, Workflow
from jobs.payload import ExactEncoder
from jobs.specs import check_key, fingerprint
from jobs.states import JobStatus, OnFailure
from jobs.store import audit, workflows
from jobs.store.values import NewJob, NewStep, StepRow
from jobs.workflows import definition, graph
from jobs.workflows.submit import SubmittedWorkflow, insert

_encode = ExactEncoder().encode


def rerun_workflow(
    using: str,
    workflow_id: int,
    *,
    from_steps: Sequence[str] = (),
    idempotency_key: str | None = None,
    reason: str = "",
) -> SubmittedWorkflow:
    """Submit the steps of a workflow once more, as a workflow of its own.

    Without `from_steps` everything runs again, and steps that were added at run time are left for
    their own steps to add. With them, these steps and all below them run again; elsewhere a step
    that succeeded is kept with its result, and one that did not runs again, with all below it.

    Raises WorkflowNotFound; InvalidInput for a step the workflow does not have or a task that is
    no longer registered; IdempotencyConflict.
    """
    check_key(idempotency_key)
    with transaction.atomic(using=using):
        # Not to be pruned while its results are copied.
        if not workflows.lock(using, [workflow_id]):
            raise WorkflowNotFound(workflow_id)
        source = _Source(using, workflow_id)
        source.check_names(from_steps)
        made = insert(
            using,
            source.name,
            source.rows(source.kept(from_steps) if from_steps else set()),
            idempotency_key=idempotency_key,
            idempotency_hash=""
            if idempotency_key is None
            else fingerprint([workflow_id, sorted(from_steps)]),
            rerun_of=workflow_id,
            appended=source.was_appended,
        )
        if made.created:
            told = {"workflow": made.id, "from_steps": sorted(from_steps)}
            audit.record(using, "workflow.rerun", workflow_id, reason=reason, after=told)
        return made


class _Source:
    """The workflow to run again: its steps and edges, by job id."""

    def __init__(self, using: str, workflow_id: int) -> None:
        self.name = Workflow.objects.using(using).get(pk=workflow_id).name
        rows = Job.objects.using(using).filter(workflow_id=workflow_id).order_by("pk")
        self.jobs = {job.pk: job for job in rows.defer("result", "error", "progress")}
        self._parents: dict[int, list[int]] = {pk: [] for pk in self.jobs}
        self._appended: dict[int, list[int]] = {pk: [] for pk in self.jobs}
        self._appender: dict[int, int] = {}
        edges = Dependency.objects.using(using).filter(child__workflow_id=workflow_id)
        for parent, child, appended in edges.values_list("parent_id", "child_id", "appended"):
            self._parents[child].append(parent)
            if appended:
                self._appended[parent].append(child)
                self._appender[child] = parent
        self._children = graph.invert(self._parents)
        self._appended_names = {
            (self.jobs[parent].step_name, self.jobs[child].step_name)
            for child, parent in self._appender.items()
        }

    def check_names(self, from_steps: Sequence[str]) -> None:
        known = {job.step_name for job in self.jobs.values()}
        for n, name in enumerate(from_steps):
            if name not in known:
                raise InvalidInput(
                    f"from_steps[{n}]", f"no step is named {name!r:.80}", code="unknown-step"
                )

    def kept(self, from_steps: Sequence[str]) -> set[int]:
        """Steps whose results stand: they succeeded, and nothing above them runs again."""
        again = {
            pk
            for pk, job in self.jobs.items()
            if job.status != JobStatus.SUCCEEDED or job.step_name in from_steps
        }
        while True:
            kept = self.jobs.keys() - graph.below(self._children, again)
            wanted = self.wanted(kept)
            # An added step that waits for one to be added anew can only be added anew itself.
            torn = {
                appender
                for pk, appender in self._appender.items()
                if pk in wanted and not wanted.issuperset(self._parents[pk])
            }
            if torn <= again:
                return kept
            again |= torn

    def wanted(self, kept: set[int]) -> set[int]:
        """All steps but those that a step which runs again will add again."""
        anew = [child for pk in self.jobs if pk not in kept for child in self._appended[pk]]
        return self.jobs.keys() - graph.below(self._appended, anew)

    def rows(self, kept: set[int]) -> list[StepRow]:
        wanted = self.wanted(kept)
        return [
            self._row(n, pk, kept, wanted)
            for n, pk in enumerate(pk for pk in self.jobs if pk in wanted)
        ]

    def was_appended(self, parent: str, child: str) -> bool:
        """Whether the step named `parent` added the one named `child`."""
        return (parent, child) in self._appended_names

    def _row(self, n: int, pk: int, kept: set[int], wanted: set[int]) -> StepRow:
        job = self.jobs[pk]
        parents = [parent for parent in self._parents[pk] if parent in wanted]
        step = NewStep(
            name=job.step_name,
            job=_job(job) if pk in kept else _checked(n, job),
            after=tuple(self.jobs[parent].step_name for parent in parents),
            on_failure=OnFailure(job.on_failure),
        )
        if pk in kept:
            return StepRow(step, 0, kept_from=pk)
        return StepRow(step, sum(parent not in kept for parent in parents))


def _job(job: Job) -> NewJob:
    return NewJob(
        task=job.task,
        queue=job.queue,
        payload=_encode(job.payload),
        args=_encode(job.args),
        priority=job.priority,
        max_attempts=job.max_attempts,
        timeout_seconds=job.timeout_seconds,
        available_at=job.available_at,
        tasks_backend=job.tasks_backend,
    )


def _checked(n: int, job: Job) -> NewJob:
    try:
        registry.get(job.task).check_arguments(job.args, job.payload)
    except InvalidInput as error:
        raise definition.at(n, job.step_name, error) from None
    return _job(job)
