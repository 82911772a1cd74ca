from __future__ import annotations

from typing import Any

import pytest

from jobs import Step, registry
from jobs.errors import IdempotencyConflict, InvalidInput, WorkflowNotFound
from jobs.models import Dependency, Job, JobEvent
from jobs.models import Workflow as Row
from jobs.workflows.rerun import rerun_workflow
from jobs.workflows.submit import SubmittedWorkflow
from tests.support.factories import USING
from tests.workflows.helpers import (
    DIAMOND,
    TASK,
    claim,
    finish,
    run_all,
    status,
    statuses,
    submit,
    succeeded,
)

pytestmark = pytest.mark.django_db


def rerun(workflow: SubmittedWorkflow, *from_steps: str, **options: Any) -> SubmittedWorkflow:
    return rerun_workflow(USING, workflow.id, from_steps=from_steps, **options)


def named_edges(workflow: SubmittedWorkflow) -> set[tuple[str, str]]:
    edges = Dependency.objects.filter(child__workflow_id=workflow.id)
    return set(edges.values_list("parent__step_name", "child__step_name"))


def test_a_rerun_is_a_new_workflow_of_the_same_steps() -> None:
    first = submit(
        DIAMOND,
        name="nightly",
        left={
            "payload": {"x": {"$result": "top"}},
            "queue": "slow",
            "priority": 5,
            "max_attempts": 7,
            "timeout_seconds": 9,
            "on_failure": "continue",
        },
    )
    run_all()
    again = rerun(first)
    assert again.id != first.id
    row = Row.objects.get(pk=again.id)
    assert (row.name, row.rerun_of, row.status) == ("nightly", first.id, "running")
    assert statuses(again) == dict.fromkeys(DIAMOND, "blocked") | {"top": "queued"}
    assert named_edges(again) == named_edges(first)
    columns = ("task", "payload", "queue", "priority", "max_attempts", "timeout_seconds")
    both = Job.objects.filter(step_name="left").values_list(*columns, "on_failure")
    assert both[0] == both[1]
    run_all()
    assert status(again) == "succeeded"
    assert status(first) == "succeeded"


def test_a_rerun_from_a_step_keeps_the_results_above_it() -> None:
    first = submit(DIAMOND)
    run_all()
    again = rerun(first, "left")
    assert statuses(again) == {
        "top": "succeeded",
        "left": "queued",
        "right": "succeeded",
        "bottom": "blocked",
    }
    kept = Job.objects.get(pk=again.jobs["top"])
    assert kept.result == "top"
    event = JobEvent.objects.get(job=kept)
    assert (event.kind, event.to_status) == ("enqueued", "succeeded")
    assert event.data == {"kept_from": first.jobs["top"]}
    assert run_all() == ["left", "bottom"]
    assert status(again) == "succeeded"


def test_a_rerun_from_a_step_runs_again_what_has_no_result_to_keep() -> None:
    first = submit({"a": [], "b": ["a"], "x": [], "y": ["x"], "z": ["y"]})
    run_all(fail=["x"])
    again = rerun(first, "b")
    assert statuses(again) == {
        "a": "succeeded",
        "b": "queued",
        "x": "queued",
        "y": "blocked",
        "z": "blocked",
    }
    run_all()
    assert status(again) == "succeeded"


def test_a_rerun_of_a_running_workflow_keeps_what_has_succeeded_so_far() -> None:
    first = submit(DIAMOND)
    finish(succeeded(claim()["top"], "kept"))
    again = rerun(first, "bottom")
    assert statuses(again)["top"] == "succeeded"
    assert statuses(again)["left"] == "queued"


def test_a_rerun_from_several_steps_runs_all_below_them() -> None:
    first = submit({"a": [], "b": ["a"], "x": [], "y": ["x"], "z": []})
    run_all()
    again = rerun(first, "b", "x")
    assert {name for name, value in statuses(again).items() if value == "succeeded"} == {"a", "z"}


