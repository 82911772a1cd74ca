"""What the API shows of payloads, results and errors, and to whom."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import get_resolver

from jobs import client
from jobs.models import ErrorGroup, Job, JobEvent, Schedule
from jobs.payload import clean_text
from tests.api.client import Api
from tests.api.test_permissions import VIEWER, P, browser_of, url
from tests.support import factories

pytestmark = pytest.mark.django_db

SECRET = "s3cret-4711"
VALUE = "value-of-ada"
ERROR = f"app.errors.Refused: {VALUE} was refused, password={SECRET}"


def handler(**payload: Any) -> None: ...


@pytest.fixture
def rows(register: Callable[..., client.Task]) -> list[Job]:
    """A failed and a running job whose every part holds a value and a secret."""
    register(handler, name=factories.TASK, sensitive=("account",))
    told = {"type": "app.errors.Refused", "message": ERROR, "traceback": f"line\n{ERROR}"}
    made = []
    for status in ("failed", "running"):
        row = factories.job(
            status,
            payload={"user": VALUE, "account": SECRET, "deep": [{"api_key": SECRET}]},
            args=[VALUE, {"token": SECRET}],
            result={"user": VALUE, "token": SECRET},
            error=ERROR,
            progress={"percent": 40, "message": f"{VALUE} token={SECRET}"},
        )
        for kind in ("failed", "cancelled", "released"):
            JobEvent.objects.create(
                job=row,
                kind=kind,
                from_status="running",
                to_status=status,
                data={"error": told, "reason": f"{VALUE} password={SECRET}", "odd": VALUE},
            )
        made.append(row)
    JobEvent.objects.create(
        job=made[0], kind="lease_lost", to_status="failed", data={"dropped": "fail", "error": ERROR}
    )
    Schedule.objects.create(
        name="nightly",
        task=factories.TASK,
        cron="0 3 * * *",
        payload={"user": VALUE, "account": SECRET},
    )
    ErrorGroup.objects.create(
        fingerprint="a" * 32,
        task=factories.TASK,
        queue="default",
        exception="app.errors.Refused",
        message=ERROR,
        occurrences=1,
    )
    return made


def everything(api: Api, job_id: int) -> dict[str, str]:
    """What every route answers to a GET, as text."""
    found = {}
    for pattern in get_resolver("jobs.urls").url_patterns:
        path = url(str(pattern.pattern), job_id)
        answer = api.client.get(path + ("?after=start" if "events" in path else ""))
        if answer.status_code == 200 and "json" in answer["Content-Type"]:
            found[path] = answer.content.decode()
    return found


def test_no_answer_holds_a_secret_whoever_asks(api: Api, rows: list[Job]) -> None:
    for row in rows:
        answers = everything(api, row.pk)
        assert [path for path, text in answers.items() if SECRET in text] == []
        assert sum(VALUE in text for text in answers.values()) > 4


def test_without_the_permission_no_answer_holds_a_value(rows: list[Job]) -> None:
    viewer = Api(browser_of(VIEWER, is_staff=True))
    for row in rows:
        answers = everything(viewer, row.pk)
        assert len(answers) > 10
        assert [path for path, text in answers.items() if VALUE in text or SECRET in text] == []


def test_a_retry_by_who_may_not_see_payloads_shows_none(rows: list[Job]) -> None:
    api = Api(browser_of(VIEWER | {P.RETRY_JOB, P.ENQUEUE_JOB}, is_staff=True))
    answer = api.post(f"/api/jobs/{rows[0].pk}/retry/")
    assert answer.status == 200
    assert VALUE not in json.dumps(answer.json)
    made = api.enqueue(payload={"user": VALUE})
    assert made["payload"] == {"user": "[hidden]"}


def test_keys_types_and_percentages_are_left(rows: list[Job]) -> None:
    viewer = Api(browser_of(VIEWER, is_staff=True))
    job = viewer.get(f"/api/jobs/{rows[0].pk}/")
    assert job["payload"] == dict.fromkeys(("account", "user", "deep"), "[hidden]")
    assert job["args"] == ["[hidden]", "[hidden]"]
    assert job["result"] == dict.fromkeys(("token", "user"), "[hidden]")
    assert job["error"] == "app.errors.Refused"
    assert job["progress"] == {"percent": 40, "message": None}
    listed = viewer.get("/api/jobs/", {"status": "failed"})["results"][0]
    assert listed["error_preview"] == "app.errors.Refused"
    assert set(json.loads(listed["payload_preview"])) == {"account", "user", "deep"}
    events = viewer.get(f"/api/jobs/{rows[0].pk}/events/")["results"]
    assert events[0]["data"]["error"]["type"] == "app.errors.Refused"
    assert events[0]["data"]["reason"] == "[hidden]"
    assert events[3]["data"] == {"dropped": "fail", "error": "app.errors.Refused"}


def test_what_people_said_is_no_payload() -> None:
    row = factories.job("failed")
    api = Api(browser_of(VIEWER | {P.RETRY_JOB}, is_staff=True))
    api.post(f"/api/jobs/{row.pk}/retry/", {"reason": "fixed"})
    (event,) = api.get(f"/api/jobs/{row.pk}/events/")["results"]
    assert event["data"] == {"actor": "ada", "reason": "fixed"}


def test_redacted_values_are_told_from_others(api: Api, rows: list[Job]) -> None:
    job = api.get(f"/api/jobs/{rows[0].pk}/")
    assert job["payload"] == {
        "user": VALUE,
        "account": "[redacted]",
        "deep": [{"api_key": "[redacted]"}],
    }
    assert job["error"].endswith("password=[redacted]")
    schedule = api.get("/api/schedules/")["results"][0]
    assert json.loads(schedule["payload_preview"]) == {"user": VALUE, "account": "[redacted]"}


@pytest.mark.parametrize("length", [150, 170, 185, 195, 300])
def test_a_secret_across_the_end_of_a_preview_is_not_shown(api: Api, length: int) -> None:
    factories.job(payload={"a": "x" * length, "token": SECRET * 50})
    preview = api.get("/api/jobs/")["results"][0]["payload_preview"]
    assert "s3" not in preview.replace("[redacted]", "")
    assert len(preview) <= 200


def test_who_may_not_see_errors_cannot_ask_what_stands_in_them(rows: list[Job]) -> None:
    viewer = Api(browser_of(VIEWER, is_staff=True))
    assert viewer.get("/api/jobs/", {"q": "refused"})["results"] == []
    assert len(viewer.get("/api/jobs/", {"q": factories.TASK})["results"]) == 2


def test_the_owner_of_secrets_may_search_errors(api: Api, rows: list[Job]) -> None:
    assert len(api.get("/api/jobs/", {"q": "REFUSED"})["results"]) == 2


# A function of the project's.


def formatted(task: str, kind: str, value: Any) -> Any:
    if kind == "args":
        raise ValueError("no")
    return {"of": [task, kind], **{key: clean_text(str(v), 3) for key, v in value.items()}}


FORMAT = {"FORMAT_PAYLOAD": f"{__name__}.formatted"}


def test_the_project_may_decide_what_is_shown(api: Api, rows: list[Job], settings: Any) -> None:
    settings.QFORGE = FORMAT
    job = api.get(f"/api/jobs/{rows[0].pk}/")
    assert job["payload"]["of"] == [factories.TASK, "payload"]
    assert SECRET not in json.dumps(job.json)
    assert job["result"]["of"] == [factories.TASK, "result"]
    assert "tests.task" in api.get("/api/jobs/")["results"][0]["payload_preview"]


def test_when_its_function_fails_nothing_is_shown(
    api: Api, rows: list[Job], settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.QFORGE = FORMAT
    assert api.get(f"/api/jobs/{rows[0].pk}/")["args"] == "[could not be shown]"
    assert "FORMAT_PAYLOAD failed on the args" in caplog.text
    assert VALUE not in caplog.text


def test_its_function_is_not_asked_for_who_may_see_nothing(rows: list[Job], settings: Any) -> None:
    settings.QFORGE = FORMAT
    viewer = Api(browser_of(VIEWER, is_staff=True))
    assert viewer.get(f"/api/jobs/{rows[0].pk}/")["args"] == ["[hidden]", "[hidden]"]


def test_an_operation_on_what_errors_say_is_for_those_who_may_see_them(rows: list[Job]) -> None:
    may = VIEWER | {P.BULK_OPERATE, P.RETRY_JOB}
    asked = {"action": "retry", "filter": {"q": "refused"}, "dry_run": True}
    answer = Api(browser_of(may, is_staff=True)).post("/api/operations/", asked)
    assert answer["required_permission"] == "qforge.view_payload"
    trusted = Api(browser_of(may | {P.VIEW_PAYLOAD}, name="eve", is_staff=True))
    assert trusted.post("/api/operations/", asked)["count"] == 1
