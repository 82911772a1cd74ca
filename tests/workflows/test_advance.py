"""What the end of a step does to the steps below it and to the workflow."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from jobs import lifecycle
from jobs.models import Job, JobEvent
from jobs.models import Workflow as Row
from jobs.states import WorkflowStatus, ended_as
from tests.support import factories
from tests.support.database import statements
from tests.support.factories import USING
from tests.workflows.helpers import (
    CHAIN,
    DIAMOND,
    cancel,
    claim,
    failed,
    finish,
    finish_and_claim,
    run_all,
    status,
    statuses,
    submit,
    succeeded,
)

pytestmark = pytest.mark.django_db

FAN = {"root": [], "x": ["root"], "y": ["root"], "z": ["root"]}


def test_a_child_starts_when_its_last_parent_has_succeeded() -> None:
    workflow = submit(DIAMOND)
    running = finish_and_claim(succeeded(claim()["top"]))
    assert sorted(running) == ["left", "right"]
    assert finish_and_claim(succeeded(running["left"])) == {}
    assert statuses(workflow)["bottom"] == "blocked"
    assert list(finish_and_claim(succeeded(running["right"]))) == ["bottom"]


def test_two_last_parents_in_one_exchange_release_the_child_once() -> None:
    workflow = submit(DIAMOND)
    running = finish_and_claim(succeeded(claim()["top"]))
    assert list(finish_and_claim(*map(succeeded, running.values()))) == ["bottom"]
    assert factories.history(workflow.jobs["bottom"])[:2] == [
        ("enqueued", "", "blocked"),
        ("unblocked", "blocked", "queued"),
    ]


def test_a_workflow_has_succeeded_when_all_its_steps_have() -> None:
    workflow = submit(DIAMOND)
    assert run_all() == ["top", "left", "right", "bottom"]
    assert status(workflow) == "succeeded"
    row = Row.objects.get(pk=workflow.id)
    last = Job.objects.get(pk=workflow.jobs["bottom"])
    assert row.finished_at is not None
    assert last.finished_at is not None
    assert row.finished_at >= last.finished_at


@pytest.mark.parametrize(
    ("graph", "root"),
    [(CHAIN, "a"), (FAN, "root"), (DIAMOND, "top")],
    ids=["chain", "fan", "diamond"],
)
def test_a_dead_first_step_cancels_everything_below_it_in_its_own_transaction(
    graph: dict[str, list[str]], root: str
) -> None:
    workflow = submit(graph)
    finish(failed(claim()[root]))
    assert statuses(workflow) == dict.fromkeys(graph, "cancelled") | {root: "failed"}
    assert status(workflow) == "failed"
    assert not Job.objects.filter(finished_at=None).exists()
    assert Row.objects.get(pk=workflow.id).finished_at is not None


def test_what_was_cancelled_says_which_step_failed() -> None:
    workflow = submit({"a": [], "b": ["a"], "c": ["b"], "d": ["c"]})
    finish(failed(finish_and_claim(succeeded(claim()["a"]))["b"]))
    for name in "cd":
        assert Job.objects.get(pk=workflow.jobs[name]).error == "not run: step 'b' failed"
        event = JobEvent.objects.filter(job=workflow.jobs[name], kind="cancelled").get()
        assert event.data == {"reason": "step 'b' failed", "cause": workflow.jobs["b"]}


def test_of_two_steps_that_fail_at_once_each_child_names_its_own_parent() -> None:
    workflow = submit({"a": [], "b": [], "below a": ["a"], "below b": ["b"]})
    finish(*map(failed, claim().values()))
    errors = {job.step_name: job.error for job in Job.objects.filter(status="cancelled")}
    assert errors == {
        "below a": "not run: step 'a' failed",
        "below b": "not run: step 'b' failed",
    }
    assert status(workflow) == "failed"


def test_a_failed_attempt_that_will_be_retried_moves_nothing() -> None:
    workflow = submit(CHAIN)
    finish(failed(claim()["a"], delay_seconds=60))
    assert statuses(workflow) == {"a": "scheduled", "b": "blocked", "c": "blocked"}
    assert status(workflow) == "running"
    lifecycle.run_now(USING, workflow.jobs["a"], actor="me")
    assert list(finish_and_claim(succeeded(claim()["a"]))) == ["b"]


def test_a_released_step_moves_nothing() -> None:
    workflow = submit(CHAIN)
    claim()
    finish(factories.released(Job.objects.get(pk=workflow.jobs["a"])))
    assert statuses(workflow) == {"a": "queued", "b": "blocked", "c": "blocked"}


def test_a_rescued_step_is_tried_again_and_the_next_one_waits() -> None:
    workflow = submit(CHAIN)
    running = claim()
    Job.objects.filter(status="running").update(lease_expires_at="2000-01-01T00:00Z")
    lifecycle.rescue(USING, limit=10, worker="w")
    assert statuses(workflow)["a"] == "scheduled"
    # The outcome of the worker that was thought dead comes too late and moves nothing either.
    finish(succeeded(running["a"]))
    assert statuses(workflow)["b"] == "blocked"


def test_a_step_that_kills_its_workers_fails_and_cancels_what_is_below() -> None:
    workflow = submit(CHAIN, a={"max_attempts": 1})
    claim()
    Job.objects.filter(status="running").update(lease_expires_at="2000-01-01T00:00Z")
    lifecycle.rescue(USING, limit=10, worker="w")
    assert statuses(workflow) == {"a": "failed", "b": "cancelled", "c": "cancelled"}
    assert status(workflow) == "failed"


def test_a_running_sibling_of_a_failed_step_finishes_and_keeps_its_result() -> None:
    workflow = submit(
        {"bad": [], "slow": [], "below both": ["bad", "slow"], "below slow": ["slow"]}
    )
    running = claim()
    finish(failed(running["bad"]))
    assert status(workflow) == "running"
    assert statuses(workflow)["below both"] == "cancelled"
    finish(succeeded(running["slow"], {"kept": True}))
    assert Job.objects.get(pk=workflow.jobs["slow"]).result == {"kept": True}
    # What does not depend on the failed step runs, and then the workflow has failed.
    assert run_all() == ["below slow"]
    assert statuses(workflow)["below both"] == "cancelled"
    assert status(workflow) == "failed"


def test_a_step_with_on_failure_continue_lets_the_others_run() -> None:
    workflow = submit({"a": [], "b": ["a"], "c": ["b"]}, a={"on_failure": "continue"})
    assert run_all(fail=["a"]) == ["a", "b", "c"]
    assert statuses(workflow) == {"a": "failed", "b": "succeeded", "c": "succeeded"}
    assert status(workflow) == "succeeded"


def test_a_failure_that_is_let_pass_does_not_let_another_one_pass() -> None:
    workflow = submit(
        {"soft": [], "hard": [], "end": ["soft", "hard"]}, soft={"on_failure": "continue"}
    )
    running = claim()
    finish(failed(running["soft"]))
    assert statuses(workflow)["end"] == "blocked"
    finish(failed(running["hard"]))
    assert statuses(workflow)["end"] == "cancelled"
    assert status(workflow) == "failed"


def test_what_a_failure_cancels_is_cancelled_whatever_its_own_on_failure_says() -> None:
    workflow = submit(CHAIN, b={"on_failure": "continue"})
    finish(failed(claim()["a"]))
    assert statuses(workflow) == {"a": "failed", "b": "cancelled", "c": "cancelled"}
    assert status(workflow) == "failed"


def test_a_handler_that_cancels_itself_ends_the_workflow_as_cancelled() -> None:
    workflow = submit(CHAIN)
    claim()
    finish(factories.cancelled(Job.objects.get(pk=workflow.jobs["a"])))
    assert statuses(workflow) == {"a": "cancelled", "b": "cancelled", "c": "cancelled"}
    assert status(workflow) == "cancelled"
    assert Job.objects.get(pk=workflow.jobs["c"]).error == "not run: step 'a' was cancelled"


def test_cancelling_a_step_by_hand_passes_by_what_has_run_without_it() -> None:
    """a -> b(continue) -> c: with b cancelled, c runs, and then a fails."""
    workflow = submit(CHAIN, b={"on_failure": "continue"})
    running = claim()
    cancel(workflow, "b")
    running |= claim()
    assert sorted(running) == ["a", "c"]
    finish(failed(running["a"]))
    assert statuses(workflow)["c"] == "running"
    finish(succeeded(running["c"]))
    assert statuses(workflow) == {"a": "failed", "b": "cancelled", "c": "succeeded"}
    assert status(workflow) == "failed"


def test_steps_and_plain_jobs_finish_in_one_exchange() -> None:
    plain = factories.job()
    first, second = submit(CHAIN), submit(DIAMOND)
    claimed = factories.claim()
    assert {job.id for job in claimed} == {plain.pk, first.jobs["a"], second.jobs["top"]}
    running = finish_and_claim(*(succeeded(job) for job in claimed))
    assert sorted(running) == ["b", "left", "right"]


@pytest.mark.postgres
def test_an_exchange_without_steps_asks_nothing_about_workflows() -> None:
    factories.jobs(5)
    claimed = factories.claim()
    with statements() as seen:
        finish(*(succeeded(job) for job in claimed))
    assert [sql for sql, _ in seen if "job_workflows" in sql or "job_dependencies" in sql] == []
    assert len(seen) == 3, "savepoint, finish, release"


@pytest.mark.postgres
def test_an_exchange_with_steps_costs_two_statements_more() -> None:
    for _ in range(5):
        submit(DIAMOND)
    claimed = factories.claim()
    with statements() as seen:
        finish(*(succeeded(job) for job in claimed))
    assert len(seen) == 5, "savepoint, lock, finish, close, release"


def test_outcomes_that_do_not_know_their_workflow_advance_it_all_the_same() -> None:
    workflow = submit(CHAIN)
    job = claim()["a"]
    finish(
        lifecycle.failed(job.id, job.token, error="no", delay_seconds=None, data={}),
    )
    assert statuses(workflow) == {"a": "failed", "b": "cancelled", "c": "cancelled"}


@pytest.mark.parametrize("stopped", [False, True])
@pytest.mark.parametrize(
    ("failed_steps", "cancelled_steps", "tolerated_failures", "tolerated_cancels"),
    [
        counts
        for counts in itertools.product(range(3), repeat=4)
        if counts[2] <= counts[0] and counts[3] <= counts[1]
    ],
)
def test_the_database_holds_a_workflow_to_one_status_for_its_counts(
    stopped: bool,
    failed_steps: int,
    cancelled_steps: int,
    tolerated_failures: int,
    tolerated_cancels: int,
) -> None:
    right = ended_as(
        failed=failed_steps,
        cancelled=cancelled_steps,
        tolerated_failures=tolerated_failures,
        tolerated_cancels=tolerated_cancels,
        stopped=stopped,
    )
    accepted = []
    for tried in WorkflowStatus:
        counts: dict[str, Any] = {
            "steps": 9,
            "open_steps": 0,
            "failed_steps": failed_steps,
            "cancelled_steps": cancelled_steps,
            "tolerated_failures": tolerated_failures,
            "tolerated_cancels": tolerated_cancels,
        }
        try:
            with transaction.atomic():
                Row.objects.create(
                    name="x",
                    status=tried,
                    finished_at=Now(),
                    cancel_requested_at=Now() if stopped else None,
                    **counts,
                )
                transaction.set_rollback(True)
            accepted.append(tried)
        except IntegrityError:
            continue
    assert accepted == [right]
