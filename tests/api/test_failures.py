"""Groups of failures over HTTP: lists, details, decisions."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission as Row
from django.db import connection
from django.db.models.functions import Now
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext

from jobs import fingerprint
from jobs.fingerprint import Failure
from jobs.models import ErrorGroup, ErrorHour, Job
from jobs.permissions import Permission
from jobs.states import JobStatus
from jobs.stats.failures import COUNTED, READ_CHARS
from jobs.store import error_groups
from tests.api.client import Answer, Api
from tests.support import factories
from tests.support.factories import TASK, USING

URL = "/api/failures/"


def failure(text: str = "no", **fields: str) -> Failure:
    plain = {"task": TASK, "queue": "default", "exception": "ValueError", "message": text}
    return fingerprint.of_reason(**plain | fields)


def group(text: str = "no", *, times: int = 1, **fields: str) -> ErrorGroup:
    one = failure(text, **fields)
    error_groups.count(USING, [one] * times)
    return ErrorGroup.objects.get(fingerprint=one.fingerprint)


def jobs(
    of: ErrorGroup, count: int = 1, status: str = JobStatus.FAILED, **fields: Any
) -> list[Job]:
    plain = {"error": "ValueError: no", "error_fingerprint": of.fingerprint}
    return factories.jobs(count, status, **plain | fields)


def patch(api: Api, of: ErrorGroup, **document: Any) -> Answer:
    path, body = f"{URL}{of.fingerprint}/", json.dumps(document)
    return Answer(api.client.patch(path, body, content_type="application/json"))


def detail(api: Api, of: ErrorGroup) -> Answer:
    answer = api.get(f"{URL}{of.fingerprint}/")
    assert answer.status == 200
    return answer


def names(answer: Answer) -> list[str]:
    return [row["message"] for row in answer["results"]]


def user_with(*permissions: Permission) -> Api:
    user = get_user_model().objects.create_user("sue", is_staff=True)
    codenames = [permission.value for permission in permissions]
    rows = Row.objects.filter(content_type__app_label="qforge", codename__in=codenames)
    assert rows.count() == len(codenames)
    user.user_permissions.set(rows)
    browser = Client()
    browser.force_login(user)
    return Api(browser)


def test_without_failures_the_list_is_empty(api: Api) -> None:
    answer = api.get(URL)
    assert (answer["results"], answer["next"], answer["previous"]) == ([], None, None)


@override_settings(QFORGE={"RELEASE": "v2"})
def test_a_row_says_what_failed_how_often_and_when(api: Api) -> None:
    made = group("card declined", times=3, queue="mail")
    jobs(made, 2)
    jobs(made, 1, JobStatus.SCHEDULED)
    jobs(made, 1, JobStatus.QUEUED)
    jobs(made, 1, JobStatus.RUNNING)
    jobs(made, 1, JobStatus.CANCELLED)
    (row,) = api.get(URL)["results"]
    assert row["fingerprint"] == made.fingerprint
    assert (row["task"], row["queue"], row["exception"]) == (TASK, "mail", "ValueError")
    assert (row["message"], row["occurrences"], row["status"]) == ("card declined", 3, "open")
    assert row["failed"] == {"count": 2, "exact": True}
    assert row["retrying"] == {"count": 3, "exact": True}
    assert row["hours"] == [0] * 23 + [3]
    assert (row["first_release"], row["is_new"]) == ("v2", True)
    assert row["first_seen_at"] == row["last_seen_at"]
    assert (row["note"], row["changed_at"], row["reopened_at"]) == ("", None, None)


def test_counts_of_jobs_stop_at_a_bound(api: Api) -> None:
    jobs(group(), COUNTED + 5)
    (row,) = api.get(URL)["results"]
    assert row["failed"] == {"count": COUNTED, "exact": False}


def test_each_hour_of_the_last_day_stands_in_its_place(api: Api) -> None:
    made = group()
    now = ErrorHour.objects.get().hour
    for ago in (1, 23, 24):
        hour = now - dt.timedelta(hours=ago)
        ErrorHour.objects.create(group=made, hour=hour, occurrences=ago)
    (row,) = api.get(URL)["results"]
    assert row["hours"] == [23, *[0] * 21, 1, 1]
    begin = dt.datetime.fromisoformat(row["hours_begin_at"])
    assert begin == now - dt.timedelta(hours=23)


def test_the_latest_seen_comes_first_and_pages_neither_repeat_nor_skip(api: Api) -> None:
    for n in range(7):
        group("x" * n)
        ErrorGroup.objects.filter(message="x" * n).update(
            first_seen_at=Now(), last_seen_at=Now() + dt.timedelta(minutes=n % 3)
        )
    for ordering, wanted in (("-last_seen_at", -1), ("last_seen_at", 1)):
        url, found = f"{URL}?page_size=2&ordering={ordering}", list[Any]()
        while url:
            answer = api.get(url)
            found += [(row["last_seen_at"], row["message"]) for row in answer["results"]]
            url = answer["next"]
        assert len({message for _, message in found}) == 7
        times = [at for at, _ in found]
        assert times == sorted(times, reverse=wanted < 0)


def test_a_list_costs_the_same_queries_whatever_its_length(api: Api) -> None:
    group()
    with CaptureQueriesContext(connection) as few:
        api.get(URL)
    for n in range(30):
        jobs(group("x" * n))
    with CaptureQueriesContext(connection) as many:
        assert len(api.get(URL)["results"]) == 31
    assert len(few) == len(many)


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ({"status": "ignored"}, ["b"]),
        ({"status": ["ignored", "resolved"]}, ["c", "b"]),
        ({"task": "tests.other"}, ["c"]),
        ({"queue": "mail"}, ["b"]),
        ({"q": "valueerror"}, ["b", "a"]),
        ({"q": "app.errors.Declined"}, ["c"]),
        ({"q": "Declined"}, ["c"]),
        ({"q": "Decl"}, []),
        ({"q": "%"}, []),
        ({"q": failure("a").fingerprint}, ["a"]),
    ],
)
def test_a_filter_keeps_what_it_names(api: Api, query: dict[str, Any], wanted: list[str]) -> None:
    group("a")
    group("b", queue="mail")
    group("c", task="tests.other", exception="app.errors.Declined")
    ErrorGroup.objects.filter(message="b").update(status="ignored")
    ErrorGroup.objects.filter(message="c").update(status="resolved")
    assert names(api.get(f"{URL}?{urlencode(query, doseq=True)}")) == wanted


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("status=closed", "status"),
        ("stauts=open", "stauts"),
        ("q=", "q"),
        ("q=%00", "q"),
        ("task=" + "x" * 256, "task"),
        ("ordering=occurrences", "ordering"),
        ("page_size=0", "page_size"),
        ("cursor=nonsense", "cursor"),
        ("cursor=WyItbGFzdF9zZWVuX2F0IiwibiIsIngiLDFd", "cursor"),
    ],
)
def test_a_bad_filter_is_refused_by_name(api: Api, query: str, field: str) -> None:
    answer = api.get(f"{URL}?{query}")
    assert (answer.status, list(answer.fields)) == (422, [field])


def test_samples_are_of_failed_jobs_first_and_the_latest(api: Api) -> None:
    made = group()
    failed = jobs(made, 4, payload={"n": 1})
    waiting = jobs(made, 4, JobStatus.SCHEDULED, payload={"n": 2})
    samples = detail(api, made)["samples"]
    assert [sample["job"] for sample in samples] == [
        job.pk for job in sorted([*failed, *waiting], key=lambda job: -job.pk)[:5]
    ]
    assert {sample["status"] for sample in samples} == {"failed", "scheduled"}
    assert samples[-1]["payload"] == {"n": 1}
    assert samples[-1]["payload_chars"] > 5


def test_what_the_payloads_share_is_told(api: Api) -> None:
    made = group()
    for n in range(10):
        region, plan = ("eu", "free") if n else ("us", "pro")
        user = {"plan": plan, "id": n}
        jobs(made, payload={"region": region, "user": user, "on": True, "rows": [1], "of": None})
    shared = {one["path"]: one for one in detail(api, made)["common_values"]}
    assert shared == {
        "on": {"path": "on", "value": True, "jobs": 10, "of": 10},
        "of": {"path": "of", "value": None, "jobs": 10, "of": 10},
        "region": {"path": "region", "value": "eu", "jobs": 9, "of": 10},
        "user.plan": {"path": "user.plan", "value": "free", "jobs": 9, "of": 10},
    }


def test_a_secret_that_all_have_is_neither_shown_nor_told_as_shared(api: Api) -> None:
    made = group("bad login with password=hunter2")
    jobs(made, 5, payload={"password": "hunter2", "region": "eu"})
    answer = detail(api, made)
    assert [one["path"] for one in answer["common_values"]] == ["region"]
    assert answer["samples"][0]["payload"] == {"password": "[redacted]", "region": "eu"}
    assert b"hunter2" not in answer.response.content


def test_two_jobs_share_nothing_worth_telling(api: Api) -> None:
    made = group()
    jobs(made, 2, payload={"region": "eu"})
    assert detail(api, made)["common_values"] == []


def test_odd_and_huge_payloads_hide_no_others(api: Api) -> None:
    made = group()
    deep: Any = {"leaf": 1}
    for _ in range(50):
        deep = {"a": deep}
    odd = [{"blob": "x" * 100_000}, [1, 2], "text", 7, deep, {"": 1, "k" * 3000: 1}]
    odd += [{f"k{n}": n for n in range(300)}, {"<script>": "</script><img onerror=1>"}]
    for payload in odd:
        jobs(made, payload=payload)
    jobs(made, 5, payload={"region": "eu"})
    answer = detail(api, made)
    assert len(answer.response.content) < 6 * READ_CHARS
    Job.objects.filter(payload={"region": "eu"}).delete()
    for sample in detail(api, made)["samples"]:
        assert (sample["payload"] is None) == (sample["payload_chars"] > READ_CHARS)


def test_the_group_of_pruned_jobs_can_still_be_looked_at(api: Api) -> None:
    answer = detail(api, group(times=4))
    assert (answer["occurrences"], answer["failed"]["count"]) == (4, 0)
    assert (answer["samples"], answer["common_values"]) == ([], [])


@pytest.mark.parametrize("name", ["0" * 32, "1", "x" * 500, "%00", "ä", "A" * 32, "a b"])
def test_a_group_that_is_not_there_is_not_found(api: Api, name: str) -> None:
    assert api.get(f"{URL}{name}/").status == 404
    answer = api.client.patch(f"{URL}{name}/", '{"note": "x"}', content_type="application/json")
    assert answer.status_code == 404


def test_a_group_is_resolved_with_a_note_and_a_name(api: Api) -> None:
    made = group()
    answer = patch(api, made, status="resolved", note="fixed <b>now</b>")
    assert (answer.status, answer["status"], answer["note"]) == (
        200,
        "resolved",
        "fixed <b>now</b>",
    )
    assert answer["changed_by"] == "ada"
    assert answer["changed_at"] is not None
    group()
    answer = detail(api, made)
    assert (answer["status"], answer["reopened_at"] is not None) == ("open", True)


def test_a_group_is_ignored_for_so_many_more(api: Api) -> None:
    made = group(times=2)
    assert patch(api, made, status="ignored", ignore_for=10)["ignore_until_count"] == 12
    assert patch(api, made, note="known")["ignore_until_count"] == 12
    assert patch(api, made, status="ignored", ignore_for=None)["ignore_until_count"] is None


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({}, "body"),
        ({"ignore_for": None}, "body"),
        ({"status": "closed"}, "status"),
        ({"status": None}, "status"),
        ({"status": ["open"]}, "status"),
        ({"ignore_for": 5}, "ignore_for"),
        ({"status": "open", "ignore_for": 5}, "ignore_for"),
        ({"status": "ignored", "ignore_for": 0}, "ignore_for"),
        ({"status": "ignored", "ignore_for": True}, "ignore_for"),
        ({"status": "ignored", "ignore_for": 1.5}, "ignore_for"),
        ({"status": "ignored", "ignore_for": 10**30}, "ignore_for"),
        ({"note": None}, "note"),
        ({"note": 7}, "note"),
        ({"note": "x" * 2001}, "note"),
        ({"note": "\u0000"}, "note"),
        ({"occurrences": 0}, "occurrences"),
    ],
)
def test_a_bad_decision_is_refused_by_name(api: Api, document: Any, field: str) -> None:
    made = group()
    answer = patch(api, made, **document)
    assert (answer.status, list(answer.fields)) == (422, [field])
    made.refresh_from_db()
    assert (made.changed_at, made.status) == (None, "open")


@pytest.mark.django_db
def test_who_may_not_see_payloads_sees_no_messages() -> None:
    made = group("no user 'anna' (id 17)")
    jobs(made, 5, payload={"name": "anna"})
    api = user_with(Permission.VIEW_ERRORGROUP)
    (row,) = api.get(URL)["results"]
    answer = detail(api, made)
    assert row["message"] == answer["message"] == ""
    assert (answer["payload_visible"], answer["samples"]) == (False, [])
    assert b"anna" not in answer.response.content
    assert patch(api, made, note="x").status == 403


def test_the_jobs_of_a_group_can_be_listed(api: Api) -> None:
    made, other = group("a"), group("b")
    wanted = [
        job.pk for status in ("failed", "scheduled", "failed") for job in jobs(made, 1, status)
    ]
    jobs(other, 2)
    factories.jobs(3)
    url = f"/api/jobs/?error_fingerprint={made.fingerprint}"
    rows = api.get(url)["results"]
    assert [row["id"] for row in rows] == wanted[::-1]
    assert {row["error_fingerprint"] for row in rows} == {made.fingerprint}
    for status, count in (("failed", 2), ("scheduled", 1), ("succeeded", 0)):
        assert len(api.get(f"{url}&status={status}")["results"]) == count
    first = api.get(f"{url}&page_size=2&ordering=id")
    following = api.get(first["next"])
    pages = [row["id"] for answer in (first, following) for row in answer["results"]]
    assert pages == wanted
    assert api.get("/api/jobs/?error_fingerprint=" + "a" * 33).status == 422
    assert api.get(f"/api/jobs/{wanted[0]}/")["error_fingerprint"] == made.fingerprint
