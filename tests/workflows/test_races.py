"""What happens at the same instant: two connections, one made to wait for the other."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from jobs import Step, lifecycle
from jobs.errors import IllegalTransition, JobsError
from jobs.models import Job, JobEvent
from jobs.models import Workflow as Row
from jobs.workflows import actions
from jobs.workflows.submit import SubmittedWorkflow
from tests.support import factories
from tests.support.database import backend_pid, wait_until_blocked
from tests.support.factories import USING
from tests.support.threads import Worker, together
from tests.support.waiting import wait_until
from tests.workflows.helpers import (
    CHAIN,
    DIAMOND,
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

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("committed_db")]


def two_last_parents() -> tuple[SubmittedWorkflow, dict[str, Any]]:
    workflow = submit(DIAMOND)
    return workflow, finish_and_claim(succeeded(claim()["top"]))


def in_order(first: Callable[[], Any], second: Callable[[], Any]) -> Any:
    """Run `first`, and before it is committed `second`, which must wait; the result of `second`."""
    with transaction.atomic():
        first()
        pids: list[int] = []
        worker = Worker(lambda: (pids.append(backend_pid()), second())[1])
        worker.start()
        wait_until(lambda: pids)
        wait_until_blocked(pids[0])
    return worker.wait()


def test_the_second_of_two_last_parents_waits_for_the_first_and_releases_the_child() -> None:
    workflow, parents = two_last_parents()
    in_order(
        lambda: finish(succeeded(parents["left"])), lambda: finish(succeeded(parents["right"]))
    )
    assert statuses(workflow)["bottom"] == "queued"
    assert run_all() == ["bottom"]
    assert status(workflow) == "succeeded"


def test_the_second_of_two_last_steps_ends_the_workflow() -> None:
    workflow = submit({"a": [], "b": []})
    steps = claim()
    in_order(lambda: finish(succeeded(steps["a"])), lambda: finish(succeeded(steps["b"])))
    assert status(workflow) == "succeeded"


def test_a_parent_that_ends_while_its_child_is_cancelled_does_not_revive_it() -> None:
    workflow, parents = two_last_parents()
    finish(succeeded(parents["left"]))
    in_order(lambda: cancel(workflow, "bottom"), lambda: finish(succeeded(parents["right"])))
    assert statuses(workflow)["bottom"] == "cancelled"
    assert status(workflow) == "cancelled"
    assert claim() == {}


def test_a_child_that_is_cancelled_while_its_last_parent_ends_is_cancelled() -> None:
    workflow, parents = two_last_parents()
    finish(succeeded(parents["left"]))
    in_order(lambda: finish(succeeded(parents["right"])), lambda: cancel(workflow, "bottom"))
    assert factories.history(workflow.jobs["bottom"])[1:] == [
        ("unblocked", "blocked", "queued"),
        ("cancelled", "queued", "cancelled"),
    ]
    assert status(workflow) == "cancelled"


def test_a_step_that_ends_while_its_workflow_is_cancelled_releases_nothing() -> None:
    workflow, parents = two_last_parents()
    in_order(
        lambda: actions.cancel_workflow(USING, workflow.id),
        lambda: finish(*map(succeeded, parents.values())),
    )
    assert statuses(workflow)["bottom"] == "cancelled"
    assert status(workflow) == "cancelled"


def test_a_workflow_that_is_cancelled_while_its_last_step_ends_has_succeeded() -> None:
    workflow = submit({"only": []})
    steps = claim()

    def cancel_it() -> str:
        try:
            return actions.cancel_workflow(USING, workflow.id).status
        except JobsError as error:
            return str(error)

    told = in_order(lambda: finish(succeeded(steps["only"])), cancel_it)
    assert told == f"workflow {workflow.id} is succeeded; it cannot cancel"


def test_a_retried_step_and_its_sibling_that_ends_release_the_child_together() -> None:
    workflow, parents = two_last_parents()
    finish(failed(parents["left"]))
    in_order(lambda: retry(workflow, "left"), lambda: finish(succeeded(parents["right"])))
    assert Job.objects.get(pk=workflow.jobs["bottom"]).open_dependencies == 1
    assert run_all() == ["left", "bottom"]


def test_a_sibling_that_ends_while_a_step_is_retried_counts_as_ended() -> None:
    workflow, parents = two_last_parents()
    finish(failed(parents["left"]))
    in_order(lambda: finish(succeeded(parents["right"])), lambda: retry(workflow, "left"))
    assert Job.objects.get(pk=workflow.jobs["bottom"]).open_dependencies == 1
    assert run_all() == ["left", "bottom"]


def test_a_parent_that_fails_while_the_other_succeeds_cancels_the_child_once() -> None:
    workflow, parents = two_last_parents()
    in_order(lambda: finish(failed(parents["left"])), lambda: finish(succeeded(parents["right"])))
    assert statuses(workflow)["bottom"] == "cancelled"
    assert JobEvent.objects.filter(job=workflow.jobs["bottom"]).count() == 2


def test_steps_appended_by_two_at_once_are_counted_both() -> None:
    workflow, parents = two_last_parents()

    def append(name: str) -> None:
        new = Step(f"{name} found", TASK, before="bottom")
        finish(succeeded(parents[name], None, new))

    in_order(lambda: append("left"), lambda: append("right"))
    assert Job.objects.get(pk=workflow.jobs["bottom"]).open_dependencies == 2
    assert sorted(run_all()) == ["bottom", "left found", "right found"]


def test_a_rescue_waits_for_the_workflow_before_it_takes_the_job() -> None:
    workflow, parents = two_last_parents()
    expired = Job.objects.filter(pk=workflow.jobs["left"])
    expired.update(lease_expires_at="2000-01-01T00:00Z", attempts=3)
    in_order(
        lambda: finish(succeeded(parents["right"])),
        lambda: lifecycle.rescue(USING, limit=10, worker="w"),
    )
    assert statuses(workflow) == {
        "top": "succeeded",
        "left": "failed",
        "right": "succeeded",
        "bottom": "cancelled",
    }


def test_a_rescue_finds_a_step_that_has_ended_meanwhile_ended() -> None:
    workflow, parents = two_last_parents()
    Job.objects.filter(pk=workflow.jobs["left"]).update(lease_expires_at="2000-01-01T00:00Z")
    rescued = in_order(
        lambda: finish(succeeded(parents["left"])),
        lambda: lifecycle.rescue(USING, limit=10, worker="w"),
    )
    assert rescued == []
    assert statuses(workflow)["left"] == "succeeded"


@pytest.mark.parametrize("callers", [8])
def test_of_many_who_retry_a_step_at_once_one_succeeds(callers: int) -> None:
    workflow = submit(CHAIN)
    run_all(fail=["a"])

    def try_it() -> bool:
        try:
            retry(workflow, "a")
        except IllegalTransition:
            return False
        return True

    assert sum(together([try_it] * callers)) == 1
    assert run_all() == ["a", "b", "c"]


def _meet(count: int, seconds: float) -> None:
    """`count` diamonds, one after the other, whose last two parents end at the same instant."""
    workflows = [submit(DIAMOND) for _ in range(count)]
    finish(*(succeeded(job) for job in factories.claim(count)))
    parents = {(job.workflow_id, job.step_name): job for job in factories.claim(2 * count)}
    assert len(parents) == 2 * count
    barrier = threading.Barrier(2)

    def end(name: str) -> None:
        for workflow in workflows:
            outcome = succeeded(parents[workflow.id, name])
            barrier.wait(seconds)
            finish(outcome)

    together([lambda: end("left"), lambda: end("right")], seconds=seconds)
    bottoms = Job.objects.filter(step_name="bottom")
    assert set(bottoms.values_list("status", flat=True)) == {"queued"}
    assert JobEvent.objects.filter(job__in=bottoms, kind="unblocked").count() == count
    finish(*(succeeded(job) for job in factories.claim(count)))
    assert set(Row.objects.values_list("status", flat=True)) == {"succeeded"}


def test_no_diamond_loses_its_wakeup() -> None:
    _meet(40, seconds=30)


@pytest.mark.long
@pytest.mark.timeout(300)
def test_no_diamond_of_a_thousand_loses_its_wakeup() -> None:
    _meet(1000, seconds=250)


def _quarrel(rounds: int) -> None:
    """Exchanges over two workflows against cancels and retries of them in any order."""
    for _ in range(rounds):
        pair = [submit(DIAMOND), submit(DIAMOND)]
        tops = factories.claim()
        finish(*(succeeded(job) for job in tops))
        parents = {job.step_name + str(job.workflow_id): job for job in factories.claim()}
        one, two = pair
        left = [succeeded(parents[f"left{w.id}"]) for w in pair]
        right = [failed(parents[f"right{w.id}"]) for w in reversed(pair)]

        def also(act: Callable[[], Any]) -> Callable[[], None]:
            def quietly() -> None:
                # Somebody may be quicker; what counts is that nobody is stuck or killed.
                with contextlib.suppress(JobsError):
                    act()

            return quietly

        together(
            [
                lambda left=left: finish(*left),
                lambda right=right: finish(*right),
                also(lambda one=one: cancel(one, "bottom")),
                also(lambda two=two: actions.cancel_workflow(USING, two.id)),
                also(lambda two=two: retry(two, "right")),
                also(lambda one=one: actions.retry_workflow(USING, one.id)),
            ]
        )
        run_all()
        ended = Row.objects.filter(pk__in=[w.id for w in pair], finished_at__isnull=False)
        assert ended.count() == 2


def test_exchanges_cancels_and_retries_of_two_workflows_never_deadlock() -> None:
    _quarrel(10)


@pytest.mark.long
@pytest.mark.timeout(300)
def test_they_never_deadlock_in_many_rounds() -> None:
    _quarrel(150)
