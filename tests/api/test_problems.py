"""Errors have one shape, whatever went wrong."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, connections
from django.test import Client
from django.urls import get_resolver

from jobs import stats
from jobs.models import Job
from tests.api.client import Api
from tests.support.database import backend_pid, second_connection


@pytest.mark.parametrize(
    "path", ["/api", "/api/", "/api/nothing/", "/api/jobs/1/nothing/", "/api/v1/jobs/"]
)
@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete"])
def test_a_route_that_does_not_exist_is_a_problem(db: None, path: str, method: str) -> None:
    response = getattr(Client(), method)(path)
    assert response.status_code == 404
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["code"] == "not-found"


def test_a_method_that_does_not_exist_says_which_do(api: Api) -> None:
    response = api.client.delete("/api/jobs/")
    assert (response.status_code, response["Allow"]) == (405, "GET, POST, HEAD, OPTIONS")
    assert response.json()["code"] == "method-not-allowed"


def test_whatever_is_accepted_the_answer_is_json(api: Api) -> None:
    for accept in ("text/html", "application/xml", "*/*", "nonsense", ""):
        answer = api.get("/api/jobs/", HTTP_ACCEPT=accept)
        assert answer.headers["Content-Type"] == "application/json"


def test_a_problem_never_holds_text_that_cannot_be_sent(api: Api) -> None:
    name = r"\ud800\u0000" + "x" * 5000
    answer = api.raw("/api/jobs/", f'{{"{name}": 1}}')
    assert answer.status == 422
    assert len(answer["errors"][0]["field"]) <= 1000


class Reported(Exception):
    pass


def test_an_unexpected_error_is_a_problem_and_is_reported(
    api: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(using: str) -> Any:
        raise Reported("secret detail")

    monkeypatch.setattr(stats, "glance", broken)
    # The test client raises what Django's signal reports, as an error tracker would store it.
    with pytest.raises(Reported):
        api.get("/api/stats/")
    api.client.raise_request_exception = False
    with caplog.at_level(logging.ERROR, "jobs.api"):
        answer = api.get("/api/stats/")
    assert (answer.status, answer["code"]) == (500, "internal-error")
    assert "secret" not in answer.response.content.decode()
    assert any(record.exc_info for record in caplog.records if record.name == "jobs.api")


@pytest.fixture
def database(settings: Any, django_db_blocker: Any) -> Iterator[Any]:
    """`database(**changes)` makes the queue's database another one."""
    made = []

    def use(**changes: Any) -> None:
        alias = "elsewhere"
        connections.databases[alias] = connections["default"].settings_dict | changes
        made.append(alias)
        settings.QFORGE = {"DATABASE": alias, "OPEN_ON_LOOPBACK": True}
        settings.DEBUG = True

    with django_db_blocker.unblock():
        yield use
        for alias in made:
            connections[alias].close()
            del connections[alias]
            del connections.databases[alias]


PATHS = ["/api/jobs/", "/api/jobs/1/", "/api/queues/", "/api/stats/", "/api/events/", "/readyz"]


@pytest.mark.postgres
def test_a_database_that_is_down_is_a_problem_that_passes(database: Any, settings: Any) -> None:
    database(HOST="127.0.0.1", PORT="1")
    settings.ALLOWED_HOSTS = ["localhost"]
    api = Api(HTTP_HOST="localhost")
    for path in PATHS:
        answer = api.get(path)
        assert (answer.status, answer["code"]) == (503, "database-unavailable"), path
        assert int(answer.headers["Retry-After"]) > 0
    assert api.enqueue().status == 503
    assert api.post("/api/jobs/bulk/", {"jobs": [{"task": "tests.echo"}]}).status == 503
    assert api.get("/healthz").status == 200


@pytest.mark.postgres
def test_a_database_without_the_tables_says_what_to_run(database: Any, settings: Any) -> None:
    database(NAME="postgres")
    settings.ALLOWED_HOSTS = ["localhost"]
    api = Api(HTTP_HOST="localhost")
    for path in ("/api/jobs/", "/readyz"):
        answer = api.get(path)
        assert (answer.status, answer["code"]) == (503, "not-migrated"), path
        assert "manage.py migrate" in answer["detail"]


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
def test_a_table_that_is_locked_ends_in_a_timeout_and_not_in_waiting(
    open_api: Api, settings: Any
) -> None:
    settings.QFORGE = {"OPEN_ON_LOOPBACK": True, "API_TIMEOUT_SECONDS": 0.1}
    with second_connection() as other:
        other.set_autocommit(False)
        other.cursor().execute("LOCK TABLE jobs IN ACCESS EXCLUSIVE MODE")
        for path in ("/api/jobs/", "/api/jobs/1/", "/api/queues/", "/api/stats/"):
            answer = open_api.get(path)
            assert (answer.status, answer["code"]) == (503, "query-timeout"), path
            assert int(answer.headers["Retry-After"]) > 0
        assert open_api.enqueue()["code"] == "query-timeout"
        assert open_api.post("/api/jobs/1/cancel/")["code"] == "query-timeout"
        other.rollback()
    assert open_api.get("/api/jobs/").status == 200
    assert not Job.objects.exists()


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
def test_a_timeout_of_ours_does_not_stay_on_the_connection(open_api: Api) -> None:
    open_api.get("/api/jobs/")
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone() == ("0",)


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
def test_a_connection_that_was_cut_is_a_problem_that_passes(open_api: Api) -> None:
    with second_connection() as other:
        other.cursor().execute("SELECT pg_terminate_backend(%s, 5000)", [backend_pid()])
    answer = open_api.get("/api/jobs/")
    assert (answer.status, answer["code"]) == (503, "database-unavailable")
    connection.close()
    assert open_api.get("/api/jobs/").status == 200


def test_no_view_runs_inside_a_transaction_of_the_project() -> None:
    for pattern in get_resolver("jobs.urls").url_patterns:
        assert "default" in pattern.callback._non_atomic_requests
