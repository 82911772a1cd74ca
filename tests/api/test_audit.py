"""Every change over HTTP is in the audit, and who may look there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jobs import client
from jobs.api.base import PublicView
from jobs.api.permissions import METHODS
from jobs.management.actor import actor
from jobs.models import AuditEntry, ErrorGroup, Job, JobEvent, Schedule
from tests.api.client import Answer, Api
from tests.api.test_permissions import PATTERNS, VIEWER, P, browser_of
from tests.api.test_schema import conforms, document
from tests.management.terminal import run
from tests.support import factories
from tests.workflows import helpers

__all__ = ["document"]

URL = "/api/audit/"
SCHEDULE = {"name": "nightly", "task": "tests.echo", "cron": "0 3 * * *"}


def schedule(**fields: Any) -> int:
    made = Schedule.objects.create(**SCHEDULE | {"payload": {"token": "abc"}} | fields)
    return int(made.pk)


def workflow(status: str = "") -> int:
    made = helpers.submit({"a": []})
    if status:
        held = helpers.claim()["a"]
        factories.finish(helpers.failed(held))
    return made.id


def failure() -> str:
    made = ErrorGroup.objects.create(
        fingerprint="a" * 32, task="t", queue="q", exception="E", message="m", occurrences=1
    )
    return made.fingerprint


def running_operation(api: Api) -> int:
    factories.job("failed")
    asked = {"action": "retry", "all": True, "reason": "x"}
    return int(api.post("/api/operations/", asked)["id"])


# Route and method to how it is asked so that something changes, and the action it is remembered as.
CHANGES: dict[str, tuple[Callable[[Api], tuple[str, Any]], str]] = {
    "POST api/jobs/<int:job_id>/cancel": (
        lambda api: (f"jobs/{factories.job().pk}/cancel", {}),
        "job.cancel",
    ),
    "POST api/jobs/<int:job_id>/retry": (
        lambda api: (f"jobs/{factories.job('failed').pk}/retry", {}),
        "job.retry",
    ),
    "POST api/jobs/<int:job_id>/run-now": (
        lambda api: (f"jobs/{factories.job('scheduled').pk}/run-now", {}),
        "job.run-now",
    ),
    "POST api/queues/<str:name>/pause": (lambda api: ("queues/mail/pause", {}), "queue.pause"),
    "POST api/queues/<str:name>/resume": (
        lambda api: (api.post("/api/queues/mail/pause/") and "queues/mail/resume", {}),
        "queue.resume",
    ),
    "POST api/schedules": (lambda api: ("schedules", SCHEDULE), "schedule.create"),
    "PATCH api/schedules/<int:schedule_id>": (
        lambda api: (f"schedules/{schedule()}", {"cron": "0 4 * * *"}),
        "schedule.update",
    ),
    "DELETE api/schedules/<int:schedule_id>": (
        lambda api: (f"schedules/{schedule()}", {}),
        "schedule.delete",
    ),
    "POST api/schedules/<int:schedule_id>/enable": (
        lambda api: (f"schedules/{schedule(enabled=False)}/enable", {}),
        "schedule.enable",
    ),
    "POST api/schedules/<int:schedule_id>/disable": (
        lambda api: (f"schedules/{schedule()}/disable", {}),
        "schedule.disable",
    ),
    "POST api/schedules/<int:schedule_id>/run-now": (
        lambda api: (f"schedules/{schedule()}/run-now", {}),
        "schedule.run-now",
    ),
    "POST api/workflows/<int:workflow_id>/cancel": (
        lambda api: (f"workflows/{workflow()}/cancel", {}),
        "workflow.cancel",
    ),
    "POST api/workflows/<int:workflow_id>/retry": (
        lambda api: (f"workflows/{workflow('failed')}/retry", {}),
        "workflow.retry",
    ),
    "POST api/workflows/<int:workflow_id>/rerun": (
        lambda api: (f"workflows/{workflow()}/rerun", {}),
        "workflow.rerun",
    ),
    "PATCH api/failures/<str:fingerprint>": (
        lambda api: (f"failures/{failure()}", {"status": "resolved"}),
        "failure.change",
    ),
    "POST api/operations": (
        lambda api: ("operations", {"action": "retry", "all": True}),
        "operation.create",
    ),
    "POST api/operations/<int:operation_id>/cancel": (
        lambda api: (f"operations/{running_operation(api)}/cancel", {}),
        "operation.cancel",
    ),
}
# Their jobs' own events tell who asked.
ENQUEUES = {"POST api/jobs", "POST api/jobs/bulk", "POST api/workflows"}


@pytest.fixture(autouse=True)
def step(register: Callable[..., client.Task]) -> None:
    register(lambda: None, name=helpers.TASK)


def writes() -> set[str]:
    return {
        f"{method} {pattern.rstrip('/')}"
        for pattern, view in PATTERNS.items()
        for method in METHODS
        if method != "GET" and not issubclass(view, PublicView) and hasattr(view, method.lower())
    }


def test_every_route_that_changes_something_is_tried_here() -> None:
    assert writes() == set(CHANGES) | ENQUEUES


def ask(api: Api, method: str, path: str, body: Any) -> Answer:
    send = getattr(api.client, method.lower())
    sent = {"HTTP_X_REQUEST_ID": "proxy-7"}
    return Answer(send(f"/api/{path}/", body, content_type="application/json", **sent))


@pytest.mark.parametrize("route", CHANGES)
def test_every_change_is_in_the_audit(api: Api, route: str) -> None:
    method, (make, action) = route.split()[0], CHANGES[route]
    path, body = make(api)
    answer = ask(api, method, path, body)
    assert answer.status in (200, 201, 202, 204), answer.json
    assert answer.headers["X-Request-ID"] == "proxy-7"
    entry = AuditEntry.objects.order_by("id").last()
    assert entry is not None
    assert (entry.action, entry.actor, entry.via) == (action, "ada", "api")
    assert (entry.request_id, bool(entry.before or entry.after)) == ("proxy-7", True)


# What is asked for by a verb takes a reason.
VERBS = [route for route in CHANGES if route.startswith("POST") and route.count("/") > 1]


@pytest.mark.parametrize("route", VERBS)
def test_the_reason_is_in_the_audit(api: Api, route: str) -> None:
    path, _ = CHANGES[route][0](api)
    assert ask(api, "POST", path, {"reason": "because"}).status in (200, 201)
    entry = AuditEntry.objects.order_by("id").last()
    assert entry is not None
    assert entry.reason == "because"


def test_a_refused_change_is_not_in_it(api: Api) -> None:
    row = factories.job("running")
    assert api.post(f"/api/jobs/{row.pk}/retry/").status == 409
    assert api.post("/api/schedules/", {**SCHEDULE, "cron": "x"}).status == 422
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("path", ["jobs", "jobs/bulk", "workflows"])
def test_who_enqueued_is_told_by_the_event(api: Api, path: str) -> None:
    task = {"task": "tests.echo"}
    step = {"name": "w", "steps": [{"step": "a", **task}]}
    body = {"jobs": task, "jobs/bulk": {"jobs": [task]}, "workflows": step}[path]
    assert api.post(f"/api/{path}/", body).status == 201
    event = JobEvent.objects.get()
    assert (event.kind, event.data) == ("enqueued", {"actor": "ada"})
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("header", ["", "a b", "x" * 101, "<script>", "é"])
def test_a_request_without_a_sound_id_gets_one(api: Api, header: str) -> None:
    answer = ask(api, "POST", "queues/mail/pause", {})
    made = Api(api.client, HTTP_X_REQUEST_ID=header).get("/api/me/")
    assert answer.headers["X-Request-ID"] == "proxy-7"
    assert len(made.headers["X-Request-ID"]) == 32


# Looking at it.


def test_it_is_listed_as_documented_and_filtered(api: Api, document: Any) -> None:
    for name in ("mail", "web"):
        api.post(f"/api/queues/{name}/pause/", {"reason": "x"})
    api.post(f"/api/jobs/{factories.job().pk}/cancel/")
    page = api.get(URL, {"page_size": 2})
    assert conforms(document, "QForgeAuditPage", page.json) == []
    assert [row["action"] for row in page["results"]] == ["job.cancel", "queue.pause"]
    rest = Answer(api.client.get(page["next"]))
    assert [row["target"] for row in rest["results"]] == ["mail"]

    def found(**given: str) -> int:
        return len(api.get(URL, given)["results"])

    assert found(action="queue.pause") == 2
    assert found(target="web") == 1
    assert found(actor="ada") == 3
    assert found(actor="bob") == 0
    assert found(via="cli") == 0
    assert found(since="2100-01-01T00:00:00Z") == 0
    assert found(until="2100-01-01T00:00:00Z") == 3
    assert api.get(URL, {"actoor": "x"}).fields == {"actoor": "unknown-parameter"}


def test_payloads_of_schedules_are_for_those_who_may_see_them(api: Api) -> None:
    payload = {"user": "ada", "token": "s3cret"}
    api.post("/api/schedules/", {**SCHEDULE, "payload": payload})
    (row,) = api.get(URL)["results"]
    assert row["after"]["payload"] == {"user": "ada", "token": "[redacted]"}
    auditor = Api(browser_of({P.VIEW_AUDIT}, name="eve", is_staff=True))
    (row,) = auditor.get(URL)["results"]
    assert row["after"]["payload"] == {"user": "[hidden]", "token": "[hidden]"}


@pytest.mark.django_db
def test_a_viewer_may_not_look_at_it_unless_told() -> None:
    answer = Api(browser_of(VIEWER - {P.VIEW_AUDIT}, is_staff=True)).get(URL)
    assert answer["required_permission"] == "qforge.view_audit"


@pytest.mark.django_db
def test_the_command_line_is_in_it() -> None:
    row = factories.job("failed")
    run("jobs", "retry", str(row.pk), "--reason", "fixed")
    entry = AuditEntry.objects.get()
    assert (entry.via, entry.actor, entry.reason) == ("cli", actor(), "fixed")
    assert entry.actor.startswith("cli:")
    assert JobEvent.objects.get(job=row).data["actor"] == entry.actor
    assert Job.objects.get(pk=row.pk).status == "queued"
