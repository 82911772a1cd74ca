"""Schedules over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.http import HttpResponse
from django.test import Client

from jobs.models import Job, Schedule
from jobs.schedules.sync import sync
from tests.schedules.helpers import USING

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("report")]

URL = "/api/schedules/"
GOOD: dict[str, Any] = {"name": "nightly", "task": "tests.report", "cron": "0 3 * * *"}


@pytest.fixture
def api(client: Client) -> Client:
    client.force_login(
        get_user_model().objects.create_user("ann", is_staff=True, is_superuser=True)
    )
    return client


def send(api: Client, method: str, path: str = "", body: Any = None) -> Any:
    """The status and the document of an answer."""
    answer: HttpResponse = (
        getattr(api, method)(URL + path, body, content_type="application/json")
        if body is not None or method != "get"
        else api.get(URL + path)
    )
    return answer.status_code, answer.json() if answer.content else None


def make(api: Client, **fields: Any) -> dict[str, Any]:
    status, document = send(api, "post", "", GOOD | fields)
    assert status == 201, document
    found: dict[str, Any] = document
    return found


def test_a_schedule_is_made_and_shown(api: Client) -> None:
    made = make(api, payload={"day": "x"}, timezone="Europe/London", overlap="skip")
    shown = {
        "name": "nightly",
        "task": "tests.report",
        "payload": {"day": "x"},
        "queue": None,
        "priority": None,
        "cron": "0 3 * * *",
        "interval_seconds": None,
        "timezone": "Europe/London",
        "description": "At 03:00 every day",
        "missed": "last",
        "missed_limit": 100,
        "overlap": "skip",
        "enabled": True,
        "declared_in": "database",
        "last_job": None,
        "task_registered": True,
        "allowed_actions": ["disable", "run-now", "edit", "delete"],
    }
    assert {key: made[key] for key in shown} == shown
    assert made["next_run_at"].endswith("00:00.000000Z")
    assert send(api, "get", f"{made['id']}/") == (200, made)


def test_the_answer_to_a_new_schedule_says_where_it_is(api: Client) -> None:
    answer = api.post(URL, GOOD, content_type="application/json")
    assert answer["Location"] == f"{URL}{answer.json()['id']}/"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        *(
            ({"cron": cron}, "cron")
            for cron in (
                *("0 0 31 4 *", "0 0 30 2 *", "0 0 31 2,4,6 *", "60 * * * *", "* * * *", ""),
                *("*/0 * * * *", "5-1 * * * *", "a b c d e", "0 0 L * *", "@every 5m", 5, None),
                *("0 * * * * *", "* " * 5000),
            )
        ),
        ({"interval_seconds": 60}, "cron"),
        ({"cron": None, "interval_seconds": 0}, "interval_seconds"),
        ({"timezone": "Mars/Olympus"}, "timezone"),
        ({"name": None}, "name"),
        ({"name": "no good"}, "name"),
        ({"task": "tests.unknown"}, "task"),
        *(({"payload": payload}, "payload") for payload in ([1], "s", 5, True, {"colour": 1})),
        ({"missed": "no"}, "missed"),
        ({"overlap": []}, "overlap"),
        ({"missed_limit": 1001}, "missed_limit"),
        ({"priority": 101}, "priority"),
        ({"queue": "no good"}, "queue"),
        ({"enabled": "yes"}, "enabled"),
        ({"declared_in": "code"}, "declared_in"),
        ({"next_run_at": "2026-01-01T00:00:00Z"}, "next_run_at"),
    ],
)
def test_what_is_wrong_is_refused_by_field_and_nothing_is_made(
    api: Client, fields: dict[str, Any], field: str
) -> None:
    status, problem = send(api, "post", "", GOOD | fields)
    assert (status, problem["errors"][0]["field"]) == (422, field)
    assert not Schedule.objects.exists()


def test_a_name_that_is_taken_is_refused(api: Client) -> None:
    make(api)
    status, problem = send(api, "post", "", GOOD)
    assert (status, problem["errors"][0]["code"]) == (422, "taken")


def test_a_schedule_is_changed_field_by_field(api: Client) -> None:
    made = make(api, payload={"day": "x"})
    status, changed = send(
        api, "patch", f"{made['id']}/", {"cron": None, "interval_seconds": 60, "queue": "slow"}
    )
    assert status == 200
    assert (changed["cron"], changed["interval_seconds"], changed["queue"]) == (None, 60, "slow")
    assert (changed["payload"], changed["description"]) == ({"day": "x"}, "Every 60 seconds")
    status, problem = send(api, "patch", f"{made['id']}/", {"cron": "@hourly"})
    assert (status, problem["errors"][0]["field"]) == (422, "cron")


@pytest.mark.parametrize("field", ["name", "task", "payload", "missed", "overlap", "missed_limit"])
def test_a_change_to_null_is_refused_where_there_must_be_a_value(api: Client, field: str) -> None:
    made = make(api)
    status, problem = send(api, "patch", f"{made['id']}/", {field: None})
    assert (status, problem["errors"][0]["field"]) == (422, field)
    assert send(api, "get", f"{made['id']}/") == (200, made)


def test_a_schedule_is_switched_off_and_on(api: Client) -> None:
    made = make(api)
    path = f"{made['id']}/"
    status, off = send(api, "post", f"{path}disable/", {"reason": "holiday"})
    assert (status, off["enabled"], off["next_run_at"]) == (200, False, None)
    assert off["disabled_reason"] == "disabled by ann: holiday"
    assert off["allowed_actions"] == ["enable", "run-now", "edit", "delete"]
    status, on = send(api, "post", f"{path}enable/", {})
    assert (status, on["enabled"], on["disabled_reason"]) == (200, True, "")
    assert on["next_run_at"] == made["next_run_at"]


def test_a_schedule_may_be_made_switched_off(api: Client) -> None:
    made = make(api, enabled=False)
    assert (made["enabled"], made["next_run_at"]) == (False, None)


def test_run_now_answers_with_the_job(api: Client) -> None:
    made = make(api, overlap="skip")
    status, job = send(api, "post", f"{made['id']}/run-now/", {})
    assert (status, job["id"]) == (201, Job.objects.get().pk)
    assert send(api, "get", f"{made['id']}/")[1]["last_job"] == {
        "id": job["id"],
        "status": "queued",
    }
    status, problem = send(api, "post", f"{made['id']}/run-now/", {})
    assert (status, problem["code"]) == (409, "overlap")
    Job.objects.all().delete()
    assert send(api, "get", f"{made['id']}/")[1]["last_job"] == {"id": job["id"], "status": None}


def test_a_schedule_is_deleted(api: Client) -> None:
    path = f"{make(api)['id']}/"
    assert send(api, "delete", path) == (204, None)
    assert send(api, "get", path)[0] == 404


def test_what_is_declared_in_code_is_shown_and_switched_but_not_changed(
    api: Client, settings: Any
) -> None:
    settings.QFORGE = {"SCHEDULES": {"nightly": {"task": "tests.report", "cron": "0 3 * * *"}}}
    sync(USING)
    path = f"{Schedule.objects.get().pk}/"
    shown = send(api, "get", path)[1]
    assert (shown["declared_in"], shown["allowed_actions"]) == ("code", ["disable", "run-now"])
    for answer in (send(api, "patch", path, {"queue": "x"}), send(api, "delete", path)):
        assert (answer[0], answer[1]["code"]) == (409, "declared-in-code")
    assert send(api, "post", f"{path}disable/", {})[0] == 200
    assert send(api, "post", f"{path}enable/", {})[0] == 200
    assert send(api, "post", f"{path}run-now/", {})[0] == 201


def test_a_broken_row_is_shown_and_can_be_repaired(api: Client) -> None:
    path = f"{make(api)['id']}/"
    Schedule.objects.update(cron="broken", enabled=False, disabled_reason="broken: cron")
    status, shown = send(api, "get", path)
    assert (status, shown["description"], shown["disabled_reason"]) == (200, "", "broken: cron")
    assert send(api, "get", f"{path}next/")[0] == 422
    assert send(api, "post", f"{path}enable/", {})[0] == 422
    assert send(api, "patch", path, {"cron": "@daily"})[0] == 200
    assert send(api, "post", f"{path}enable/", {})[1]["enabled"]


def test_the_list_is_paged_and_filtered(api: Client) -> None:
    for n in range(5):
        make(api, name=f"s{n}", enabled=n != 2, payload={"day": "x" * 1000})
    status, page = send(api, "get", "?page_size=3")
    assert (status, [row["name"] for row in page["results"]]) == (200, ["s0", "s1", "s2"])
    assert "payload" not in page["results"][0]
    assert len(page["results"][0]["payload_preview"]) == 200
    following = api.get(page["next"]).json()
    assert [row["name"] for row in following["results"]] == ["s3", "s4"]
    assert following["next"] is None
    assert [row["name"] for row in send(api, "get", "?enabled=false")[1]["results"]] == ["s2"]
    assert send(api, "get", "?task=other")[1]["results"] == []
    assert send(api, "get", "?enabled=maybe")[0] == 422


def test_the_list_costs_the_same_queries_however_many_rows(
    api: Client, django_assert_max_num_queries: Any
) -> None:
    for n in range(10):
        made = make(api, name=f"s{n}")
        send(api, "post", f"{made['id']}/run-now/", {})
    with django_assert_max_num_queries(8):
        assert len(send(api, "get")[1]["results"]) == 10


def test_the_next_runs_show_the_zones_clocks(api: Client) -> None:
    made = make(api, cron="30 1 25 10 *", timezone="Europe/London")
    status, document = send(api, "get", f"{made['id']}/next/?count=2")
    assert status == 200
    assert [run["local"][4:] for run in document["results"]] == ["-10-25T01:30:00+01:00"] * 2
    first = document["results"][0]
    assert (first["at"], first["at"][4:]) == (made["next_run_at"], "-10-25T00:30:00.000000Z")
    for count in ("0", "101", "x"):
        assert send(api, "get", f"{made['id']}/next/?count={count}")[0] == 422


def test_times_can_be_tried_before_they_are_saved(api: Client) -> None:
    status, document = send(api, "get", "preview/?cron=0+3+*+*+MON&timezone=Asia/Tokyo&count=3")
    assert (status, document["description"]) == (200, "At 03:00 on Monday")
    assert [run["local"][10:] for run in document["results"]] == ["T03:00:00+09:00"] * 3
    status, document = send(api, "get", "preview/?interval_seconds=90")
    assert (status, len(document["results"])) == (200, 5)
    for query, field in (
        ("", "cron"),
        ("?cron=0+0+30+2+*", "cron"),
        ("?cron=@daily&interval_seconds=5", "cron"),
        ("?cron=@daily&timezone=Mars", "timezone"),
        (f"?cron={'x' * 10_000}", "cron"),
        ("?cron=@daily&tz=UTC", "tz"),
    ):
        status, problem = send(api, "get", f"preview/{query}")
        assert (status, problem["errors"][0]["field"]) == (422, field)
    assert not Schedule.objects.exists()


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *(("get", "7/"), ("patch", "7/"), ("delete", "7/"), ("get", "7/next/")),
        *(("post", "7/enable/"), ("post", "7/disable/"), ("post", "7/run-now/")),
    ],
)
def test_a_schedule_that_does_not_exist_is_404(api: Client, method: str, path: str) -> None:
    body = None if method == "get" else {}
    status, problem = send(api, method, path, body)
    assert (status, problem["code"]) == (404, "not-found")


def test_only_staff_may_look_or_change(client: Client) -> None:
    assert client.get(URL).status_code == 403
    assert client.post(URL, GOOD, content_type="application/json").status_code == 403
    assert not Schedule.objects.exists()
