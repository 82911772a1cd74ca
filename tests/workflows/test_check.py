"""The check finds every kind of disagreement that a hand in the tables can make."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from jobs.models import Dependency, Job
from jobs.models import Workflow as Row
from jobs.workflows.check import disagreements
from tests.management.terminal import run
from tests.support.factories import USING
from tests.workflows.helpers import (
    CHAIN,
    DIAMOND,
    claim,
    finish_and_claim,
    run_all,
    submit,
    succeeded,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def agreement() -> None:
    """These tests end in disagreement."""


def job(name: str) -> Job:
    return Job.objects.get(step_name=name)


def _count_wrongly() -> None:
    Row.objects.update(failed_steps=F("failed_steps") + 1)


def _lose_a_wakeup() -> None:
    """What two last parents would leave behind without the lock."""
    Dependency.objects.filter(parent=job("left")).delete()


def _forget_the_dead() -> None:
    Job.objects.filter(step_name="left").update(
        status="failed", lease_token=None, lease_expires_at=None, locked_by="", finished_at=Now()
    )
    Row.objects.update(open_steps=F("open_steps") - 1, failed_steps=1)


def _start_too_early() -> None:
    Job.objects.filter(step_name="bottom").update(status="queued", open_dependencies=0)


def _stray() -> None:
    other = submit(CHAIN)
    Dependency.objects.create(parent_id=other.jobs["a"], child=job("left"))


@pytest.mark.parametrize(
    ("harm", "step", "problem"),
    [
        (_count_wrongly, "", "counts 4/3/1/0/0/0 .* but the steps say 4/3/0/0/0/0"),
        (_lose_a_wakeup, "bottom", "waits for 2 parents, but 1 have yet to succeed"),
        (_forget_the_dead, "bottom", "2 have yet to succeed, 1 of which have ended"),
        (_start_too_early, "bottom", "is queued while its parent left is running"),
        (_stray, "left", "not of this workflow"),
    ],
)
def test_each_kind_of_disagreement_is_found(
    harm: Callable[[], None], step: str, problem: str
) -> None:
    workflow = submit(DIAMOND)
    finish_and_claim(succeeded(claim()["top"]))
    assert disagreements(USING) == []
    harm()
    found = [one for one in disagreements(USING) if one.workflow_id == workflow.id]
    assert any(one.step == step and re.search(problem, one.problem) for one in found), found
    assert disagreements(USING, workflow.id) == found


def test_a_step_that_started_before_the_end_of_its_parent_is_found() -> None:
    workflow = submit(CHAIN)
    run_all()
    Job.objects.filter(step_name="b").update(started_at=job("a").started_at)
    (found,) = disagreements(USING)
    assert (found.workflow_id, found.step) == (workflow.id, "b")
    assert found.problem == "started before the end of its parent a"


def test_one_workflow_is_asked_about_alone() -> None:
    good, bad = submit(CHAIN), submit(CHAIN)
    Row.objects.filter(pk=bad.id).update(steps=9)
    assert disagreements(USING, good.id) == []
    assert len(disagreements(USING, bad.id)) == 1


def test_a_workflow_without_steps_is_found() -> None:
    with transaction.atomic():
        Row.objects.create(name="empty", status="running", steps=1, open_steps=1)
    (found,) = disagreements(USING)
    assert "the steps say 0/0/0/0/0/0" in found.problem


def test_the_command_says_that_all_is_well() -> None:
    submit(CHAIN)
    ran = run("jobs", "check-workflows")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "All workflows agree with their steps.\n"


def test_the_command_lists_what_is_wrong_and_exits_with_one() -> None:
    submit(CHAIN)
    bad = submit(CHAIN)
    Job.objects.filter(pk=bad.jobs["c"]).update(open_dependencies=7)
    ran = run("jobs", "check-workflows")
    assert ran.code == 1
    assert ran.out == (
        f"workflow {bad.id} step 'c': waits for 7 parents, but 1 have yet to succeed, "
        "0 of which have ended\n"
    )
    document = json.loads(run("jobs", "check-workflows", "--json", "--workflow", str(bad.id)).out)
    assert [one["step"] for one in document["disagreements"]] == ["c"]
