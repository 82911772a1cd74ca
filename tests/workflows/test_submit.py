from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from jobs import Workflow
from jobs.errors import IdempotencyConflict, InvalidInput
from jobs.models import Dependency, Job
from jobs.models import Workflow as Row
from tests.support import factories
from tests.support.database import listening, statements
from tests.support.threads import together
from tests.workflows.helpers import (
    CHAIN,
    DIAMOND,
    TASK,
    claim,
    finish,
    run_all,
    statuses,
    succeeded,
)
from tests.workflows.helpers import submit as submit_graph


@pytest.mark.django_db
def test_steps_without_parents_are_queued_and_the_others_blocked() -> None:
    workflow = submit_graph(DIAMOND)
    assert workflow.created
    assert workflow.status == "running"
    assert statuses(workflow) == {
        "top": "queued",
        "left": "blocked",
        "right": "blocked",
        "bottom": "blocked",
    }
    waiting = Job.objects.get(pk=workflow.jobs["bottom"])
    assert waiting.open_dependencies == 2
    edges = set(Dependency.objects.values_list("parent__step_name", "child__step_name"))
    assert edges == {("top", "left"), ("top", "right"), ("left", "bottom"), ("right", "bottom")}
    row = Row.objects.get(pk=workflow.id)
    assert (row.name, row.status, row.steps, row.open_steps) == ("test", "running", 4, 4)


@pytest.mark.django_db
def test_every_step_has_an_event_that_says_in_which_status_it_began() -> None:
    workflow = submit_graph(CHAIN)
    assert factories.history(workflow.jobs["a"]) == [("enqueued", "", "queued")]
    assert factories.history(workflow.jobs["b"]) == [("enqueued", "", "blocked")]


@pytest.mark.django_db
def test_a_step_has_the_options_it_was_given_and_else_those_of_its_task(register: Any) -> None:
    register(lambda: None, name="tests.slow", queue="slow", priority=7, max_attempts=9, timeout=5)
    workflow = (
        Workflow("options")
        .step("own", "tests.slow")
        .step("given", "tests.slow", queue="fast", priority=-3, max_attempts=1, timeout_seconds=2)
        .submit()
    )
    columns = ("queue", "priority", "max_attempts", "timeout_seconds", "on_failure")
    rows = {
        name: tuple(Job.objects.filter(pk=pk).values_list(*columns)[0])
        for name, pk in workflow.jobs.items()
    }
    assert rows["own"] == ("slow", 7, 9, 5.0, "cancel")
    assert rows["given"] == ("fast", -3, 1, 2.0, "cancel")


@pytest.mark.django_db
def test_a_step_may_be_told_not_to_start_before_a_time() -> None:
    later = timezone.now() + dt.timedelta(hours=1)
    workflow = submit_graph(
        {"now": [], "root": [], "child": ["now"]},
        root={"available_at": later},
        child={"available_at": later},
    )
    assert statuses(workflow) == {"now": "queued", "root": "scheduled", "child": "blocked"}
    finish(succeeded(claim()["now"]))
    assert statuses(workflow)["child"] == "scheduled"
    assert Job.objects.get(pk=workflow.jobs["child"]).available_at == later


@pytest.mark.django_db
def test_an_unblocked_step_is_available_from_that_moment_on() -> None:
    workflow = submit_graph(CHAIN)
    submitted = Job.objects.get(pk=workflow.jobs["b"]).available_at
    finish(succeeded(claim()["a"]))
    ended, child = (Job.objects.get(pk=workflow.jobs[name]) for name in "ab")
    assert ended.finished_at is not None
    assert child.available_at >= ended.finished_at > submitted


@pytest.mark.django_db
def test_a_refused_workflow_costs_no_statement() -> None:
    with statements() as seen, pytest.raises(InvalidInput):
        submit_graph({"a": ["b"], "b": ["a"]})
    assert seen == []


