"""Operations on steps: workflows stay whole, and no step runs before its parents have ended."""

from __future__ import annotations

import pytest

from jobs.models import Job, JobEvent
from jobs.states import BulkAction
from tests.operations.helpers import ask, carry_out, counts, do, reasons
from tests.workflows.helpers import (
    CHAIN,
    DIAMOND,
    claim,
    finish,
    finish_and_claim,
    run_all,
    status,
    statuses,
    submit,
    succeeded,
)

pytestmark = pytest.mark.usefixtures("committed_db")


def test_cancelling_a_step_cancels_what_is_below_and_ends_the_workflow() -> None:
    workflow = submit(CHAIN)
    operation = do("cancel", ids=[workflow.jobs["a"]])
    assert set(statuses(workflow).values()) == {"cancelled"}
    assert status(workflow) == "cancelled"
    assert (operation.done, operation.also_changed) == (1, 2)
    below = JobEvent.objects.get(job=workflow.jobs["c"], kind="cancelled")
    assert below.data["operation"] == operation.pk
    assert below.data["reason"] == "step 'a' was cancelled"


@pytest.mark.parametrize("limit", [1, 2, 100])
def test_cancelling_all_steps_of_many_workflows_ends_them_whatever_the_batch(limit: int) -> None:
    workflows = [submit(DIAMOND) for _ in range(5)]
    started = claim(1)["top"]
    operation = carry_out(ask("cancel"), limit=limit)
    finish(succeeded(started))
    assert sorted(map(status, workflows)) == ["cancelled"] * 5
    assert operation.done + operation.also_changed == 20
    assert claim() == {}


def test_a_retry_revives_the_failed_steps_of_many_workflows_and_what_is_below() -> None:
    workflows = [submit(DIAMOND) for _ in range(4)]
    for _ in workflows:
        run_all(fail=["left"])
    operation = do("retry", {"status": ["failed"]})
    assert (operation.done, operation.also_changed) == (4, 4)
    assert sorted(run_all()) == ["bottom"] * 4 + ["left"] * 4
    assert [status(workflow) for workflow in workflows] == ["succeeded"] * 4


@pytest.mark.parametrize("limit", [1, 2, 100])
def test_a_retry_of_parent_and_child_together_keeps_their_order(limit: int) -> None:
    workflow = submit(CHAIN)
    run_all(fail=["a"])
    operation = carry_out(ask("retry", ids=[*workflow.jobs.values()]), limit=limit)
    assert operation.failed == 0
    assert run_all() == ["a", "b", "c"]
    assert status(workflow) == "succeeded"


def test_a_step_below_one_that_stays_dead_is_skipped_with_the_reason() -> None:
    workflow = submit(CHAIN)
    run_all(fail=["a"])
    operation = do("retry", ids=[workflow.jobs["b"]])
    assert counts(operation) == (1, 0, 1, 0)
    assert reasons(operation) == {workflow.jobs["b"]: "its parent 'a' failed; retry that one"}
    assert statuses(workflow)["b"] == "cancelled"


def test_steps_of_a_workflow_that_is_being_cancelled_are_not_retried() -> None:
    from jobs.workflows import actions
    from tests.support.factories import USING
    from tests.workflows.helpers import failed

    workflow = submit({"a": [], "b": []})
    running = claim()
    finish(failed(running["a"]))
    other = submit({"c": []})
    finish(failed(claim()["c"]))
    actions.cancel_workflow(USING, workflow.id)
    operation = do("retry", {"status": ["failed"]})
    assert reasons(operation) == {workflow.jobs["a"]: "its workflow is being cancelled"}
    assert statuses(other) == {"c": "queued"}
    finish(failed(running["b"]))
    run_all()


@pytest.mark.parametrize("action", list(BulkAction))
def test_no_action_starts_a_blocked_step(action: BulkAction) -> None:
    workflow = submit(CHAIN)
    running = claim()["a"]
    do(action, {"workflow": workflow.id, "status": ["blocked"]})
    do(action, ids=[workflow.jobs["b"], workflow.jobs["c"]])
    assert claim() == {}
    started = finish_and_claim(succeeded(running))
    expected = [] if action is BulkAction.CANCEL else ["b"]
    assert list(started) == expected


def test_a_delete_leaves_steps_to_their_workflow() -> None:
    workflow = submit(CHAIN)
    run_all()
    operation = do("delete", {"workflow": workflow.id})
    assert operation.skipped == 3
    assert set(reasons(operation).values()) == {"it is a step; steps go with their workflow"}
    assert Job.objects.filter(workflow=workflow.id).count() == 3
