"""The bounded parts of a workflow over HTTP: summary, steps, events, graph and spans."""

from __future__ import annotations

import datetime as dt
import random
from functools import partial
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client

from jobs.api import workflow_gantt, workflow_graph
from jobs.models import Job
from jobs.states import JobStatus
from jobs.workflows import graph
from jobs.workflows.critical import critical_path
from tests.api.client import Api
from tests.support import factories
from tests.support.backlog import fill
from tests.support.factories import USING
from tests.support.plans import plans_of
from tests.workflows.helpers import (
    CHAIN,
    DIAMOND,
    TASK,
    claim,
    failed,
    finish,
    finish_and_claim,
    run_all,
    submit,
    succeeded,
)
from tests.workflows.test_random import random_graph

pytestmark = pytest.mark.django_db

URL = "/api/workflows/"


@pytest.fixture
def api() -> Api:
    browser = Client()
    browser.force_login(
        get_user_model().objects.create_user("ann", is_staff=True, is_superuser=True)
    )
    return Api(browser)


def fan_out(size: int) -> dict[str, list[str]]:
    return {"root": []} | {f"s{n}": ["root"] for n in range(size - 1)}


def names(answer: Any) -> list[str]:
    return [row["step"] for row in answer["results"]]


def test_a_list_names_a_failed_step_and_counts_those_that_run(api: Api) -> None:
    submit(DIAMOND)
    running = finish_and_claim(succeeded(claim()["top"]))
    (row,) = api.get(URL)["results"]
    assert (row["progress"]["running"], row["failed_step"]) == (2, None)
    finish(failed(running["right"]), succeeded(running["left"]))
    (row,) = api.get(URL)["results"]
    assert (row["progress"]["running"], row["failed_step"]) == (0, "right")


def test_workflows_of_several_statuses_are_listed_in_one_order(api: Api) -> None:
    done, lost, going = (submit({"a": []}).id for _ in range(3))
    claimed = {job.workflow_id: job for job in factories.claim(10)}
    finish(succeeded(claimed[done]), failed(claimed[lost]))
    page = api.get(URL, {"status": ["succeeded", "running"], "page_size": 1})
    assert [row["id"] for row in page["results"]] == [going]
    rest = api.get(page["next"])
    assert [row["id"] for row in rest["results"]] == [done]
    assert rest["next"] is None


def test_a_summary_has_counts_by_status_and_no_steps(api: Api) -> None:
    workflow = submit(DIAMOND)
    claim()
    summary = api.get(f"{URL}{workflow.id}/summary/")
    assert summary["counts"]["running"] == 1
    assert summary["counts"]["blocked"] == 3
    assert summary["started_at"] is not None
    assert "steps" not in summary.json


def test_steps_are_listed_in_pages_as_they_were_submitted(api: Api) -> None:
    workflow = submit(fan_out(5))
    page = api.get(f"{URL}{workflow.id}/steps/", {"page_size": 3})
    assert names(page) == ["root", "s0", "s1"]
    rest = api.get(page["next"])
    assert names(rest) == ["s2", "s3"]
    assert names(api.get(rest["previous"])) == ["root", "s0", "s1"]


def test_steps_are_found_by_status_and_by_text(api: Api) -> None:
    workflow = submit(DIAMOND)
    submit({"left": []})
    url = f"{URL}{workflow.id}/steps/"
    assert names(api.get(url, {"q": "EF"})) == ["left"]
    assert names(api.get(url, {"status": ["queued", "running"]})) == ["top"]
    assert names(api.get(url, {"q": TASK, "status": "blocked"})) == ["left", "right", "bottom"]


def test_a_blocked_step_says_what_it_waits_for(api: Api) -> None:
    workflow = submit(DIAMOND)
    running = finish_and_claim(succeeded(claim()["top"]))
    finish(succeeded(running["left"]))
    steps = {row["step"]: row for row in api.get(f"{URL}{workflow.id}/steps/")["results"]}
    assert (steps["bottom"]["waits_on"], steps["bottom"]["waits_for"]) == ("right", 1)
    assert (steps["right"]["waits_on"], steps["right"]["waits_for"]) == (None, 0)


