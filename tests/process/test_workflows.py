"""Workflows on real workers, some of which are killed."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable

import pytest

from jobs import Step, Workflow, lifecycle
from jobs.errors import JobsError
from jobs.models import Job, JobEvent
from jobs.models import Workflow as Row
from jobs.workflows import actions
from jobs.workflows.check import disagreements
from tests.support.evidence import Evidence, Run
from tests.support.processes import Workers
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.process, pytest.mark.postgres]
AllDone = Callable[..., None]

SHORT = {"QFORGE_LEASE_SECONDS": "1", "QFORGE_HEARTBEAT_SECONDS": "0.2"}


def release() -> Workflow:
    workflow = Workflow("release")
    for name, after in {"build": (), "test": "build", "lint": "build"}.items():
        workflow.step(name, "check.held", {"key": name}, after=after)
    workflow.step("deploy", "check.mark", {"key": "deploy"}, after=["test", "lint"])
    return workflow


def runs_by_key(evidence: Evidence) -> dict[str, list[Run]]:
    found: dict[str, list[Run]] = {}
    for run in evidence.runs():
        found.setdefault(run.key, []).append(run)
    return found


def assert_children_after_parents(evidence: Evidence, parents: dict[str, list[str]]) -> None:
    """No step starts while a parent runs or before it has ended; by the clocks of the handlers."""
    runs = runs_by_key(evidence)
    cancelled = JobEvent.objects.filter(kind="cancelled").values_list("job__step_name", flat=True)
    never_ran = set(cancelled)
    for key, own in runs.items():
        for run in own:
            for parent in parents[key]:
                earlier = [p for p in runs.get(parent, []) if p.start < run.start]
                assert all(p.end <= run.start for p in earlier), f"{key} beside {parent}"
                assert earlier or parent in never_ran, f"{key} before {parent}"


def test_a_killed_worker_changes_nothing_but_the_timing(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    first = workers.start(**SHORT)
    made = release().submit()
    evidence.let_go("build")
    wait_until(lambda: evidence.starts("test") and evidence.starts("lint"))
    first.kill()
    evidence.let_go("test")
    evidence.let_go("lint")
    workers.start(**SHORT)
    all_done()
    assert Row.objects.get(pk=made.id).status == "succeeded"
    assert len(evidence.starts("deploy")) == 1
    evidence.assert_no_overlap()
    assert_children_after_parents(
        evidence,
        {"build": [], "test": ["build"], "lint": ["build"], "deploy": ["test", "lint"]},
    )
    assert disagreements("default") == []


def test_a_step_that_keeps_failing_cancels_what_is_below_it_and_says_why(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    workers.start()
    made = (
        Workflow("release")
        .step("build", "check.mark", {"key": "build"})
        .step("test", "check.fail", {"key": "test", "times": 1}, after="build")
        .step("lint", "check.fail", {"key": "lint", "times": 9}, after="build", max_attempts=2)
        .step("deploy", "check.mark", {"key": "deploy"}, after=["test", "lint"])
        .submit()
    )
    all_done()
    rows = {job.step_name: job for job in Job.objects.all()}
    assert {name: job.status for name, job in rows.items()} == {
        "build": "succeeded",
        "test": "succeeded",
        "lint": "failed",
        "deploy": "cancelled",
    }
    assert len(evidence.starts("lint")) == 2
    assert rows["deploy"].error == "not run: step 'lint' failed"
    assert Row.objects.get(pk=made.id).status == "failed"
    assert disagreements("default") == []


def test_results_flow_and_steps_are_added_while_others_run(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    workers.start()
    made = (
        Workflow("scan")
        .step("name", "check.mark", {"key": "file"})
        .step("scan", "check.fan_out", {"key": {"$result": "name"}, "count": 5}, after="name")
        .step("gather", "check.gather", after="scan")
        .submit()
    )
    all_done()
    assert Row.objects.get(pk=made.id).status == "succeeded"
    gathered = Job.objects.get(pk=made.jobs["gather"]).result
    assert gathered == {"scan": "file"} | {f"file {n}": f"file {n}" for n in range(5)}
    assert len(evidence.starts()) == 8
    assert disagreements("default") == []


def _random_workflows(count: int, most: int, rng: random.Random) -> dict[str, list[str]]:
    """Submit random graphs of marks and failures; the parents of every step, by key."""
    parents: dict[str, list[str]] = {}
    for n in range(count):
        workflow, names = Workflow(f"random {n}"), list[str]()
        for m in range(rng.randint(2, most)):
            name = f"{n}.{m}"
            above = rng.sample(names, min(len(names), rng.randint(0, 3)))
            workflow.steps.append(
                Step(
                    name,
                    "check.fail",
                    {"key": name, "times": rng.choice([0, 0, 0, 0, 0, 1, 99])},
                    after=above,
                    on_failure=rng.choice(["cancel", "continue"]),
                    max_attempts=4,
                )
            )
            parents[name] = above
            names.append(name)
        workflow.submit()
    return parents


def _meddle(rng: random.Random) -> None:
    """Cancel or retry a step or a workflow, if it allows it."""
    workflow = Row.objects.order_by("?")[0]
    step = workflow.jobs.order_by("?")[0]
    acts: list[Callable[[], object]] = [
        lambda: lifecycle.cancel("default", step.pk, actor="", reason=""),
        lambda: lifecycle.retry("default", step.pk, actor="", reason=""),
        lambda: actions.cancel_workflow("default", workflow.pk),
        lambda: actions.retry_workflow("default", workflow.pk),
    ]
    with contextlib.suppress(JobsError):
        rng.choices(acts, weights=[3, 3, 1, 2])[0]()


def _survive(
    workers: Workers, evidence: Evidence, all_done: AllDone, *, count: int, most: int, seed: int
) -> None:
    rng = random.Random(seed)
    supervisor = workers.start(processes=2, **SHORT)
    parents = _random_workflows(count, most, rng)

    def over() -> bool:
        return not Row.objects.filter(finished_at=None).exists()

    while not over():
        # Killing faster than leases run out would only spend the attempts of every job.
        done = Job.objects.exclude(finished_at=None).count() + len(parents) // 10
        wait_until(
            lambda done=done: over() or Job.objects.exclude(finished_at=None).count() >= done,  # type: ignore[misc]
            seconds=120,
        )
        for _ in range(5):
            _meddle(rng)
        if not over() and (pools := supervisor.pools()):
            supervisor.kill_pool(rng.choice(pools))
    all_done()
    assert disagreements("default") == []
    evidence.assert_no_overlap()
    assert_children_after_parents(evidence, parents)


def test_random_workflows_agree_with_their_steps_after_workers_were_killed(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    _survive(workers, evidence, all_done, count=8, most=12, seed=1)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_thousand_random_workflows_do_too(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    _survive(workers, evidence, all_done, count=1000, most=60, seed=2)
