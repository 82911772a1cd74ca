"""What is refused, before any SQL, and how it is said."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

import pytest

from jobs import Step, Workflow
from jobs.errors import InvalidInput, UnknownTask
from jobs.workflows import definition
from tests.workflows.helpers import TASK


def step(name: str, after: Any = (), **options: Any) -> Step:
    return Step(name, TASK, after=after, **options)


def refused(steps: Sequence[Step]) -> InvalidInput:
    """The error of a submission. There is no database here, so nothing can have been written."""
    workflow = Workflow("test")
    workflow.steps = list(steps)
    with pytest.raises(InvalidInput) as caught:
        workflow.submit()
    return caught.value


def test_a_workflow_needs_a_step() -> None:
    assert refused([]).code == "empty"


def test_an_unknown_dependency_is_named_with_the_closest_step() -> None:
    error = refused([step("build"), step("test", ["biuld"])])
    assert error.field == "steps[1].depends_on"
    assert error.code == "unknown-dependency"
    assert "step 'test': no step is named 'biuld'; did you mean 'build'?" in str(error)


def test_a_dependency_given_twice_is_refused() -> None:
    error = refused([step("a"), step("b", ["a", "a"])])
    assert (error.field, error.code) == ("steps[1].depends_on", "duplicate-dependency")
    assert "step 'b'" in str(error)


def test_a_step_cannot_wait_for_itself() -> None:
    error = refused([step("a", ["a"])])
    assert (error.field, error.code) == ("steps[0].depends_on", "self")
    assert "step 'a'" in str(error)


def test_two_steps_cannot_have_one_name() -> None:
    error = refused([step("a"), step("b"), step("a")])
    assert (error.field, error.code) == ("steps[2].step", "duplicate-step")
    assert "'a'" in str(error)


@pytest.mark.parametrize("length", [2, 3, 50])
def test_a_cycle_is_shown_as_a_path(length: int) -> None:
    ring = [step(f"s{n}", [f"s{(n + 1) % length}"]) for n in range(length)]
    error = refused([step("before"), *ring, step("behind", ["s0"])])
    assert error.code == "cycle"
    path = error.message.partition("waits for itself: ")[2].split(" -> ")
    assert path[0] == path[-1]
    if length < 50:
        assert sorted(path[1:]) == sorted(one.name for one in ring)
    else:
        assert "(1 more)" in path


@pytest.mark.parametrize("after", [None, 5, {"a": 1}, [None], [1], [["a"]], b"a"])
def test_dependencies_of_another_type_are_refused(after: Any) -> None:
    error = refused([step("a"), step("b", after)])
    assert error.field == "steps[1].depends_on"
    assert "must be a list of step names" in str(error)


def test_one_parent_may_be_given_by_its_name_alone() -> None:
    prepared = definition.check([step("a"), step("b", "a")])
    assert prepared[1].after == ("a",)


def test_a_parent_may_stand_after_its_child() -> None:
    prepared = definition.check([step("b", "a"), step("a")])
    assert [made.name for made in prepared] == ["b", "a"]


@pytest.mark.parametrize("name", ["", " a", "a ", "a\nb", "a\x00", "x" * 201, 5, None])
def test_names_are_printable_and_short(name: Any) -> None:
    assert refused([step(name)]).field == "steps[0].step"


@pytest.mark.parametrize("name", ["", " a", "x" * 256, None])
def test_the_workflow_has_such_a_name_too(name: Any) -> None:
    with pytest.raises(InvalidInput, match="name"):
        Workflow(name).step("a", TASK).submit()


@pytest.mark.parametrize("name", ["a", "Übersetzen (de)", "step 1", "-", "x" * 200])
def test_a_name_may_be_any_words(name: str) -> None:
    assert definition.check([step(name)])[0].name == name


def test_an_unknown_task_names_the_step_and_the_closest_task() -> None:
    error = refused([step("a"), Step("b", "tests.stap")])
    assert isinstance(error, UnknownTask)
    assert error.field == "steps[1].task"
    assert "step 'b'" in str(error)
    assert "did you mean 'tests.step'?" in str(error)


def test_a_step_without_a_task_runs_the_task_of_its_name() -> None:
    assert definition.check([Step(TASK)])[0].job.task == TASK
    assert refused([Step("nothing-like-it")]).field == "steps[0].task"


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"payload": {"x": float("nan")}}, "steps[1].payload.x"),
        ({"payload": {"x": object()}}, "steps[1].payload.x"),
        ({"payload": [1]}, "steps[1].payload"),
        ({"queue": ""}, "steps[1].queue"),
        ({"priority": 101}, "steps[1].priority"),
        ({"max_attempts": 0}, "steps[1].max_attempts"),
        ({"timeout_seconds": -1}, "steps[1].timeout_seconds"),
        ({"on_failure": "explode"}, "steps[1].on_failure"),
        ({"on_failure": None}, "steps[1].on_failure"),
        ({"available_at": dt.datetime(2030, 1, 1)}, "steps[1].available_at"),
        ({"before": "a"}, "steps[1].before"),
    ],
)
def test_what_is_wrong_with_a_step_is_said_with_its_place_and_name(
    options: dict[str, Any], field: str
) -> None:
    error = refused([step("a"), step("bad one", **options)])
    assert error.field == field
    assert "step 'bad one'" in str(error)


def test_a_payload_that_does_not_fit_the_handler_is_refused(register: Any) -> None:
    def greet(name: str) -> None: ...

    register(greet, name="tests.greet")
    error = refused([Step("a", "tests.greet", {"nom": "x"})])
    assert (error.field, error.code) == ("steps[0].payload", "signature")


def test_a_reference_may_name_a_parent_only() -> None:
    payload = {"x": [{"$result": "a"}]}
    definition.check([step("a"), step("b", "a", payload=payload)])
    error = refused([step("a"), step("b", payload=payload)])
    assert error.field == "steps[1].payload.x[0]"
    assert "'a', which is not among depends_on" in str(error)


def test_a_reference_in_a_tuple_is_found_too() -> None:
    assert refused([step("a", payload={"x": ({"$result": "b"},)})]).code == "reference"


def test_too_many_steps_are_refused_with_the_limit(settings: Any) -> None:
    settings.QFORGE = {"WORKFLOW_MAX_STEPS": 2}
    definition.check([step("a"), step("b")])
    error = refused([step("a"), step("b"), step("c")])
    assert error.code == "too-many-steps"
    assert "3 steps, at most 2" in str(error)


def test_too_many_dependencies_are_refused_with_the_limit(settings: Any) -> None:
    settings.QFORGE = {"WORKFLOW_MAX_DEPENDENCIES": 1}
    definition.check([step("a"), step("b", "a")])
    error = refused([step("a"), step("b", "a"), step("c", "b")])
    assert error.code == "too-many-dependencies"


def test_twenty_thousand_steps_are_allowed_and_one_more_is_not() -> None:
    steps = [step(str(n)) for n in range(20_001)]
    assert refused(steps).code == "too-many-steps"


def test_appended_steps_always_wait_for_the_step_that_appends_them() -> None:
    prepared = definition.check_appended([step("x"), step("y", ["x", "scan"])], "scan")
    assert [made.after for made in prepared] == [("scan",), ("x", "scan")]


@pytest.mark.parametrize(
    ("steps", "field"),
    [
        ([step("scan")], "steps[0].name"),
        ([step("x"), step("x")], "steps[1].step"),
        ([step("x", "y"), step("y", "x")], "steps[0].depends_on"),
        ([step("x"), step("y", before="x")], "steps[1].before"),
        ([step("x", before="scan")], "steps[0].before"),
        ([step("x", "merge", before="merge")], "steps[0].before"),
        ([step("x", before="x")], "steps[0].before"),
        ([step("x", payload={"p": {"$result": "other"}})], "steps[0].payload.p"),
    ],
)
def test_appended_steps_are_checked_as_far_as_they_alone_can_tell(
    steps: list[Step], field: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        definition.check_appended(steps, "scan")
    assert caught.value.field == field
