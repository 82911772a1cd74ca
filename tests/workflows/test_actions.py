"""Cancelling and retrying, one step or a whole workflow."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jobs import lifecycle
from jobs.errors import (
    IllegalTransition,
    InvalidInput,
    StepConflict,
    WorkflowConflict,
    WorkflowNotFound,
)
from jobs.models import Job, JobEvent
from jobs.models import Workflow as Row
from jobs.workflows import actions
from jobs.workflows.submit import SubmittedWorkflow
from tests.support import factories
from tests.support.factories import USING
from tests.workflows.helpers import (
    CHAIN,
    DIAMOND,
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


def cancel_all(workflow: SubmittedWorkflow) -> Row:
    return actions.cancel_workflow(USING, workflow.id, actor="me", reason="stop it")


def retry_all(workflow: SubmittedWorkflow) -> Row:
    return actions.retry_workflow(USING, workflow.id, actor="me", reason="again")


# Cancelling one step


@pytest.mark.parametrize("step", ["a", "b", "c"])
def test_cancelling_a_waiting_step_cancels_what_is_below_and_ends_the_workflow(step: str) -> None:
    workflow = submit(CHAIN)
    cancel(workflow, step)
    run_all()
    below = {"a": "abc", "b": "bc", "c": "c"}[step]
    expected = {name: "cancelled" if name in below else "succeeded" for name in CHAIN}
    assert statuses(workflow) == expected
    assert status(workflow) == "cancelled"


def test_a_running_step_that_is_cancelled_ends_the_workflow_when_it_stops() -> None:
    workflow = submit(CHAIN)
    claim()
    assert cancel(workflow, "a").status == "running"
    assert status(workflow) == "running"
    finish(factories.cancelled(Job.objects.get(pk=workflow.jobs["a"])))
    assert statuses(workflow) == dict.fromkeys(CHAIN, "cancelled")
    assert status(workflow) == "cancelled"


def test_a_running_step_that_succeeds_in_spite_of_a_cancel_lets_the_workflow_go_on() -> None:
    workflow = submit(CHAIN)
    running = claim()
    cancel(workflow, "a")
    assert list(finish_and_claim(succeeded(running["a"]))) == ["b"]


def test_a_cancelled_step_with_on_failure_continue_lets_the_others_run() -> None:
    workflow = submit(CHAIN, a={"on_failure": "continue"})
    cancel(workflow, "a")
    assert run_all() == ["b", "c"]
    assert status(workflow) == "succeeded"


# Cancelling a workflow


def test_cancelling_a_workflow_stops_what_waits_and_asks_what_runs() -> None:
    workflow = submit({"ran": [], "runs": ["ran"], "queued": ["ran"], "blocked": ["runs"]})
    running = finish_and_claim(succeeded(claim()["ran"]))
    finish(factories.released(Job.objects.get(pk=workflow.jobs["queued"])))
    row = cancel_all(workflow)
    assert row.cancel_requested_at is not None
    assert statuses(workflow) == {
        "ran": "succeeded",
        "runs": "running",
        "queued": "cancelled",
        "blocked": "cancelled",
    }
    assert Job.objects.get(pk=workflow.jobs["runs"]).cancel_requested_at is not None
    assert status(workflow) == "running"
    finish(failed(running["runs"], delay_seconds=60))
    assert statuses(workflow)["runs"] == "cancelled"
    assert status(workflow) == "cancelled"


def test_a_workflow_with_nothing_running_is_cancelled_at_once() -> None:
    workflow = submit(DIAMOND)
    assert cancel_all(workflow).status == "cancelled"
    assert claim() == {}


def test_a_cancelled_workflow_stays_cancelled_when_what_ran_succeeds() -> None:
    workflow = submit(CHAIN)
    running = claim()
    cancel_all(workflow)
    finish(succeeded(running["a"], "kept"))
    assert status(workflow) == "cancelled"
    assert Job.objects.get(pk=workflow.jobs["a"]).result == "kept"


def test_a_workflow_whose_last_step_succeeds_in_spite_of_a_cancel_has_succeeded() -> None:
    workflow = submit({"only": []})
    running = claim()
    cancel_all(workflow)
    finish(succeeded(running["only"]))
    assert status(workflow) == "succeeded"


def test_a_cancelled_workflow_is_cancelled_even_if_its_steps_may_be_missed() -> None:
    workflow = submit({"a": []}, a={"on_failure": "continue"})
    assert cancel_all(workflow).status == "cancelled"


def test_a_failed_step_does_not_hide_that_a_workflow_was_cancelled() -> None:
    workflow = submit({"bad": [], "other": []})
    finish(failed(claim(1)["bad"]))
    assert cancel_all(workflow).status == "cancelled"


def test_cancelling_says_who_and_why_at_every_step() -> None:
    workflow = submit(CHAIN)
    claim()
    cancel_all(workflow)
    kinds = {"a": "cancel_requested", "b": "cancelled", "c": "cancelled"}
    for name, kind in kinds.items():
        event = JobEvent.objects.get(job=workflow.jobs[name], kind=kind)
        assert event.data == {"actor": "me", "reason": "stop it"}


def test_cancelling_again_changes_nothing() -> None:
    workflow = submit(CHAIN)
    claim()
    first = cancel_all(workflow).cancel_requested_at
    events = JobEvent.objects.count()
    assert cancel_all(workflow).cancel_requested_at == first
    assert JobEvent.objects.count() == events


def test_a_step_that_was_asked_before_keeps_the_time_and_is_not_asked_twice() -> None:
    workflow = submit(CHAIN)
    claim()
    asked_at = cancel(workflow, "a").cancel_requested_at
    cancel_all(workflow)
    assert Job.objects.get(pk=workflow.jobs["a"]).cancel_requested_at == asked_at
    assert JobEvent.objects.filter(kind="cancel_requested").count() == 1


@pytest.mark.parametrize("act", [cancel_all, retry_all])
def test_a_workflow_that_has_succeeded_is_left_alone(act: Callable[..., Row]) -> None:
    workflow = submit(CHAIN)
    run_all()
    with pytest.raises(WorkflowConflict, match=f"workflow {workflow.id} is succeeded"):
        act(workflow)


@pytest.mark.parametrize("act", [actions.cancel_workflow, actions.retry_workflow])
def test_a_workflow_that_does_not_exist_is_not_found(act: Callable[..., Row]) -> None:
    with pytest.raises(WorkflowNotFound):
        act(USING, 4711)


@pytest.mark.parametrize("act", [actions.cancel_workflow, actions.retry_workflow])
def test_words_that_are_too_long_are_refused(act: Callable[..., Row]) -> None:
    with pytest.raises(InvalidInput, match="reason"):
        act(USING, 1, reason="x" * 501)


# Retrying one step


def test_a_retried_step_revives_what_was_cancelled_because_of_it() -> None:
    workflow = submit({"a": [], "b": ["a"], "c": ["b"], "d": ["a", "c"]})
    finish(failed(finish_and_claim(succeeded(claim()["a"]))["b"]))
    assert status(workflow) == "failed"
    assert retry(workflow, "b").status == "queued"
    assert statuses(workflow) == {"a": "succeeded", "b": "queued", "c": "blocked", "d": "blocked"}
    assert Job.objects.get(pk=workflow.jobs["d"]).open_dependencies == 1
    row = Row.objects.get(pk=workflow.id)
    assert (row.status, row.finished_at) == ("running", None)
    assert run_all() == ["b", "c", "d"]
    assert status(workflow) == "succeeded"
    assert Job.objects.get(pk=workflow.jobs["d"]).error == ""


def test_a_step_is_retried_while_its_siblings_run() -> None:
    workflow = submit(DIAMOND)
    running = finish_and_claim(succeeded(claim()["top"]))
    finish(failed(running["left"]))
    assert statuses(workflow)["bottom"] == "cancelled"
    retry(workflow, "left")
    assert Job.objects.get(pk=workflow.jobs["bottom"]).open_dependencies == 2
    again = finish_and_claim(succeeded(running["right"]))
    assert list(again) == ["left"]
    assert list(finish_and_claim(succeeded(again["left"]))) == ["bottom"]


def test_what_another_failed_step_cancelled_stays_cancelled() -> None:
    workflow = submit({"a": [], "b": [], "both": ["a", "b"], "below": ["both"]})
    finish(*map(failed, claim().values()))
    retry(workflow, "a")
    assert statuses(workflow) == {
        "a": "queued",
        "b": "failed",
        "both": "cancelled",
        "below": "cancelled",
    }
    assert run_all() == ["a"]
    assert status(workflow) == "failed"
    retry(workflow, "b")
    assert run_all() == ["b", "both", "below"]
    assert status(workflow) == "succeeded"


def test_what_somebody_cancelled_is_not_revived_by_the_retry_of_another_step() -> None:
    workflow = submit({"a": [], "b": ["a"], "c": ["b"], "d": ["a"]})
    running = claim()
    cancel(workflow, "b")
    finish(failed(running["a"]))
    retry(workflow, "a")
    assert statuses(workflow) == {
        "a": "queued",
        "b": "cancelled",
        "c": "cancelled",
        "d": "blocked",
    }
    assert run_all() == ["a", "d"]
    assert status(workflow) == "cancelled"
    retry(workflow, "b")
    assert run_all() == ["b", "c"]
    assert status(workflow) == "succeeded"


def test_a_step_cannot_be_retried_below_a_step_that_has_not_succeeded() -> None:
    workflow = submit(CHAIN)
    finish(failed(claim()["a"]))
    with pytest.raises(StepConflict, match="its parent 'a' failed; retry that one") as caught:
        retry(workflow, "b")
    assert caught.value.status == "cancelled"
    assert statuses(workflow)["b"] == "cancelled"


def test_a_cancelled_step_is_retried_while_its_parent_runs_and_waits_for_it() -> None:
    workflow = submit(CHAIN)
    running = claim()
    cancel(workflow, "b")
    assert retry(workflow, "b").status == "blocked"
    assert statuses(workflow) == {"a": "running", "b": "blocked", "c": "blocked"}
    assert list(finish_and_claim(succeeded(running["a"]))) == ["b"]


def test_a_failure_that_was_let_pass_can_be_retried_when_nothing_below_is_under_way() -> None:
    workflow = submit(CHAIN, a={"on_failure": "continue"})
    running = finish_and_claim(failed(claim()["a"]))
    with pytest.raises(StepConflict, match="step 'b' has gone on without it"):
        retry(workflow, "a")
    finish(succeeded(running["b"]))
    assert retry(workflow, "a").status == "queued"
    assert run_all() == ["c", "a"]
    assert statuses(workflow) == dict.fromkeys(CHAIN, "succeeded")


def test_a_retried_step_holds_up_a_child_that_still_waits_for_another() -> None:
    workflow = submit(
        {"soft": [], "slow": [], "end": ["soft", "slow"]}, soft={"on_failure": "continue"}
    )
    running = claim()
    finish(failed(running["soft"]))
    assert Job.objects.get(pk=workflow.jobs["end"]).open_dependencies == 1
    retry(workflow, "soft")
    assert Job.objects.get(pk=workflow.jobs["end"]).open_dependencies == 2
    again = finish_and_claim(succeeded(running["slow"]))
    assert list(again) == ["soft"]
    assert list(finish_and_claim(succeeded(again["soft"]))) == ["end"]


def test_a_failed_step_is_retried_behind_a_parent_that_runs_again() -> None:
    """The failure of a was let pass, b failed, then both are tried again: b after a."""
    workflow = submit({"a": [], "b": ["a"]}, a={"on_failure": "continue"})
    assert run_all(fail=["a", "b"]) == ["a", "b"]
    retry(workflow, "a")
    assert retry(workflow, "b").status == "blocked"
    assert run_all() == ["a", "b"]
    assert status(workflow) == "succeeded"


def test_a_step_that_succeeded_is_never_retried() -> None:
    workflow = submit(CHAIN)
    run_all()
    with pytest.raises(IllegalTransition):
        retry(workflow, "a")


def test_nothing_is_retried_in_a_workflow_that_is_being_cancelled() -> None:
    workflow = submit({"bad": [], "runs": []})
    running = claim()
    finish(failed(running["bad"]))
    cancel_all(workflow)
    with pytest.raises(StepConflict, match="its workflow is being cancelled"):
        retry(workflow, "bad")
    with pytest.raises(WorkflowConflict, match="being cancelled"):
        retry_all(workflow)
    finish(succeeded(running["runs"]))
    assert retry(workflow, "bad").status == "queued"


# Retrying a workflow


def test_a_retried_workflow_runs_what_did_not_succeed_and_keeps_the_rest() -> None:
    workflow = submit({"a": [], "b": ["a"], "x": [], "y": ["x"], "end": ["b", "y"]})
    run_all(fail=["b", "x"])
    assert status(workflow) == "failed"
    assert retry_all(workflow).status == "running"
    assert statuses(workflow) == {
        "a": "succeeded",
        "b": "queued",
        "x": "queued",
        "y": "blocked",
        "end": "blocked",
    }
    assert run_all() == ["b", "x", "y", "end"]
    assert status(workflow) == "succeeded"


def test_a_cancelled_workflow_can_be_retried_as_a_whole() -> None:
    workflow = submit(DIAMOND)
    finish(succeeded(claim()["top"]))
    cancel_all(workflow)
    row = retry_all(workflow)
    assert row.cancel_requested_at is None
    assert run_all() == ["left", "right", "bottom"]
    assert status(workflow) == "succeeded"


def test_a_retry_says_who_and_why() -> None:
    workflow = submit(CHAIN)
    run_all(fail=["a"])
    retry_all(workflow)
    data = JobEvent.objects.filter(kind="retried").values_list("data", flat=True)
    assert list(data) == [{"actor": "me", "reason": "again"}] * 3


def test_a_workflow_with_nothing_to_retry_is_a_conflict() -> None:
    workflow = submit(CHAIN)
    with pytest.raises(WorkflowConflict, match="has nothing to retry"):
        retry_all(workflow)


def test_a_retried_workflow_leaves_a_failure_alone_that_others_have_gone_on_without() -> None:
    workflow = submit({"soft": [], "child": ["soft"], "bad": []}, soft={"on_failure": "continue"})
    running = claim()
    running |= finish_and_claim(failed(running["soft"]), failed(running["bad"]))
    retry_all(workflow)
    assert statuses(workflow) == {"soft": "failed", "child": "running", "bad": "queued"}
    finish(succeeded(running["child"]))
    run_all()
    assert status(workflow) == "succeeded"


# Blocked steps: only the end of their parents may release them

_BLOCKED_REFUSES = {
    "retry": lambda job_id: lifecycle.retry(USING, job_id, actor="me", reason=""),
    "run now": lambda job_id: lifecycle.run_now(USING, job_id, actor="me"),
}


@pytest.mark.parametrize("action", _BLOCKED_REFUSES)
def test_actions_for_jobs_cannot_start_a_blocked_step(action: str) -> None:
    workflow = submit(CHAIN)
    with pytest.raises(IllegalTransition):
        _BLOCKED_REFUSES[action](workflow.jobs["b"])
    assert statuses(workflow)["b"] == "blocked"


def test_promotion_and_rescue_pass_blocked_steps_by() -> None:
    workflow = submit(CHAIN)
    Job.objects.filter(pk=workflow.jobs["b"]).update(available_at="2000-01-01T00:00Z")
    lifecycle.promote(USING, limit=10)
    lifecycle.rescue(USING, limit=10, worker="w")
    assert list(claim()) == ["a"]
    assert statuses(workflow)["b"] == "blocked"