def test_the_events_of_a_workflow_are_those_of_its_steps(api: Api) -> None:
    workflow = submit(CHAIN)
    submit({"other": []})
    finish(succeeded(claim()["a"]))
    url = f"{URL}{workflow.id}/events/"
    found = api.get(url, {"ordering": "id"})["results"]
    assert {row["step"] for row in found} == {"a", "b", "c"}
    assert [row["kind"] for row in found if row["step"] == "b"] == ["enqueued", "unblocked"]
    first = api.get(url, {"page_size": 1})
    assert first["results"] == found[-1:]
    assert api.get(first["next"])["results"][0] == found[-2]
    claims = api.get(url, {"kind": "claimed"})["results"]
    assert [row["step"] for row in claims] == ["a"]


def test_errors_and_reasons_are_for_those_who_may_see_payloads() -> None:
    browser = Client()
    clerk = get_user_model().objects.create_user("bob", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename="view_workflow"))
    browser.force_login(clerk)
    workflow = submit({"a": []})
    finish(failed(claim()["a"], error="ValueError: the secret of ada"))
    for part in ("summary", "steps", "events", "graph", "gantt"):
        answer = Api(browser).get(f"{URL}{workflow.id}/{part}/")
        assert answer.status == 200
        assert "ada" not in answer.response.content.decode(), part


def test_the_graph_has_every_step_and_edge_and_marks_the_critical_path(api: Api) -> None:
    workflow = submit(DIAMOND)
    running = finish_and_claim(succeeded(claim()["top"]))
    finish(succeeded(running["right"]))
    ids = workflow.jobs
    found = api.get(f"{URL}{workflow.id}/graph/")
    assert found["complete"] is True
    assert {node["step"]: node["status"] for node in found["nodes"]} == {
        "top": "succeeded",
        "left": "running",
        "right": "succeeded",
        "bottom": "blocked",
    }
    assert {tuple(edge) for edge in found["edges"]} == {
        (ids["top"], ids["left"]),
        (ids["top"], ids["right"]),
        (ids["left"], ids["bottom"]),
        (ids["right"], ids["bottom"]),
    }
    assert found["critical_path"] == [ids["top"], ids["right"]]


def test_a_running_step_shows_how_far_it_is(api: Api) -> None:
    workflow = submit({"a": []})
    claim()
    Job.objects.update(progress={"percent": 40.0, "message": "half"})
    (node,) = api.get(f"{URL}{workflow.id}/graph/")["nodes"]
    assert node["percent"] == 40.0


def test_the_graph_around_a_step_ends_two_edges_away(api: Api) -> None:
    line = {f"s{n}": [f"s{n - 1}"] if n else [] for n in range(9)}
    workflow = submit(line)
    found = api.get(f"{URL}{workflow.id}/graph/", {"around": "s4"})
    assert [node["step"] for node in found["nodes"]] == ["s2", "s3", "s4", "s5", "s6"]
    assert len(found["edges"]) == 4
    assert found["complete"] is False
    unknown = api.get(f"{URL}{workflow.id}/graph/", {"around": "nowhere"})
    assert unknown.fields == {"around": "unknown-step"}


def test_a_graph_too_large_is_shown_around_a_step_only_and_never_too_much_of_it(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workflow_graph, "MAX_WHOLE", 20)
    monkeypatch.setattr(workflow_graph, "MAX_AROUND", 10)
    workflow = submit(fan_out(21))
    url = f"{URL}{workflow.id}/graph/"
    whole = api.get(url)
    assert (whole["complete"], whole["nodes"], whole["edges"]) == (False, [], [])
    assert whole["steps"] == 21
    part = api.get(url, {"around": "root"})
    assert len(part["nodes"]) == 10
    assert len(part["edges"]) == 9


def test_a_graph_with_too_many_edges_is_not_shown_whole(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workflow_graph, "MAX_EDGES", 3)
    workflow = submit(DIAMOND)
    found = api.get(f"{URL}{workflow.id}/graph/")
    assert (found["complete"], found["nodes"]) == (False, [])


@pytest.mark.parametrize("seed", range(8))
def test_the_path_read_hop_by_hop_is_that_of_the_whole_graph(seed: int) -> None:
    rng = random.Random(seed)
    parents, _ = random_graph(rng, 25)
    workflow = submit(parents)
    run_all(fail=[name for name in parents if rng.random() < 0.1])
    at = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    rows = list(Job.objects.filter(workflow_id=workflow.id, started_at__isnull=False))
    for second, job in enumerate(rng.sample(rows, len(rows))):
        Job.objects.filter(pk=job.pk).update(finished_at=at + dt.timedelta(seconds=second))
    ended = {
        job.step_name: job.finished_at.timestamp()
        for job in Job.objects.filter(pk__in=[row.pk for row in rows])
        if job.finished_at is not None
    }
    expected = [workflow.jobs[name] for name in graph.critical_path(parents, ended)]
    assert critical_path(USING, workflow.id) == expected


