"""Results flow from parents to the handler: through its context and through its payload."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jobs import JobContext, Step, Workflow
from jobs.errors import InvalidInput
from jobs.models import Job
from jobs.store.values import Claimed, Outcome
from jobs.worker.executor import execute
from jobs.worker.runs import Runs
from tests.support import factories
from tests.support.database import statements
from tests.workflows.helpers import TASK, claim, failed, finish, succeeded

pytestmark = pytest.mark.usefixtures("committed_db")


def run(job: Claimed) -> Outcome:
    """What the real executor makes of the job."""
    outcome, _ = execute(job, Runs())
    assert outcome is not None
    return outcome


def start(handler: Callable[..., Any], register: Any, payload: dict[str, Any]) -> Claimed:
    """A step `last` with this handler, claimed when its parents `good` and `bad` have ended."""
    register(handler, name="tests.last")
    (
        Workflow("results")
        .step("good", TASK)
        .step("bad", TASK, on_failure="continue")
        .step("last", "tests.last", payload, after=["good", "bad"])
        .submit()
    )
    running = claim()
    finish(succeeded(running["good"], {"url": "u", "n": [1, 2]}), failed(running["bad"], error="E"))
    return claim()["last"]


def test_a_handler_reads_the_results_of_its_parents(register: Any) -> None:
    seen: dict[str, Any] = {}

    def last(context: JobContext) -> None:
        seen.update(context.results)

    assert run(start(last, register, {})).error == ""
    assert seen == {"good": {"url": "u", "n": [1, 2]}, "bad": None}


def test_a_handler_sees_which_parent_failed_and_why(register: Any) -> None:
    seen: dict[str, Any] = {}

    def last(context: JobContext) -> None:
        seen.update(context.parents, step=context.step, workflow=context.workflow_id)

    job = start(last, register, {})
    assert run(job).error == ""
    assert (seen["good"].status, seen["good"].error) == ("succeeded", "")
    assert (seen["bad"].status, seen["bad"].error) == ("failed", "E")
    assert seen["bad"].job_id == Job.objects.get(step_name="bad").pk
    assert (seen["step"], seen["workflow"]) == ("last", job.workflow_id)


def test_a_coroutine_reads_results_too(register: Any) -> None:
    seen: dict[str, Any] = {}

    async def last(context: JobContext) -> None:
        seen.update(context.results)

    assert run(start(last, register, {})).error == ""
    assert seen["good"] == {"url": "u", "n": [1, 2]}


def test_a_payload_refers_to_a_field_of_a_result(register: Any) -> None:
    seen: dict[str, Any] = {}

    def last(**payload: Any) -> None:
        seen.update(payload)

    payload = {
        "all": {"$result": "good"},
        "url": [{"$result": "good", "path": "url"}],
        "plain": 5,
        "missed": {"$result": "bad", "default": "none"},
    }
    assert run(start(last, register, payload)).error == ""
    assert seen == {
        "all": {"url": "u", "n": [1, 2]},
        "url": ["u"],
        "plain": 5,
        "missed": "none",
    }


@pytest.mark.parametrize(
    ("reference", "told"),
    [
        ({"$result": "good", "path": "nothing"}, "payload.x: the result of step 'good' has no"),
        ({"$result": "bad"}, "payload.x: step 'bad' did not succeed"),
    ],
)
def test_a_reference_to_what_is_not_there_fails_the_step_for_good(
    register: Any, reference: dict[str, Any], told: str
) -> None:
    called = []
    outcome = run(start(lambda x: called.append(x), register, {"x": reference}))
    assert outcome.permanent
    assert told in outcome.error
    assert called == []


def test_a_step_that_looks_at_no_result_reads_none(register: Any) -> None:
    job = start(lambda: None, register, {})
    with statements() as seen:
        run(job)
    assert seen == []


def test_results_are_read_once(register: Any) -> None:
    def last(x: Any, context: JobContext) -> list[Any]:
        return [context.results["good"], context.results["good"], context.parents["bad"].error]

    job = start(last, register, {"x": {"$result": "good"}})
    with statements() as seen:
        assert run(job).error == ""
    assert len([sql for sql, _ in seen if "job_dependencies" in sql]) == 1


def test_results_are_there_after_the_retry_of_the_step(register: Any) -> None:
    attempts: list[Any] = []

    def last(context: JobContext) -> None:
        attempts.append(context.results["good"])
        if len(attempts) == 1:
            raise ValueError("once more")

    finish(run(start(last, register, {})))
    Job.objects.filter(step_name="last").update(status="queued")
    finish(run(claim()["last"]))
    assert attempts == [{"url": "u", "n": [1, 2]}] * 2


def test_a_handler_appends_steps_with_its_success(register: Any) -> None:
    def last(context: JobContext) -> str:
        context.append_steps(Step("more", TASK, {"found": {"$result": "last"}}))
        context.append_steps(Step("even more", TASK, after="more"))
        return "found"

    finish(run(start(last, register, {})))
    assert list(claim()) == ["more"]
    assert Job.objects.get(step_name="even more").status == "blocked"


def test_a_handler_that_raises_after_appending_appends_nothing(register: Any) -> None:
    def last(context: JobContext) -> None:
        context.append_steps(Step("more", TASK))
        raise ValueError("no")

    finish(run(start(last, register, {})))
    assert not Job.objects.filter(step_name="more").exists()


def test_a_step_appended_twice_is_refused_where_it_happens(register: Any) -> None:
    refused = []

    def last(context: JobContext) -> None:
        context.append_steps(Step("more", TASK))
        try:
            context.append_steps(Step("other", TASK), Step("more", TASK))
        except InvalidInput as error:
            refused.append((error.field, error.code))

    finish(run(start(last, register, {})))
    assert refused == [("steps[1].step", "duplicate-step")]
    assert not Job.objects.filter(step_name="other").exists()


def test_a_handler_cannot_append_more_steps_than_a_workflow_may_have(
    register: Any, settings: Any
) -> None:
    def last(context: JobContext) -> None:
        context.append_steps(Step("a", TASK), Step("b", TASK))
        context.append_steps(Step("c", TASK), Step("d", TASK))

    job = start(last, register, {})
    settings.QFORGE = {"WORKFLOW_MAX_STEPS": 3}
    assert "4 steps, at most 3 are allowed" in run(job).error


def test_a_plain_job_has_no_parents_and_appends_nothing(register: Any) -> None:
    seen: list[Any] = []

    def alone(context: JobContext) -> None:
        seen.extend([context.results, context.parents, context.workflow_id, context.step])
        with pytest.raises(InvalidInput, match="not a step of a workflow"):
            context.append_steps(Step("more", TASK))

    register(alone, name="tests.alone")
    factories.job(task="tests.alone")
    (job,) = factories.claim()
    assert run(job).error == ""
    assert seen == [{}, {}, None, ""]


def test_a_plain_job_may_have_anything_in_its_payload(register: Any) -> None:
    seen: list[Any] = []
    register(lambda x: seen.append(x), name="tests.alone")
    factories.job(task="tests.alone", payload={"x": {"$result": "build"}})
    assert run(factories.claim()[0]).error == ""
    assert seen == [{"$result": "build"}]
