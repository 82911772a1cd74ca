"""What a step costs: its own edges, whatever the size of the workflow and of the tables."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import connection

from jobs import lifecycle
from jobs.models import Job
from jobs.models import Workflow as Row
from jobs.store import steps
from jobs.store.workflows_postgres import _CLOSE
from jobs.workflows import actions
from jobs.workflows.rerun import rerun_workflow
from jobs.workflows.submit import SubmittedWorkflow
from tests.support import factories
from tests.support.database import statements
from tests.support.factories import USING
from tests.workflows.helpers import claim, failed, finish, status, submit, succeeded

pytestmark = pytest.mark.postgres


def fan_in(size: int) -> dict[str, list[str]]:
    names = [f"s{n}" for n in range(size)]
    return {name: [] for name in names} | {"end": names}


def fan_out(size: int) -> dict[str, list[str]]:
    return {"root": []} | {f"s{n}": ["root"] for n in range(size)}


def grid(side: int) -> dict[str, list[str]]:
    def parents(row: int, column: int) -> list[str]:
        above = [(row - 1, column)] if row else []
        return [f"{r}.{c}" for r, c in above + ([(row, column - 1)] if column else [])]

    return {f"{r}.{c}": parents(r, c) for r in range(side) for c in range(side)}


def chain(size: int) -> dict[str, list[str]]:
    return {f"s{n}": [f"s{n - 1}"] if n else [] for n in range(size)}


def pages(sql: str, parameters: Sequence[Any]) -> int:
    """How many pages the statement looks at."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}", parameters)
        (found,) = cursor.fetchone()
    plan = (json.loads(found) if isinstance(found, str) else found)[0]["Plan"]
    return int(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])


def pages_of_one_end(size: int, *, analyzed: bool) -> int:
    """Pages for the end of one step with one child, in a grid of `size` times `size`."""
    workflow = submit(grid(size))
    if analyzed:
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE jobs, job_dependencies, job_workflows")
    corner = workflow.jobs["0.0"]
    # As the exchange has written it just before.
    Job.objects.filter(pk=corner).update(status="succeeded", finished_at="2030-01-01T00:00Z")
    found = pages(_CLOSE, [[corner]])
    assert Job.objects.get(pk=workflow.jobs["0.1"]).status == "queued"
    return found


@pytest.mark.django_db
@pytest.mark.parametrize("analyzed", [True, False])
def test_the_end_of_a_step_touches_as_many_pages_in_a_small_workflow_as_in_a_large_one(
    analyzed: bool,
) -> None:
    small = pages_of_one_end(3, analyzed=analyzed)
    large = pages_of_one_end(50, analyzed=analyzed)
    assert large <= small + 25
    assert large < 100


@pytest.mark.django_db
def test_steps_without_children_cost_nothing_for_the_children_of_others() -> None:
    """The statistics say that the average parent has 2,000 children."""
    workflow = submit(fan_out(2000))
    finish(succeeded(claim()["root"]))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE jobs, job_dependencies")
    leaves = [workflow.jobs[f"s{n}"] for n in range(50)]
    Job.objects.filter(pk__in=leaves).update(status="succeeded", finished_at="2030-01-01T00:00Z")
    assert pages(_CLOSE, [leaves]) < 50 * 10


def rows_handled(sql: str, parameters: Sequence[Any]) -> int:
    """How many rows the nodes of the plan give or compare and leave out, all of them together."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", parameters)
        (found,) = cursor.fetchone()
    counts = ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Join Filter")

    def handled(node: dict[str, Any]) -> float:
        own = sum(float(node.get(count, 0)) for count in counts) * float(node["Actual Loops"])
        return own + sum(map(handled, node.get("Plans", ())))

    return int(handled((json.loads(found) if isinstance(found, str) else found)[0]["Plan"]))


def choose_nested_loops() -> None:
    """As a planner does that takes both sides of a join for small: statistics may be old."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off")