@pytest.mark.postgres
@pytest.mark.django_db
def test_the_number_of_statements_does_not_grow_with_the_workflow() -> None:
    counts = []
    for size in (5, 500):
        with statements() as seen:
            submit_graph({str(n): [str(n - 1)] if n else [] for n in range(size)})
        counts.append(len(seen))
    assert counts[0] == counts[1]


@pytest.mark.usefixtures("committed_db")
def test_a_submission_that_is_rolled_back_leaves_nothing() -> None:
    with transaction.atomic():
        submit_graph(CHAIN)
        transaction.set_rollback(True)
    assert not Row.objects.exists()
    assert not Job.objects.exists()
    assert not Dependency.objects.exists()


@pytest.mark.usefixtures("committed_db")
def test_a_submission_that_breaks_half_way_leaves_nothing() -> None:
    def break_at_edges(execute: Any, sql: str, *rest: Any) -> Any:
        if "job_dependencies" in sql and "INSERT" in sql:
            raise ConnectionError("the client is gone")
        return execute(sql, *rest)

    with pytest.raises(ConnectionError), connection.execute_wrapper(break_at_edges):
        submit_graph(CHAIN)
    assert not Row.objects.exists()
    assert not Job.objects.exists()


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
def test_nothing_starts_before_the_submission_is_committed() -> None:
    with transaction.atomic():
        submit_graph(CHAIN)
        (claimed,) = together([claim])
        assert claimed == {}
    assert run_all() == ["a", "b", "c"]


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
def test_only_queues_with_a_step_that_can_start_are_woken() -> None:
    with listening() as listener:
        submit_graph(CHAIN, a={"queue": "first"}, b={"queue": "second"}, c={"queue": "third"})
        assert listener.heard() == ["queue:first"]
        finish(succeeded(claim()["a"]))
        assert listener.heard() == ["queue:second"]


# Idempotency


def ci(key: str | None = "push-1", **options: Any) -> Any:
    return (
        Workflow("ci", idempotency_key=key)
        .step("build", TASK, {"n": 1})
        .step("test", TASK, after="build", **options)
        .submit()
    )


@pytest.mark.django_db
def test_a_key_gives_the_workflow_it_has() -> None:
    first, again = ci(), ci()
    assert (first.created, again.created) == (True, False)
    assert again.id == first.id
    assert again.jobs == first.jobs
    assert Row.objects.count() == 1
    assert Job.objects.count() == 2


@pytest.mark.django_db
def test_the_same_workflow_in_another_order_is_the_same() -> None:
    first = ci()
    again = (
        Workflow("ci", idempotency_key="push-1")
        .step("test", TASK, after=["build"])
        .step("build", TASK, {"n": 1.0})
        .submit()
    )
    assert again.id == first.id


@pytest.mark.django_db
@pytest.mark.parametrize(
    "options", [{"priority": 1}, {"payload": {"n": 2}}, {"on_failure": "continue"}]
)
def test_a_key_of_a_different_workflow_is_a_conflict(options: dict[str, Any]) -> None:
    first = ci()
    with pytest.raises(IdempotencyConflict, match=f"belongs to workflow {first.id}"):
        ci(**options)


@pytest.mark.django_db
def test_without_a_key_every_submission_is_a_workflow_of_its_own() -> None:
    assert ci(None).id != ci(None).id


@pytest.mark.django_db
def test_the_callers_transaction_stays_usable_after_a_taken_key() -> None:
    with transaction.atomic():
        ci()
        ci()
        assert Row.objects.count() == 1
    assert Row.objects.count() == 1


@pytest.mark.parametrize("key", ["", " a", "x" * 256, 5])
def test_a_bad_key_is_refused_before_any_sql(key: Any) -> None:
    with pytest.raises(InvalidInput, match="idempotency_key"):
        ci(key)


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
def test_one_key_submitted_at_once_by_many_is_one_workflow() -> None:
    made = together([ci] * 8)
    assert len({workflow.id for workflow in made}) == 1
    assert sum(workflow.created for workflow in made) == 1
    assert Row.objects.count() == 1
    assert Job.objects.count() == 2
