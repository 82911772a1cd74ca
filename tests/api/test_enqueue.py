"""Enqueueing over HTTP: what is taken, and how what is not taken is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import override_settings

from jobs.models import Job, JobEvent
from tests.api.client import Api

LONG = "x" * 300


def test_a_job_is_created_with_what_was_asked_for(api: Api) -> None:
    answer = api.enqueue(
        "tests.add",
        payload={"a": 1, "b": 2.5},
        queue="mail",
        priority=-7,
        max_attempts=9,
        timeout_seconds=1.5,
        idempotency_key="k1",
    )
    assert answer.status == 201
    assert answer.headers["Location"] == f"/api/jobs/{answer['id']}/"
    job = Job.objects.get(pk=answer["id"])
    assert (job.task, job.queue, job.priority, job.max_attempts) == ("tests.add", "mail", -7, 9)
    assert (job.payload, job.timeout_seconds) == ({"a": 1, "b": 2.5}, 1.5)
    assert answer.json == api.get(f"/api/jobs/{job.pk}/").json


def test_what_is_left_out_is_the_tasks_own(api: Api) -> None:
    answer = api.enqueue("tests.add", args=[1])
    assert answer.status == 201
    assert (answer["queue"], answer["priority"], answer["max_attempts"]) == ("default", 0, 3)
    assert (answer["status"], answer["payload"], answer["args"]) == ("queued", {}, [1])
    assert answer["timeout_seconds"] is None


@pytest.mark.parametrize(
    "fields", [{"delay_seconds": 60}, {"available_at": "2199-01-01T00:00:00+02:00"}]
)
def test_a_job_for_later_is_scheduled(api: Api, fields: dict[str, Any]) -> None:
    assert api.enqueue(**fields)["status"] == "scheduled"


def test_null_stands_for_not_given_where_the_task_has_a_default(api: Api) -> None:
    names = ("queue", "priority", "max_attempts", "timeout_seconds", "delay_seconds")
    answer = api.enqueue(**dict.fromkeys((*names, "available_at", "idempotency_key")))
    assert answer.status == 201


@pytest.mark.parametrize("payload", [[1], "s", 5, True, None, 1.5])
def test_a_payload_that_is_no_object_is_refused(api: Api, payload: Any) -> None:
    answer = api.enqueue(payload=payload)
    assert (answer.status, list(answer.fields)) == (422, ["payload"])


@pytest.mark.parametrize("args", [{}, "s", 5, None])
def test_args_that_are_no_list_are_refused(api: Api, args: Any) -> None:
    answer = api.enqueue(args=args)
    assert (answer.status, list(answer.fields)) == (422, ["args"])


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ('{"task": "tests.echo", "payload": {"a": NaN}}', "payload.a", "not-finite"),
        ('{"task": "tests.echo", "payload": {"a": [1, -Infinity]}}', "payload.a[1]", "not-finite"),
        ('{"task": "tests.echo", "payload": {"a": 1e999}}', "payload.a", "not-finite"),
        ('{"task": "tests.echo", "delay_seconds": NaN}', "delay_seconds", "invalid"),
        ('{"task": "tests.echo", "priority": Infinity}', "priority", "invalid"),
        (r'{"task": "tests.echo", "payload": {"a": "x\u0000y"}}', "payload.a", "nul"),
        (r'{"task": "tests.echo", "payload": {"a\u0000": 1}}', "payload (a key)", "nul"),
        (r'{"task": "tests.echo", "payload": {"a": ["\ud800"]}}', "payload.a[0]", "surrogate"),
        (r'{"task": "tests.echo", "payload": {"\udfff": 1}}', "payload (a key)", "surrogate"),
        (r'{"task": "tests\ud800"}', "task", "unknown-task"),
        (r'{"task": "tests.echo", "queue": "a\u0000"}', "queue", "invalid"),
        (r'{"task": "tests.echo", "\ud800": 1}', "\\ud800", "unknown-field"),
        ('{"task": "tests.echo", "payload": {"a": 1' + "0" * 2000 + "}}", "payload.a", "too-large"),
        ('{"task": "tests.echo", "payload": {"a": 1' + "0" * 9000 + "}}", "body", "too-large"),
        ('{"task": "tests.echo", "payload": {"a": ' + "[" * 100 + "]" * 100 + "}}", "", "too-deep"),
        ('{"task": "tests.echo", "payload": ' + "[" * 99999 + "]" * 99999 + "}", "", "too-deep"),
    ],
)
def test_what_cannot_be_stored_is_refused_with_its_path(
    api: Api, body: str, field: str, code: str
) -> None:
    answer = api.raw("/api/jobs/", body)
    assert answer.status == 422
    ((found, found_code),) = answer.fields.items()
    assert found_code == code
    assert field in found
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "nope",
        '{"task": "tests.echo",}',
        "{'task': 1}",
        b'{"task": "\xff"}',
        "\ufeff{}",
        '{"task": "tests.echo", "task": "tests.add"}',
    ],
)
def test_what_is_not_json_is_a_bad_request(api: Api, body: str | bytes) -> None:
    answer = api.raw("/api/jobs/", body)
    if body == "":
        assert (answer.status, list(answer.fields)) == (422, ["task"])
    else:
        assert (answer.status, answer["code"]) == (400, "malformed-json")


@pytest.mark.parametrize("body", ["[]", '"s"', "5", "null", "true"])
def test_a_body_that_is_no_object_is_refused(api: Api, body: str) -> None:
    answer = api.raw("/api/jobs/", body)
    assert (answer.status, list(answer.fields)) == (422, ["body"])


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("max_attempts", [0, -1, 2**31, 10**30, 1.5, True, "3"]),
        ("priority", [-101, 101, 2**31, 1.5, True, "3", [], {}]),
        ("timeout_seconds", [0, -1, True, "3", 1e300]),
        ("delay_seconds", [-1, True, "3", 1e300]),
        ("queue", ["", " ", "a b", "ä", 5, True, [], LONG, "a\n"]),
        ("available_at", ["", "soon", "2026-01-01T00:00:00", 5, True, "0001-01-01T00:00:00+23:00"]),
        ("available_at", ["1999-01-01T00:00:00Z", "9999-12-31T23:59:59-23:00", "2026-13-01"]),
        ("idempotency_key", ["", "k ", " k", 5, True, [], LONG, "x" * 10_000, "a\nb", "\u200b"]),
        ("task", ["", " ", 5, True, [], {}, LONG, "tests.ech", "tests.echo "]),
    ],
)
def test_a_value_out_of_bounds_is_refused_by_name(api: Api, field: str, values: list[Any]) -> None:
    for value in values:
        answer = api.post("/api/jobs/", {"task": "tests.echo", field: value})
        assert (answer.status, list(answer.fields)) == (422, [field]), value
    assert not Job.objects.exists()


def test_delay_and_time_cannot_both_be_given(api: Api) -> None:
    answer = api.enqueue(delay_seconds=1, available_at="2030-01-01T00:00:00Z")
    assert answer.fields == {"available_at": "invalid"}


def test_unknown_fields_are_all_named(api: Api) -> None:
    answer = api.enqueue(max_retries=3, colour="red")
    assert answer.status == 422
    assert answer.fields == {"max_retries": "unknown-field", "colour": "unknown-field"}


def test_a_missing_task_is_named(api: Api) -> None:
    assert api.post("/api/jobs/", {}).fields == {"task": "required"}


def test_an_unknown_task_is_refused_with_the_closest_name(api: Api) -> None:
    answer = api.enqueue("tests.ecco")
    assert (answer.status, answer["code"]) == (422, "unknown-task")
    assert "did you mean 'tests.echo'?" in answer["detail"]
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("payload", "args"), [({}, []), ({"a": 1, "c": 2}, []), ({"a": 1}, [1]), ({}, [1, 2, 3])]
)
def test_arguments_that_do_not_fit_the_handler_are_refused(
    api: Api, payload: Any, args: Any
) -> None:
    answer = api.enqueue("tests.add", payload=payload, args=args)
    assert (answer.status, answer.fields) == (422, {"payload": "signature"})


def test_a_payload_over_the_limit_is_refused_before_it_is_stored(api: Api) -> None:
    with override_settings(QFORGE={"PAYLOAD_MAX_BYTES": 1000}):
        assert api.enqueue(payload={"a": "x" * 900}).status == 201
        answer = api.enqueue(payload={"a": "x" * 1001})
    assert (answer.status, answer.fields) == (422, {"payload": "too-large"})


def test_a_payload_at_the_limit_fits_whatever_its_escapes(api: Api) -> None:
    with override_settings(QFORGE={"PAYLOAD_MAX_BYTES": 200_000}):
        body = json.dumps({"task": "tests.echo", "payload": {"a": "é" * 99_990}})
        assert len(body) > 500_000
        assert api.raw("/api/jobs/", body).status == 201


def test_a_body_over_the_limit_is_not_read_to_its_end(api: Api) -> None:
    with override_settings(QFORGE={"PAYLOAD_MAX_BYTES": 1000}):
        answer = api.enqueue(payload={"a": "x" * 100_000})
    assert (answer.status, answer["code"]) == (413, "body-too-large")


@pytest.mark.parametrize(
    "value",
    [1e308, 5e-324, 0.1 + 0.2, 2**63, -(2**63), 10**30, "", " ", "\u2028", "\u202e", "🙂", -0.0],
)
def test_values_come_back_as_they_went_in(api: Api, value: Any) -> None:
    answer = api.enqueue(payload={"v": value, "b": 1, "a": [True, None]})
    back = api.get(f"/api/jobs/{answer['id']}/")["payload"]
    assert back == {"v": value, "b": 1, "a": [True, None]}
    assert type(back["v"]) is type(value)


def test_a_body_of_any_other_kind_is_refused(api: Api) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        answer = api.raw("/api/jobs/", '{"task": "tests.echo"}', kind)
        assert (answer.status, answer["code"]) == (415, "unsupported-media-type"), kind


def test_a_body_of_unknown_length_is_asked_for_again(api: Api) -> None:
    answer = api.post("/api/jobs/", None, HTTP_TRANSFER_ENCODING="chunked", CONTENT_LENGTH="")
    assert (answer.status, answer["code"]) == (411, "length-required")


@pytest.mark.parametrize("path", ["/api/jobs", "/api/jobs/"])
def test_the_last_slash_may_be_left_out(api: Api, path: str) -> None:
    assert api.post(path, {"task": "tests.echo"}).status == 201


def test_a_query_is_refused_where_there_is_none(api: Api) -> None:
    answer = api.post("/api/jobs/?dry_run=1", {"task": "tests.echo"})
    assert (answer.status, answer.fields) == (422, {"dry_run": "unknown-parameter"})
    assert not Job.objects.exists()


def test_a_refused_job_leaves_no_event(api: Api) -> None:
    api.enqueue(priority=1000)
    assert not JobEvent.objects.exists()
