"""A router that reads from a replica: the queue is read where it is written, by everybody.

The replica is a database of its own whose tables are empty, as if it were infinitely far behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection, connections, router
from django.test import Client
from pytest_django import DjangoDbBlocker

from jobs.api.urls import _ROUTES
from jobs.models import ErrorGroup, Job, Operation, Schedule, Workflow
from tests.api.client import Api
from tests.management.terminal import run
from tests.support.one_of_each import one_of_each

REPLICA = "replica"
pytestmark = [pytest.mark.postgres, pytest.mark.django_db(databases=["default", REPLICA])]

Asked = list[str]


class ReadsFromReplica:
    """As in many a project; the queue's tables are no exception in it."""

    def db_for_read(self, model: Any, **hints: Any) -> str | None:
        return REPLICA if model._meta.app_label == "qforge" else None

    def db_for_write(self, model: Any, **hints: Any) -> str | None:
        return "default"

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool:
        return True


@pytest.fixture(scope="module", autouse=True)
def replica(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        name = f"{connection.settings_dict['NAME']}_replica"
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}"')
        cursor.execute(f'CREATE DATABASE "{name}"')
        connections.settings[REPLICA] = connection.settings_dict | {"NAME": name}
        call_command("migrate", database=REPLICA, verbosity=0)
        with connections[REPLICA].cursor() as other:
            other.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
        connections[REPLICA].close()
    yield
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        connections[REPLICA].close()
        del connections[REPLICA]
        del connections.settings[REPLICA]
        cursor.execute(f'DROP DATABASE "{name}"')


@contextmanager
def replicated(settings: Any) -> Iterator[Asked]:
    """Within the block reads go to the replica; yields what it was asked."""
    asked: Asked = []

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        asked.append(sql)
        return execute(sql, *rest)

    settings.DATABASE_ROUTERS = [ReadsFromReplica()]
    assert router.db_for_read(Job) == REPLICA
    with connections[REPLICA].execute_wrapper(note):
        yield asked


@pytest.fixture
def rows() -> dict[Any, Any]:
    return one_of_each()


@pytest.fixture
def browser() -> Client:
    user = get_user_model().objects.create_user("root", is_staff=True, is_superuser=True)
    browser = Client()
    browser.force_login(user)
    return browser


def page(route: str, rows: dict[Any, Any]) -> str:
    ids = {
        "<int:job_id>": rows[Job].pk,
        "<int:schedule_id>": rows[Schedule].pk,
        "<int:workflow_id>": rows[Workflow].pk,
        "<int:operation_id>": rows[Operation].pk,
        "<str:fingerprint>": rows[ErrorGroup].fingerprint,
    }
    for part, value in ids.items():
        route = route.replace(part, str(value))
    return f"/{route}/"


READABLE = sorted(
    route for route, view, _ in _ROUTES if hasattr(view, "get") and route != "api/live/stream"
)
QUERIES = {
    "api/schedules/preview": {"cron": "0 * * * *"},
    "api/stats/timeseries": {"range": "1h"},
}


def test_the_replica_is_asked_when_nobody_says_otherwise(settings: Any) -> None:
    with replicated(settings) as asked:
        assert not Job.objects.exists()
    assert len(asked) == 1


@pytest.mark.parametrize("route", READABLE)
def test_no_page_of_the_api_reads_from_it(
    settings: Any, browser: Client, rows: dict[Any, Any], route: str
) -> None:
    path, query = page(route, rows), QUERIES.get(route, {})
    usual = browser.get(path, query)
    with replicated(settings) as asked:
        answer = browser.get(path, query)
    assert asked == []
    assert answer.status_code == usual.status_code == 200
    assert answer["Content-Type"] == usual["Content-Type"]


def test_no_change_by_the_api_reads_from_it(
    settings: Any, browser: Client, rows: dict[Any, Any], register: Callable[..., Any]
) -> None:
    register(lambda **payload: None, name="tests.t")
    api, job = Api(browser), rows[Job].pk
    flow = {"name": "flow", "steps": [{"step": "a", "task": "tests.t"}]}
    schedule = {"name": "hourly", "task": "tests.t", "cron": "0 * * * *"}
    with replicated(settings) as asked:
        assert api.enqueue("tests.t", idempotency_key="k").status == 201
        assert api.enqueue("tests.t", idempotency_key="k").status == 200
        assert api.post(f"/api/jobs/{job}/retry/", {"reason": "a"}).status == 200
        assert api.post(f"/api/jobs/{job}/cancel/", {"reason": "a"}).status == 200
        assert api.post("/api/jobs/bulk/", {"jobs": [{"task": "tests.t"}]}).status < 300
        many = {"action": "retry", "filter": {"status": ["failed"]}}
        assert api.post("/api/operations/", many | {"dry_run": True}).status == 200
        assert api.post("/api/operations/", many).status == 202
        assert api.post("/api/queues/mail/resume/").status == 200
        assert api.post("/api/queues/mail/pause/").status == 200
        assert (made := api.post("/api/workflows/", flow)).status == 201
        assert api.post(f"/api/workflows/{made['id']}/cancel/").status == 200
        assert api.post(f"/api/workflows/{made['id']}/retry/").status == 200
        assert (made := api.post("/api/schedules/", schedule)).status == 201
        assert api.post(f"/api/schedules/{made['id']}/run-now/").status < 300
        assert api.post(f"/api/schedules/{made['id']}/disable/").status == 200
        assert api.post(f"/api/operations/{rows[Operation].pk}/cancel/").status < 300
    assert asked == []


@pytest.mark.parametrize("kind", ["changelist", "change", "history"])
def test_no_page_of_the_admin_reads_from_it(
    settings: Any, browser: Client, rows: dict[Any, Any], kind: str
) -> None:
    with replicated(settings) as asked:
        for model, row in rows.items():
            path = f"/admin/qforge/{model._meta.model_name}/"
            if kind != "changelist":
                path += f"{row.pk}/{kind}/"
            answer = browser.get(path)
            assert answer.status_code == 200, path
    assert asked == []


def test_no_action_of_the_admin_reads_from_it(
    settings: Any, browser: Client, rows: dict[Any, Any]
) -> None:
    for model, action in ((Job, "retry"), (Job, "cancel"), (Schedule, "disable")):
        data = {"action": action, "_selected_action": [rows[model].pk]}
        with replicated(settings) as asked:
            answer = browser.post(f"/admin/qforge/{model._meta.model_name}/", data, follow=True)
        assert asked == []
        assert str(next(iter(answer.context["messages"]))).startswith("1 ")


COMMANDS = """
status, list, queues, schedules, workers, show {job}, why {job}, doctor, retry {job}, resume mail,
pause mail, prune, check-workflows
"""


@pytest.mark.parametrize("command", COMMANDS.strip().replace("\n", " ").split(", "))
def test_no_command_reads_from_it(settings: Any, rows: dict[Any, Any], command: str) -> None:
    arguments = command.format(job=rows[Job].pk).split()
    with replicated(settings) as asked:
        assert run("jobs", *arguments).code in (0, 1)
    assert asked == []
