"""Steps that a running step adds to its workflow, with its own success or not at all."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import pytest

from jobs import Step, lifecycle
from jobs.models import Dependency, Job, JobEvent
from jobs.models import Workflow as Row
from jobs.store import values
from jobs.workflows import actions
from jobs.workflows.running import RunningStep
from jobs.workflows.submit import SubmittedWorkflow
from tests.support import factories
from tests.support.factories import USING
from tests.workflows.helpers import (
    TASK,
    cancel,
    claim,
    failed,
    finish,
    finish_and_claim,
    retry,
    run_all,
    status,
    statuses,
    submit,
    succeeded,
)

pytestmark = pytest.mark.django_db

SCAN = {"scan": [], "merge": ["scan"]}


def step(name: str, after: Sequence[str] = (), before: Sequence[str] = (), **options: Any) -> Step:
    return Step(name, TASK, after=list(after), before=list(before), **options)


def scan_finds(workflow: SubmittedWorkflow, *steps: Step) -> None:
    """Run the step `scan`, which appends these."""
    finish(succeeded(claim()["scan"], None, *steps))


def refusal(workflow: SubmittedWorkflow) -> str:
    """The error of the step `scan`, whose attempt has failed for good."""
    job = Job.objects.get(pk=workflow.jobs["scan"])
    assert job.status == "failed"
    assert status(workflow) == "failed"
    return job.error


def test_a_step_fans_out_over_what_it_found_and_another_gathers() -> None:
    workflow = submit(SCAN)
    scan_finds(workflow, *(step(f"file {n}", before=["merge"]) for n in range(3)))
    assert Row.objects.get(pk=workflow.id).steps == 5
    assert Job.objects.get(pk=workflow.jobs["merge"]).open_dependencies == 3
    assert run_all() == ["file 0", "file 1", "file 2", "merge"]
    assert status(workflow) == "succeeded"


def test_appended_steps_may_depend_on_each_other_and_on_steps_that_are_there() -> None:
    submit({"scan": [], "slow": []})
    running = claim()
    finish(succeeded(running["scan"], None, step("x"), step("y", ["x"]), step("z", ["y", "slow"])))
    ran = finish_and_claim(succeeded(claim()["x"]))
    assert list(ran) == ["y"]
    assert finish_and_claim(succeeded(ran["y"])) == {}
    assert list(finish_and_claim(succeeded(running["slow"]))) == ["z"]


def test_an_appended_step_begins_blocked_and_is_released_by_the_success_that_added_it() -> None:
    workflow = submit(SCAN)
    scan_finds(workflow, step("x"))
    job = Job.objects.get(workflow_id=workflow.id, step_name="x")
    assert factories.history(job.pk) == [
        ("enqueued", "", "blocked"),
        ("unblocked", "blocked", "queued"),
    ]
    assert Dependency.objects.get(child=job).appended


def test_the_success_of_the_step_can_be_awaited_with_others_that_end_in_the_same_exchange() -> None:
    workflow = submit({"scan": [], "other": []})
    running = claim()
    outcomes = [
        succeeded(running["other"]),
        succeeded(running["scan"], None, step("x", ["other"])),
    ]
    assert list(finish_and_claim(*outcomes)) == ["x"]
    assert statuses(workflow)["x"] == "running"


def test_two_steps_append_in_one_exchange() -> None:
    workflow = submit({"one": [], "two": [], "merge": ["one", "two"]})
    running = claim()
    new = finish_and_claim(
        succeeded(running["one"], None, step("from one", before=["merge"])),
        succeeded(running["two"], None, step("from two", before=["merge"])),
    )
    assert sorted(new) == ["from one", "from two"]
    finish(*map(succeeded, new.values()))
    assert run_all() == ["merge"]
    assert status(workflow) == "succeeded"


def test_a_failed_attempt_appends_nothing() -> None:
    workflow = submit(SCAN)
    job = claim()["scan"]
    outcome = failed(job, delay_seconds=0.0)
    finish(outcome)
    assert Row.objects.get(pk=workflow.id).steps == 2


def test_a_stale_worker_appends_nothing() -> None:
    workflow = submit(SCAN)
    stale = claim()["scan"]
    Job.objects.filter(status="running").update(lease_expires_at="2000-01-01T00:00Z")
    lifecycle.rescue(USING, limit=10, worker="w")
    finish(succeeded(stale, None, step("x")))
    assert Row.objects.get(pk=workflow.id).steps == 2
    lifecycle.run_now(USING, workflow.jobs["scan"], actor="me")
    scan_finds(workflow, step("x"))
    assert run_all() == ["merge", "x"]


def test_writing_one_outcome_twice_appends_once() -> None:
    workflow = submit(SCAN)
    outcome = succeeded(claim()["scan"], None, step("x"))
    finish(outcome)
    finish(outcome)
    assert Row.objects.get(pk=workflow.id).steps == 3


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([step("merge")], "step 'merge' is in the workflow already"),
        ([step("x", ["nowhere"])], "step 'x': no step is named 'nowhere'"),
        ([step("x", before=["nowhere"])], "step 'x': no step is named 'nowhere'"),
        ([step("x", before=["ended"])], "step 'x': 'ended' is succeeded and cannot wait any more"),
        ([step("x", before=["ready"])], "step 'x': 'ready' is queued and cannot wait any more"),
    ],
)
def test_what_the_workflow_cannot_take_fails_the_attempt_for_good(
    steps: list[Step], message: str
) -> None:
    workflow = submit({"ended": [], "scan": [], "ready": [], "merge": ["scan"], "below": ["merge"]})
    running = claim()
    finish(succeeded(running["ended"]), factories.released(row_of(workflow, "ready")))
    finish(succeeded(running["scan"], None, *steps))
    run_all()
    assert refusal(workflow) == f"InvalidInput: {message}"
    assert Row.objects.get(pk=workflow.id).steps == 5


@pytest.mark.parametrize("between", [[], ["y"], ["y", "z"]], ids=len)
def test_a_cycle_through_steps_that_are_there_fails_the_attempt(between: list[str]) -> None:
    workflow = submit({"scan": [], "merge": ["scan"], "below": ["merge"]})
    chain = ["below", *between, "last"]
    steps = [step(name, [parent]) for parent, name in itertools.pairwise(chain[:-1])]
    finish(succeeded(claim()["scan"], None, *steps, step("last", [chain[-2]], ["merge"])))
    told = refusal(workflow)
    assert told.startswith("InvalidInput: waits for itself: ")
    assert set(told.rpartition(": ")[2].split(" -> ")) == {"merge", *chain}


def row_of(workflow: SubmittedWorkflow, name: str) -> Job:
    return Job.objects.get(pk=workflow.jobs[name])


def test_a_cycle_among_steps_appended_in_two_calls_is_found() -> None:
    workflow = submit(SCAN)
    job = claim()["scan"]
    running = RunningStep(job)
    running.append([step("x", ["y"])])
    running.append([step("y", ["x"])])
    finish(values.succeeded(job, None, run_seconds=0.1, appended=running.appended))
    assert "waits for itself: x -> y -> x" in refusal(workflow)


def test_a_step_of_an_earlier_call_cannot_be_told_to_wait() -> None:
    workflow = submit(SCAN)
    job = claim()["scan"]
    running = RunningStep(job)
    running.append([step("x")])
    running.append([step("y", before=["x"])])
    finish(values.succeeded(job, None, run_seconds=0.1, appended=running.appended))
    assert "step 'y': 'x' is new as well" in refusal(workflow)


def test_a_workflow_grows_to_the_limit_and_not_beyond(settings: Any) -> None:
    settings.QFORGE = {"WORKFLOW_MAX_STEPS": 3}
    first, second = submit(SCAN), submit(SCAN)
    jobs = {job.workflow_id: job for job in factories.claim()}
    finish(succeeded(jobs[first.id], None, step("x")))
    finish(succeeded(jobs[second.id], None, step("x"), step("y")))
    assert Row.objects.get(pk=first.id).steps == 3
    assert "4 steps, at most 3 are allowed" in refusal(second)


def test_a_refused_step_does_not_hurt_its_neighbours_in_the_exchange() -> None:
    bad, good = submit(SCAN), submit(SCAN)
    jobs = {job.workflow_id: job for job in factories.claim()}
    finish(succeeded(jobs[bad.id], None, step("merge")), succeeded(jobs[good.id], None, step("x")))
    refusal(bad)
    assert statuses(good) == {"scan": "succeeded", "merge": "queued", "x": "queued"}


def test_an_appended_step_below_a_dead_one_is_cancelled_at_once() -> None:
    workflow = submit({"scan": [], "bad": []})
    running = claim()
    finish(failed(running["bad"]))
    finish(succeeded(running["scan"], None, step("x", ["bad"]), step("y", ["x"]), step("z")))
    assert statuses(workflow) == {
        "scan": "succeeded",
        "bad": "failed",
        "x": "cancelled",
        "y": "cancelled",
        "z": "queued",
    }
    retry(workflow, "bad")
    assert run_all() == ["z", "bad", "x", "y"]
    assert status(workflow) == "succeeded"


def test_an_appended_step_may_wait_for_a_failure_that_is_let_pass() -> None:
    workflow = submit({"soft": [], "scan": ["soft"]}, soft={"on_failure": "continue"})
    running = finish_and_claim(failed(claim()["soft"]))
    finish(succeeded(running["scan"], None, step("x", ["soft"])))
    assert run_all() == ["x"]
    assert status(workflow) == "succeeded"


def test_a_workflow_that_is_being_cancelled_takes_new_steps_as_cancelled() -> None:
    workflow = submit(SCAN)
    running = claim()
    actions.cancel_workflow(USING, workflow.id)
    finish(succeeded(running["scan"], None, step("x", before=["merge"])))
    assert statuses(workflow) == {"scan": "succeeded", "merge": "cancelled", "x": "cancelled"}
    assert status(workflow) == "cancelled"
    actions.retry_workflow(USING, workflow.id)
    assert run_all() == ["x", "merge"]
    assert status(workflow) == "succeeded"


def test_a_step_that_was_cancelled_meanwhile_may_still_be_told_to_wait() -> None:
    workflow = submit(SCAN)
    running = claim()
    cancel(workflow, "merge")
    finish(succeeded(running["scan"], None, step("x", before=["merge"])))
    assert statuses(workflow)["merge"] == "cancelled"
    assert retry(workflow, "merge").status == "blocked"
    assert run_all() == ["x", "merge"]


def test_a_failed_appended_step_cancels_the_step_that_gathers() -> None:
    workflow = submit(SCAN)
    scan_finds(workflow, step("x", before=["merge"]), step("y", before=["merge"]))
    assert run_all(fail=["y"]) == ["x", "y"]
    merge = Job.objects.get(pk=workflow.jobs["merge"])
    assert (merge.status, merge.error) == ("cancelled", "not run: step 'y' failed")


def test_steps_are_appended_by_appended_steps() -> None:
    workflow = submit(SCAN)
    scan_finds(workflow, step("x", before=["merge"]))
    running = claim()
    finish(succeeded(running["x"], None, step("deeper", before=["merge"])))
    assert run_all() == ["deeper", "merge"]
    assert status(workflow) == "succeeded"


def test_the_appending_attempt_has_its_result_like_any_other() -> None:
    workflow = submit(SCAN)
    finish(succeeded(claim()["scan"], {"found": 1}, step("x")))
    assert Job.objects.get(pk=workflow.jobs["scan"]).result == {"found": 1}
    kinds = JobEvent.objects.filter(job=workflow.jobs["scan"]).values_list("kind", flat=True)
    assert list(kinds) == ["enqueued", "claimed", "succeeded"]
