"""Workflows over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils.dateparse import parse_datetime

from jobs import Step
from jobs.api.serializers.workflows import StepRequestSerializer, WorkflowRequestSerializer
from jobs.api.workflow_inputs import FIELDS, STEP_FIELDS
from jobs.models import Job, JobEvent
from jobs.models import Workflow as Row
from tests.api.client import Answer, Api
from tests.api.test_schema import COMMITTED, conforms
from tests.support import factories
from tests.workflows.helpers import (
    CHAIN,
    TASK,
    claim,
    failed,
    finish,
    finish_and_claim,
    run_all,
    statuses,
    submit,
    succeeded,
)

pytestmark = pytest.mark.django_db

URL = "/api/workflows/"
CI = [
    {"step": "build", "task": TASK},
    {"step": "test", "task": TASK, "depends_on": ["build"]},
    {"step": "lint", "task": TASK, "depends_on": ["build"]},
    {"step": "deploy", "task": TASK, "depends_on": ["test", "lint"]},
]


@pytest.fixture
def api() -> Api:
    browser = Client()
    browser.force_login(
        get_user_model().objects.create_user("ann", is_staff=True, is_superuser=True)
    )
    return Api(browser)


def post(api: Api, steps: Any, **fields: Any) -> Answer:
    return api.post(URL, {"name": "ci", "steps": steps, **fields})


def step_statuses(document: Any) -> dict[str, str]:
    return {step["step"]: step["status"] for step in document["steps"]}


def test_build_then_test_and_lint_then_deploy(api: Api) -> None:
    answer = post(api, CI)
    assert answer.status == 201
    assert answer["status"] == "running"
    assert answer["progress"] == {
        "steps": 4,
        "open": 4,
        "running": 0,
        "succeeded": 0,
        "failed": 0,
        "cancelled": 0,
    }
    url = answer.headers["Location"]
    assert url == f"{URL}{answer['id']}/"
    assert run_all() == ["build", "test", "lint", "deploy"]
    detail = api.get(url)
    assert detail["status"] == "succeeded"
    assert detail["progress"]["succeeded"] == 4
    assert step_statuses(detail) == dict.fromkeys(["build", "test", "lint", "deploy"], "succeeded")


def test_a_failing_variant_cancels_what_it_must_and_says_why(api: Api) -> None:
    url = post(api, CI).headers["Location"]
    run_all(fail=["lint"])
    detail = api.get(url)
    assert detail["status"] == "failed"
    assert step_statuses(detail) == {
        "build": "succeeded",
        "test": "succeeded",
        "lint": "failed",
        "deploy": "cancelled",
    }
    (deploy,) = [step for step in detail["steps"] if step["step"] == "deploy"]
    assert deploy["error_preview"] == "not run: step 'lint' failed"
    assert detail["allowed_actions"] == ["retry", "rerun"]


def test_the_detail_shows_steps_edges_counts_timing_and_the_critical_path(api: Api) -> None:
    workflow = submit({"a": [], "b": ["a"], "c": ["a"], "d": ["b", "c"]}, d={"queue": "slow"})
    running = finish_and_claim(succeeded(claim()["a"]))
    finish(succeeded(running["c"]))
    detail = api.get(f"{URL}{workflow.id}/")
    assert detail["counts"] == {
        "blocked": 1,
        "scheduled": 0,
        "queued": 0,
        "running": 1,
        "succeeded": 2,
        "failed": 0,
        "cancelled": 0,
    }
    assert detail["critical_path"] == ["a", "c"]
    assert {(edge["parent"], edge["child"]) for edge in detail["edges"]} == {
        ("a", "b"),
        ("a", "c"),
        ("b", "d"),
        ("c", "d"),
    }
    by_name = {step["step"]: step for step in detail["steps"]}
    d = by_name["d"]
    assert (d["job"], d["queue"], d["waits_for"]) == (workflow.jobs["d"], "slow", 1)
    assert d["depends_on"] == ["b", "c"]
    assert (d["started_at"], d["finished_at"]) == (None, None)
    assert parse_datetime(detail["started_at"]) == Job.objects.get(step_name="a").started_at
    assert detail["started_at"] == by_name["a"]["started_at"]
    assert detail["finished_at"] is None
    assert detail["seconds"] > 0
    finish(succeeded(running["b"]))
    finish(succeeded(claim()["d"]))
    assert api.get(f"{URL}{workflow.id}/")["critical_path"] == ["a", "b", "d"]


def test_a_step_that_was_appended_says_by_whom(api: Api) -> None:
    workflow = submit({"scan": []})
    finish(succeeded(claim()["scan"], None, Step("found", TASK)))
    detail = api.get(f"{URL}{workflow.id}/")
    assert {step["step"]: step["appended_by"] for step in detail["steps"]} == {
        "scan": None,
        "found": "scan",
    }


def test_all_options_of_a_step_are_taken(api: Api) -> None:
    step = {
        "step": "a",
        "task": TASK,
        "payload": {"x": [1, {"y": None}]},
        "depends_on": [],
        "queue": "slow",
        "priority": -7,
        "max_attempts": 9,
        "timeout_seconds": 2.5,
        "available_at": "2099-01-01T00:00:00Z",
        "on_failure": "continue",
    }
    assert post(api, [step]).status == 201
    job = Job.objects.get()
    assert (job.payload, job.queue, job.priority) == ({"x": [1, {"y": None}]}, "slow", -7)
    assert (job.max_attempts, job.timeout_seconds, job.on_failure) == (9, 2.5, "continue")
    assert job.status == "scheduled"
    null = dict.fromkeys(step) | {"step": "a", "task": TASK, "depends_on": []}
    assert post(api, [null]).status == 201


def step(**fields: Any) -> dict[str, Any]:
    return {"step": "a", "task": TASK} | fields


@pytest.mark.parametrize(
    ("steps", "field", "code"),
    [
        (None, "steps", "invalid"),
        ({}, "steps", "invalid"),
        ([], "steps", "empty"),
        ([5], "steps[0]", "invalid"),
        ([{"task": TASK}], "steps[0].step", "required"),
        ([{"step": "a"}], "steps[0].task", "required"),
        ([step(task=5)], "steps[0].task", "unknown-task"),
        ([step(task="nowhere")], "steps[0].task", "unknown-task"),
        ([step(step=5)], "steps[0].step", "invalid"),
        ([step(step="")], "steps[0].step", "invalid"),
        ([step(), step()], "steps[1].step", "duplicate-step"),
        ([step(depends_on=["a"])], "steps[0].depends_on", "self"),
        ([step(depends_on=["b"])], "steps[0].depends_on", "unknown-dependency"),
        ([step(step="b"), step(depends_on=["b", "b"])], "steps[1].depends_on", None),
        ([step(depends_on="b")], "steps[0].depends_on", "invalid"),
        ([step(depends_on=None)], "steps[0].depends_on", "invalid"),
        ([step(depends_on=3)], "steps[0].depends_on", "invalid"),
        ([step(depends_on=[None])], "steps[0].depends_on", "invalid"),
        ([step(payload=[1])], "steps[0].payload", "invalid"),
        ([step(payload={"x": {"$result": "b"}})], "steps[0].payload.x", "reference"),
        ([step(on_failure="x")], "steps[0].on_failure", "invalid"),
        ([step(queue="")], "steps[0].queue", "invalid"),
        ([step(available_at="soon")], "steps[0].available_at", "invalid"),
        ([step(more=1)], "steps[0].more", "unknown-field"),
        (
            [step(depends_on=["b"]), step(step="b", depends_on=["a"])],
            "steps[0].depends_on",
            "cycle",
        ),
    ],
)
def test_a_wrong_workflow_is_refused_with_its_place_and_nothing_is_written(
    api: Api, steps: Any, field: str, code: str | None
) -> None:
    answer = post(api, steps)
    assert answer.status == 422
    assert list(answer.fields) == [field]
    assert code in (None, answer.fields[field])
    assert not Row.objects.exists()
    assert not Job.objects.exists()


@pytest.mark.parametrize("length", [2, 50])
def test_a_cycle_is_shown(api: Api, length: int) -> None:
    ring = [step(step=f"s{n}", depends_on=[f"s{(n + 1) % length}"]) for n in range(length)]
    answer = post(api, ring)
    assert answer.status == 422
    assert "step 's0'" in answer["detail"]
    assert "s0 -> s1 -> " in answer["detail"]


@pytest.mark.parametrize(
    "fields", [{"name": ""}, {"name": 5}, {"more": 1}, {"idempotency_key": ""}]
)
def test_the_rest_of_the_body_is_checked_too(api: Api, fields: dict[str, Any]) -> None:
    answer = api.post(URL, {"name": "ci", "steps": CI} | fields)
    assert answer.status == 422
    assert list(answer.fields) == list(fields)


def test_too_many_steps_are_refused(api: Api, settings: Any) -> None:
    settings.QFORGE = {"WORKFLOW_MAX_STEPS": 3}
    assert post(api, CI).fields == {"steps": "too-many-steps"}


def test_a_key_gives_the_same_workflow_from_header_or_field(api: Api) -> None:
    first = post(api, CI, idempotency_key="push")
    again = api.post(URL, {"name": "ci", "steps": CI}, HTTP_IDEMPOTENCY_KEY="push")
    assert (first.status, again.status) == (201, 200)
    assert again["id"] == first["id"]
    assert again.headers["Idempotency-Replayed"] == "true"
    assert Row.objects.count() == 1


def test_a_key_of_another_workflow_names_it(api: Api) -> None:
    first = post(api, CI, idempotency_key="push")
    answer = post(api, CI[:1], idempotency_key="push")
    assert (answer.status, answer["code"]) == (422, "idempotency-conflict")
    assert answer["workflow"] == first["id"]


def test_the_list_is_paged_newest_first_and_filtered(api: Api) -> None:
    made = [submit(CHAIN, name=name).id for name in ("x", "y", "x")]
    run_all()
    last = submit(CHAIN, name="y").id
    page = api.get(URL, {"page_size": 3})
    assert [row["id"] for row in page["results"]] == [last, made[2], made[1]]
    rest = api.get(page["next"])
    assert [row["id"] for row in rest["results"]] == made[:1]
    assert [row["id"] for row in api.get(URL, {"name": "x"})["results"]] == [made[2], made[0]]
    assert [row["id"] for row in api.get(URL, {"status": "running"})["results"]] == [last]
    oldest = api.get(URL, {"ordering": "id", "page_size": 1})["results"]
    assert oldest[0]["progress"]["succeeded"] == 3
    assert api.get(URL, {"status": "blocked"}).status == 422


def test_cancelling_asks_what_runs_and_remembers_who_and_why(api: Api) -> None:
    workflow = submit(CHAIN)
    claim()
    answer = api.post(f"{URL}{workflow.id}/cancel/", {"reason": "wrong branch"})
    assert answer.status == 200
    assert answer["cancel_requested_at"] is not None
    assert answer["allowed_actions"] == ["rerun"]
    assert statuses(workflow) == {"a": "running", "b": "cancelled", "c": "cancelled"}
    data = JobEvent.objects.filter(job=workflow.jobs["b"]).latest("id").data
    assert data == {"actor": "ann", "reason": "wrong branch"}


def test_retrying_runs_what_failed(api: Api) -> None:
    workflow = submit(CHAIN)
    run_all(fail=["b"])
    answer = api.post(f"{URL}{workflow.id}/retry/")
    assert (answer.status, answer["status"], answer["progress"]["open"]) == (200, "running", 2)
    assert run_all() == ["b", "c"]


@pytest.mark.parametrize("action", ["cancel", "retry"])
def test_what_the_workflow_does_not_allow_is_a_conflict(api: Api, action: str) -> None:
    workflow = submit(CHAIN)
    run_all()
    answer = api.post(f"{URL}{workflow.id}/{action}/")
    assert (answer.status, answer["code"]) == (409, "workflow-conflict")
    assert answer["current_status"] == "succeeded"


def test_a_rerun_is_a_new_workflow(api: Api) -> None:
    workflow = submit(CHAIN)
    run_all()
    answer = api.post(f"{URL}{workflow.id}/rerun/", {"from_steps": ["c"]})
    assert answer.status == 201
    assert answer["rerun_of"] == workflow.id
    assert answer.headers["Location"] == f"{URL}{answer['id']}/"
    assert run_all() == ["c"]
    whole = api.post(f"{URL}{workflow.id}/rerun/")
    assert whole["progress"]["open"] == 3


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"from_steps": ["nowhere"]}, "from_steps[0]"),
        ({"from_steps": "c"}, "from_steps"),
        ({"from_steps": [1]}, "from_steps"),
        ({"more": 1}, "more"),
    ],
)
def test_a_wrong_rerun_is_refused(api: Api, body: dict[str, Any], field: str) -> None:
    workflow = submit(CHAIN)
    answer = api.post(f"{URL}{workflow.id}/rerun/", body)
    assert (answer.status, list(answer.fields)) == (422, [field])


@pytest.mark.parametrize("number", [4711, 2**63, 10**30])
@pytest.mark.parametrize("action", ["", "cancel/", "retry/", "rerun/"])
def test_what_is_not_there_is_not_found(api: Api, number: int, action: str) -> None:
    path = f"{URL}{number}/{action}"
    answer = api.post(path) if action else api.get(path)
    assert (answer.status, answer["code"]) == (404, "not-found")


def test_a_job_says_which_step_of_which_workflow_it_is(api: Api) -> None:
    workflow = submit(CHAIN)
    plain = factories.job()
    document = api.get(f"/api/jobs/{workflow.jobs['b']}/")
    assert (document["workflow"], document["step"]) == (workflow.id, "b")
    assert document["allowed_actions"] == ["cancel"]
    document = api.get(f"/api/jobs/{plain.pk}/")
    assert (document["workflow"], document["step"]) == (None, "")
    listed = api.get("/api/jobs/", {"workflow": workflow.id})["results"]
    assert [row["step"] for row in listed] == ["c", "b", "a"]


@pytest.mark.parametrize("action", ["retry", "run-now"])
def test_actions_for_jobs_are_refused_on_a_blocked_step(api: Api, action: str) -> None:
    workflow = submit(CHAIN)
    answer = api.post(f"/api/jobs/{workflow.jobs['b']}/{action}/")
    assert (answer.status, answer["current_status"]) == (409, "blocked")
    assert statuses(workflow)["b"] == "blocked"


def test_a_step_below_a_failed_one_is_not_retried_and_the_answer_says_which_is(api: Api) -> None:
    workflow = submit(CHAIN)
    finish(failed(claim()["a"]))
    answer = api.post(f"/api/jobs/{workflow.jobs['b']}/retry/")
    assert answer.status == 409
    assert "its parent 'a' failed; retry that one" in answer["detail"]


def test_cancelling_a_step_cancels_what_is_below(api: Api) -> None:
    workflow = submit(CHAIN)
    assert api.post(f"/api/jobs/{workflow.jobs['b']}/cancel/").status == 200
    assert statuses(workflow) == {"a": "queued", "b": "cancelled", "c": "cancelled"}


def test_five_thousand_steps_are_taken_and_shown(api: Api) -> None:
    steps = [step(step="end", depends_on=[f"s{n}" for n in range(4999)])]
    steps += [step(step=f"s{n}") for n in range(4999)]
    answer = post(api, steps)
    assert answer.status == 201
    detail = api.get(answer.headers["Location"])
    assert len(detail["steps"]) == 5000
    assert len(detail["edges"]) == 4999


def test_strangers_may_not_see_or_submit_workflows(db: None) -> None:
    stranger = Api(Client())
    assert stranger.get(URL).status == 403
    assert stranger.post(URL, {"name": "ci", "steps": CI}).status == 403


# The OpenAPI document


@pytest.fixture(scope="module")
def document() -> Any:
    return yaml.safe_load(COMMITTED.read_text(encoding="utf-8"))


def test_answers_are_as_documented(api: Api, document: Any) -> None:
    workflow = submit(CHAIN)
    finish(succeeded(claim()["a"], None, Step("more", TASK)))
    run_all(fail=["b"])
    answers = {
        "QForgeWorkflowPage": api.get(URL),
        "QForgeWorkflowDetail": api.get(f"{URL}{workflow.id}/"),
        "QForgeWorkflow": api.post(f"{URL}{workflow.id}/rerun/"),
        "QForgeProblem": api.post(f"{URL}4711/retry/"),
    }
    answers |= {"QForgeWorkflow ": post(api, CI)}
    for component, answer in answers.items():
        assert conforms(document, component.strip(), answer.json) == []


def test_the_document_has_the_fields_that_are_taken() -> None:
    assert set(StepRequestSerializer().fields) == set(STEP_FIELDS)
    assert set(WorkflowRequestSerializer().fields) == set(FIELDS)
