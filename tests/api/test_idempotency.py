"""Idempotency keys: one job for one key, and never a surprise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from jobs import client
from jobs.errors import InvalidInput
from jobs.models import Job
from tests.api.client import Answer, Api
from tests.support import factories
from tests.support.threads import together


def test_the_same_request_again_gives_the_same_job(api: Api) -> None:
    first = api.enqueue(payload={"a": 1, "b": 2.0}, idempotency_key="k")
    again = api.enqueue(payload={"b": 2, "a": 1.0}, idempotency_key="k")
    assert (first.status, again.status) == (201, 200)
    assert again.json == first.json
    assert again.headers["Idempotency-Replayed"] == "true"
    assert "Location" not in again.headers


@pytest.mark.parametrize(
    "other",
    [
        {"payload": {"a": 2}},
        {"payload": {"a": "1"}},
        {"payload": {"a": True}},
        {"priority": 5},
        {"queue": "mail"},
        {"args": []},
        {"delay_seconds": 5},
        {"available_at": "2030-01-01T00:00:00Z"},
        {"max_attempts": 2},
        {"timeout_seconds": 9},
        {"task": "tests.add"},
    ],
)
def test_another_request_with_the_key_is_refused(api: Api, other: dict[str, Any]) -> None:
    asked = {"task": "tests.echo", "payload": {"a": 1}, "idempotency_key": "k"}
    first = api.post("/api/jobs/", asked)
    before = factories.snapshot(first["id"])
    answer = api.post("/api/jobs/", asked | other)
    if other == {"args": []}:
        assert answer.status == 200
        return
    assert (answer.status, answer["code"]) == (422, "idempotency-conflict")
    assert answer["job"] == first["id"]
    assert factories.snapshot(first["id"]) == before
    assert Job.objects.count() == 1


@pytest.mark.parametrize("status", ["succeeded", "failed", "cancelled", "running", "scheduled"])
def test_the_key_of_a_job_stays_taken_whatever_its_status(api: Api, status: str) -> None:
    first = api.enqueue(idempotency_key="k")
    row = factories.job(status)
    kept = Job.objects.filter(pk=first["id"]).values("idempotency_key", "idempotency_hash").get()
    Job.objects.filter(pk=first["id"]).delete()
    Job.objects.filter(pk=row.pk).update(**kept)
    again = api.enqueue(idempotency_key="k")
    assert (again.status, again["id"], again["status"]) == (200, row.pk, status)


def test_the_header_is_the_same_as_the_field(api: Api) -> None:
    first = api.enqueue(idempotency_key="k")
    for header in ("k", '"k"'):
        again = api.post("/api/jobs/", {"task": "tests.echo"}, HTTP_IDEMPOTENCY_KEY=header)
        assert (again.status, again["id"]) == (200, first["id"])


def test_a_header_that_differs_from_the_field_is_refused(api: Api) -> None:
    answer = api.post(
        "/api/jobs/", {"task": "tests.echo", "idempotency_key": "a"}, HTTP_IDEMPOTENCY_KEY="b"
    )
    assert (answer.status, list(answer.fields)) == (422, ["idempotency_key"])
    assert not Job.objects.exists()


@pytest.mark.parametrize("header", ["", '""', "x" * 256, "schlüssel", " "])
def test_a_header_that_is_no_key_is_refused(api: Api, header: str) -> None:
    answer = api.post("/api/jobs/", {"task": "tests.echo"}, HTTP_IDEMPOTENCY_KEY=header)
    assert answer.status == 422
    assert not Job.objects.exists()


KEYS = ["k", "K", "k ", " k", "e\u0301", "\u00e9", "x" * 255, "x" * 256, "x" * 10_000, "", 5, None]


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_the_api_and_python_treat_a_key_alike(api: Api, key: Any) -> None:
    answer = api.enqueue(idempotency_key=key)
    try:
        taken = client.enqueue("tests.echo", idempotency_key=key).id
    except InvalidInput:
        assert (answer.status, list(answer.fields)) == (422, ["idempotency_key"])
    else:
        assert answer.status == 201
        assert (taken == answer["id"]) is (key is not None)


def test_keys_are_compared_letter_for_letter(api: Api) -> None:
    keys = ["k", "K", "e\u0301", "\u00e9"]
    assert len({api.enqueue(idempotency_key=key)["id"] for key in keys}) == len(keys)


def test_two_tasks_share_the_space_of_keys(api: Api) -> None:
    api.enqueue("tests.echo", payload={"a": 1}, idempotency_key="k")
    assert api.enqueue("tests.add", payload={"a": 1}, idempotency_key="k").status == 422


@pytest.mark.postgres
def test_fifty_requests_at_once_with_one_key_make_one_job(
    committed_db: None, committed_staff: Any
) -> None:
    def post(key: str) -> Callable[[], Answer]:
        def work() -> Answer:
            browser = Client()
            browser.force_login(committed_staff, backend=BACKEND)
            return Api(browser).enqueue(payload={"a": 1}, idempotency_key=key)

        return work

    for key in ("one", "two"):
        answers = together([post(key)] * 50, seconds=60)
        assert sorted(answer.status for answer in answers) == [200] * 49 + [201]
        assert len({answer["id"] for answer in answers}) == 1
    assert Job.objects.count() == 2


BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def committed_staff(committed_db: None) -> Any:
    users = get_user_model().objects
    user = users.create_user("eve", is_staff=True, is_superuser=True)
    yield user
    user.delete()
