"""Small workflows, and a worker that is a few calls of `lifecycle`."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from jobs import Step, Workflow, lifecycle
from jobs.models import Job
from jobs.models import Workflow as Row
from jobs.store import values
from jobs.store.claim import everything
from jobs.store.values import Claimed, Outcome
from jobs.workflows.running import RunningStep
from jobs.workflows.submit import SubmittedWorkflow
from tests.support import factories
from tests.support.factories import USING

TASK = "tests.step"


def submit(
    graph: Mapping[str, Sequence[str]], *, name: str = "test", **options: Mapping[str, Any]
) -> SubmittedWorkflow:
    """Submit steps by name with their parents; `options` are more arguments by step."""
    workflow = Workflow(name)
    for step, after in graph.items():
        workflow.step(step, TASK, after=list(after), **options.get(step, {}))
    return workflow.submit()


DIAMOND = {"top": [], "left": ["top"], "right": ["top"], "bottom": ["left", "right"]}
CHAIN = {"a": [], "b": ["a"], "c": ["b"]}


def claim(limit: int = 1000) -> dict[str, Claimed]:
    """Claim everything that is queued; by step name, which therefore must not repeat."""
    return _named(factories.claim(limit))


def _named(claimed: Sequence[Claimed]) -> dict[str, Claimed]:
    by_name = {job.step_name: job for job in claimed}
    assert len(by_name) == len(claimed)
    return by_name


def succeeded(job: Claimed, result: Any = None, *append: Step) -> Outcome:
    step = RunningStep(job)
    step.append(append)
    text = json.dumps(result)
    return values.succeeded(job, text, run_seconds=0.01, appended=step.appended)


def failed(job: Claimed, delay_seconds: float | None = None, error: str = "no") -> Outcome:
    """Without a delay it is over with the job."""
    return values.failed(
        job.id,
        job.token,
        error=error,
        delay_seconds=delay_seconds,
        data={},
        workflow_id=job.workflow_id,
    )


def finish(*outcomes: Outcome) -> None:
    factories.finish(*outcomes)


def finish_and_claim(*outcomes: Outcome) -> dict[str, Claimed]:
    """One exchange: write the outcomes and claim all there is."""
    return _named(_exchange(outcomes))


def _exchange(outcomes: Sequence[Outcome]) -> list[Claimed]:
    request = lifecycle.ClaimRequest(
        queues=None, limit=1000, choose=everything, token=uuid.uuid4(), lease_seconds=30
    )
    return lifecycle.exchange(USING, outcomes, request, worker=factories.WORKER).claimed


def run_all(fail: Sequence[str] = ()) -> list[str]:
    """Run everything that can run; steps named in `fail` fail for good. Their order of start."""
    started: list[str] = []
    running = _exchange([])
    while running:
        started += [job.step_name for job in running]
        running = _exchange(
            [
                failed(job) if job.step_name in fail else succeeded(job, job.step_name)
                for job in running
            ]
        )
    return started


def statuses(workflow: SubmittedWorkflow) -> dict[str, str]:
    rows = Job.objects.filter(workflow_id=workflow.id).order_by("pk")
    return dict(rows.values_list("step_name", "status"))


def status(workflow: SubmittedWorkflow) -> str:
    return Row.objects.get(pk=workflow.id).status


def cancel(workflow: SubmittedWorkflow, step: str) -> Job:
    return lifecycle.cancel(USING, workflow.jobs[step], actor="me", reason="")


def retry(workflow: SubmittedWorkflow, step: str) -> Job:
    return lifecycle.retry(USING, workflow.jobs[step], actor="me", reason="")