def test_a_rerun_from_a_step_that_is_not_there_is_refused() -> None:
    first = submit(DIAMOND)
    with pytest.raises(InvalidInput, match=r"from_steps\[1\]: no step is named 'lefft'"):
        rerun(first, "left", "lefft")
    assert Row.objects.count() == 1


def test_a_rerun_of_nothing_is_not_found() -> None:
    with pytest.raises(WorkflowNotFound):
        rerun_workflow(USING, 4711)


def test_a_rerun_names_the_step_whose_task_is_gone(register: Any) -> None:
    register(lambda: None, name="tests.old")
    first = submit({"a": [], "b": ["a"]}, b={})
    Job.objects.filter(step_name="b").update(task="tests.old")
    registry.unregister("tests.old")
    with pytest.raises(InvalidInput, match=r"steps\[1\]\.task: step 'b': no task named"):
        rerun(first)


def test_a_kept_step_needs_no_task_any_more(register: Any) -> None:
    first = submit({"a": [], "b": ["a"]})
    run_all()
    Job.objects.filter(step_name="a").update(task="tests.gone")
    assert statuses(rerun(first, "b")) == {"a": "succeeded", "b": "queued"}


def test_a_key_makes_one_rerun_of_many_requests() -> None:
    first = submit(DIAMOND)
    made = rerun(first, "left", idempotency_key="again")
    assert rerun(first, "left", idempotency_key="again").id == made.id
    with pytest.raises(IdempotencyConflict):
        rerun(first, "right", idempotency_key="again")


# Steps that were added at run time


def scanned() -> SubmittedWorkflow:
    """scan has appended x and y, x has appended x2, and merge has gathered them all."""
    workflow = submit({"scan": [], "merge": ["scan"]})
    steps = (Step(name, TASK, before="merge") for name in "xy")
    finish(succeeded(claim()["scan"], None, *steps))
    running = claim()
    finish(
        succeeded(running["x"], "x", Step("x2", TASK, before="merge")), succeeded(running["y"], "y")
    )
    assert run_all() == ["x2", "merge"]
    return workflow


def test_a_whole_rerun_leaves_appended_steps_to_the_step_that_appends_them() -> None:
    again = rerun(scanned())
    assert statuses(again) == {"scan": "queued", "merge": "blocked"}
    assert named_edges(again) == {("scan", "merge")}
    run_all()
    assert status(again) == "succeeded"


def test_a_rerun_below_an_appending_step_keeps_what_it_appended() -> None:
    again = rerun(scanned(), "merge")
    assert statuses(again) == {
        "scan": "succeeded",
        "merge": "queued",
        "x": "succeeded",
        "y": "succeeded",
        "x2": "succeeded",
    }
    assert Dependency.objects.filter(child__workflow_id=again.id, appended=True).count() == 3


def test_a_rerun_from_an_appended_step_runs_it_without_its_appender() -> None:
    again = rerun(scanned(), "y")
    assert statuses(again)["y"] == "queued"
    assert statuses(again)["scan"] == "succeeded"
    assert run_all() == ["y", "merge"]


def test_a_rerun_from_a_step_that_appends_leaves_its_steps_for_it_to_append() -> None:
    again = rerun(scanned(), "x")
    assert statuses(again) == {
        "scan": "succeeded",
        "merge": "blocked",
        "x": "queued",
        "y": "succeeded",
    }
    finish(succeeded(claim()["x"], "x", Step("x2", TASK, before="merge")))
    assert run_all() == ["x2", "merge"]


def test_an_appended_step_that_waits_for_one_to_be_appended_anew_is_appended_anew_too() -> None:
    """one appends p; two, which does not run again by itself, appends q, which waits for p."""
    workflow = submit({"one": [], "two": []})
    running = claim()
    finish(succeeded(running["one"], None, Step("p", TASK)))
    finish(succeeded(running["two"], None, Step("q", TASK, after="p")))
    run_all()
    assert statuses(rerun(workflow, "one")) == {"one": "queued", "two": "queued"}