def test_the_spans_of_a_step_tell_its_life(api: Api) -> None:
    workflow = submit({"a": [], "b": ["a"]})
    first = claim()["a"]
    finish(failed(first, delay_seconds=0.0))
    finish(succeeded(claim()["a"]))
    a, b = api.get(f"{URL}{workflow.id}/gantt/")["results"]
    assert [(s["status"], s["attempt"], s["ended_as"]) for s in a["spans"]] == [
        ("queued", 0, None),
        ("running", 1, "queued"),
        ("queued", 1, None),
        ("running", 2, "succeeded"),
    ]
    assert all(span["to"] is not None for span in a["spans"])
    assert [span["worker"] for span in a["spans"]] == ["", factories.WORKER, "", factories.WORKER]
    assert [(s["status"], s["to"]) for s in b["spans"]][-1] == ("queued", None)
    assert b["spans"][0]["status"] == "blocked"


def test_rows_come_in_the_order_in_which_steps_started_in_parts(api: Api) -> None:
    workflow = submit({"late": ["early"], "early": [], "never": ["late"]})
    finish(succeeded(claim()["early"]))
    claim()
    url = f"{URL}{workflow.id}/gantt/"
    found = api.get(url, {"limit": 2})
    assert names(found) == ["early", "late"]
    assert found["next_offset"] == 2
    rest = api.get(url, {"limit": 2, "offset": 2})
    assert (names(rest), rest["next_offset"]) == (["never"], None)
    assert api.get(url, {"limit": 501}).fields == {"limit": "invalid"}


def event(kind: str, before: str, after: str, second: int, attempt: int = 0) -> dict[str, Any]:
    at = dt.datetime(2026, 1, 1, 0, 0, second, tzinfo=dt.UTC)
    fields = {"from_status": before, "to_status": after, "attempt": attempt, "worker": "w"}
    return {"kind": kind, "at": at, **fields}


def test_no_span_is_negative_when_the_clock_went_back() -> None:
    (queued, running) = workflow_gantt.spans(
        [event("enqueued", "", "queued", 9), event("claimed", "queued", "running", 5, 1)]
    )
    assert queued["to"] == queued["from"]
    assert running["to"] is None


def test_what_changes_no_status_ends_no_span() -> None:
    (running,) = workflow_gantt.spans(
        [
            event("claimed", "queued", "running", 1, 1),
            event("cancel_requested", "running", "running", 2, 1),
        ]
    )
    assert running["to"] is None


def test_a_wait_after_a_failure_is_told_from_one_for_a_time() -> None:
    waits = [
        event("enqueued", "", "scheduled", 0),
        event("failed", "running", "scheduled", 1, 1),
        event("released", "running", "scheduled", 2, 1),
    ]
    assert [span["retry"] for span in workflow_gantt.spans(waits)] == [False, True, False]


@pytest.mark.parametrize("part", ["summary", "steps", "events", "graph", "gantt"])
def test_a_workflow_that_is_not_there_has_no_parts(api: Api, part: str) -> None:
    assert api.get(f"{URL}{2**63}/{part}/").status == 404
    assert api.get(f"{URL}12345/{part}/").status == 404
    assert api.get(f"{URL}12345/{part}/", {"nonsense": 1}).status == 422


@pytest.mark.postgres
@pytest.mark.parametrize("generic", [False, True])
def test_every_part_reads_its_own_workflow_only(api: Api, generic: bool) -> None:
    """However many jobs and events there are beside it, and whatever the planner knows of them."""
    fill(20_000, JobStatus.SUCCEEDED)
    submit(fan_out(3_000), name="another")
    workflow = submit(fan_out(60))
    finish(*map(succeeded, factories.claim(2)))
    fill(20_000, JobStatus.QUEUED)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE jobs, job_events, job_workflows, job_dependencies")
    parts = ("summary", "steps", "steps/?q=s1", "events", "events/?kind=claimed", "graph", "gantt")
    for part in parts:
        for plan in plans_of(partial(api.get, f"{URL}{workflow.id}/{part}"), generic=generic):
            assert plan.rows_read <= 1_500, (part, plan.sql, plan.root)