@pytest.mark.django_db
def test_no_plan_compares_each_child_with_each_when_they_are_unblocked() -> None:
    workflow = submit(fan_out(2000))
    root = workflow.jobs["root"]
    Job.objects.filter(pk=root).update(status="succeeded", finished_at="2030-01-01T00:00Z")
    choose_nested_loops()
    assert rows_handled(_CLOSE, [[root]]) < 50 * 2000
    assert Job.objects.filter(workflow=workflow.id, status="queued").count() == 2000


@pytest.mark.django_db
def test_no_plan_compares_each_step_with_each_when_they_are_cancelled() -> None:
    workflow = submit(fan_out(2000))
    choose_nested_loops()
    with statements() as seen:
        finish(failed(claim()["root"]))
    (cancelling,) = [one for one in seen if "'cancelled', 'blocked'" in one[0] or "by_id" in one[0]]
    row = Row.objects.get(pk=workflow.id)
    assert (row.status, row.cancelled_steps) == ("failed", 2000)
    lifecycle.retry(USING, root := workflow.jobs["root"], actor="", reason="")
    assert rows_handled(*cancelling) < 50 * 2000
    Job.objects.filter(pk=root).delete()
    Row.objects.all().delete()


@pytest.mark.django_db
@pytest.mark.parametrize("analyzed", [True, False])
def test_a_walk_touches_as_many_pages_for_each_step_however_deep_it_goes(analyzed: bool) -> None:
    per_step = []
    for depth in (50, 1000):
        workflow = submit(chain(depth))
        if analyzed:
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE jobs, job_dependencies")
        root = workflow.jobs["s0"]
        Job.objects.filter(pk=root).update(status="failed", finished_at="2030-01-01T00:00Z")
        with statements() as seen:
            assert len(steps.doomed(USING, [root])) == depth - 1
        (walk,) = seen
        per_step.append(pages(*walk) / depth)
        Job.objects.filter(pk=root).update(status="queued", finished_at=None)
    assert per_step[1] < per_step[0] * 1.5


SHAPES = {"into one": fan_in(10_000), "from one": fan_out(10_000), "grid": grid(100)}


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.usefixtures("committed_db")
@pytest.mark.parametrize("shape", SHAPES)
def test_ten_thousand_steps_all_run_in_batches_whatever_their_shape(shape: str) -> None:
    workflow = submit(SHAPES[shape])
    while running := factories.claim(50):
        finish(*map(succeeded, running))
    assert status(workflow) == "succeeded"
    ended = Job.objects.filter(workflow=workflow.id, status="succeeded", attempts=1)
    assert ended.count() == len(SHAPES[shape])


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.usefixtures("committed_db")
def test_a_step_of_a_large_workflow_is_submitted_in_the_time_of_one_of_a_small() -> None:
    def microseconds(size: int) -> float:
        begun = time.perf_counter()
        submit(chain(size))
        return (time.perf_counter() - begun) / size * 1e6

    microseconds(100)
    assert microseconds(10_000) < 3 * max(microseconds(500), 100)


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.usefixtures("committed_db")
def test_a_failure_at_the_top_of_ten_thousand_steps_is_carried_down_and_taken_back() -> None:
    workflow = submit(chain(10_000))
    finish(failed(claim()["s0"]))
    row = Row.objects.get(pk=workflow.id)
    assert (row.status, row.cancelled_steps) == ("failed", 9999)
    lifecycle.retry(USING, workflow.jobs["s0"], actor="", reason="")
    row.refresh_from_db()
    assert (row.status, row.open_steps) == ("running", 10_000)


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.usefixtures("committed_db")
def test_verbs_for_a_whole_workflow_of_ten_thousand_steps_take_seconds() -> None:
    def timed(act: Callable[[], Any]) -> Any:
        begun = time.perf_counter()
        done = act()
        assert time.perf_counter() - begun < 20
        return done

    workflow: SubmittedWorkflow = submit(grid(100))
    timed(lambda: actions.cancel_workflow(USING, workflow.id))
    timed(lambda: actions.retry_workflow(USING, workflow.id))
    again = timed(lambda: rerun_workflow(USING, workflow.id))
    assert len(again.jobs) == 10_000
