from __future__ import annotations

from typing import Any

import pytest
from django.core import checks
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.test import override_settings

from jobs.checks import database as database_checks
from tests.support.database import lent, second_connection

SQLITE = {"ENGINE": "django.db.backends.sqlite3", "NAME": "queue.sqlite3", "OPTIONS": {}}


def found(**how: Any) -> list[tuple[str, str]]:
    """Ids and messages of what the checks of this app find."""
    tags = ["qforge", *(["database"] if "databases" in how else [])]
    every = checks.run_checks(tags=tags, **how)
    assert all(m.hint for m in every)
    return [(str(m.id), m.msg) for m in every]


@pytest.fixture
def queue_database(settings: Any) -> Any:
    """Describes another database, which the queue is said to be in."""

    def describe(**database: Any) -> None:
        connections.databases["queue"] = connections.databases[DEFAULT_DB_ALIAS] | database
        settings.QFORGE = {"DATABASE": "queue"}

    yield describe
    connections.databases.pop("queue", None)
    if hasattr(connections._connections, "queue"):
        del connections["queue"]


def test_the_project_itself_has_nothing_to_say() -> None:
    assert found() == []


def test_a_wrong_setting_is_an_error() -> None:
    with override_settings(QFORGE={"THREADS": 0}):
        assert found() == [
            ("qforge.E001", "QFORGE: THREADS must be between 1 and 1,000, not 0."),
        ]


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        ("nowhere.at.all", "No module named 'nowhere'"),
        ("no_dots", "no_dots doesn't look like a module path"),
        ("jobs.conf.BOUNDS", "'jobs.conf.BOUNDS' is not a function"),
    ],
)
def test_a_fingerprint_function_that_is_none_is_an_error(path: str, wrong: str) -> None:
    with override_settings(QFORGE={"ERROR_FINGERPRINT": path}):
        assert found() == [("qforge.E001", f"QFORGE: ERROR_FINGERPRINT: {wrong}.")]


def test_settings_that_are_no_dict_are_an_error() -> None:
    with override_settings(QFORGE=["THREADS"]):
        assert found() == [("qforge.E001", "QFORGE: must be a dict, not ['THREADS'].")]


def test_a_queue_that_no_job_can_be_in_is_an_error() -> None:
    with override_settings(QFORGE={"QUEUES": ["e mails"]}):
        ((code, message),) = found()
    assert code == "qforge.E001"
    assert message.startswith("QFORGE: QUEUES: must be 1 to 64 letters")


def test_times_without_zones_are_an_error() -> None:
    with override_settings(USE_TZ=False):
        assert [code for code, _ in found()] == ["qforge.E002"]


def test_an_unknown_database_is_an_error() -> None:
    with override_settings(QFORGE={"DATABASE": "nowhere"}):
        assert found() == [
            ("qforge.E004", "The queue's database 'nowhere' is not in DATABASES."),
        ]


def test_a_database_of_another_kind_is_an_error(queue_database: Any) -> None:
    queue_database(ENGINE="django.db.backends.dummy")
    assert [code for code, _ in found()] == ["qforge.E004"]


def test_sqlite_that_may_refuse_half_a_transaction_is_a_warning(queue_database: Any) -> None:
    queue_database(**SQLITE)
    assert [code for code, _ in found()] == ["qforge.W001"]


def test_sqlite_with_immediate_transactions_is_right(queue_database: Any) -> None:
    queue_database(**SQLITE | {"OPTIONS": {"transaction_mode": "IMMEDIATE"}})
    assert found() == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"LEASE_SECONDS": 3, "HEARTBEAT_SECONDS": 1, "RESCUE_SECONDS": 1}, "leaves little room"),
        ({"RESCUE_SECONDS": 60}, "longer than the lease of 30 s"),
    ],
)
def test_a_lease_that_does_not_fit_is_a_warning(given: dict[str, Any], said: str) -> None:
    with override_settings(QFORGE=given):
        ((code, message),) = found()
    assert code == "qforge.W002"
    assert said in message


def test_a_task_module_that_no_app_has_is_a_warning() -> None:
    with override_settings(QFORGE={"TASK_MODULES": ["tasks", "jobs", "taks"]}):
        assert found() == [
            ("qforge.W006", "QFORGE: TASK_MODULES: no installed app has a module named 'taks'.")
        ]
    with override_settings(QFORGE={"TASK_MODULES": ["urls"]}):
        assert found() == []


def test_a_console_that_cannot_log_anybody_in_is_a_warning(settings: Any) -> None:
    every = list(settings.MIDDLEWARE)
    for name in ("SessionMiddleware", "AuthenticationMiddleware", "CsrfViewMiddleware"):
        settings.MIDDLEWARE = [path for path in every if not path.endswith(name)]
        ((code, message),) = found()
        assert code == "qforge.W003"
        assert message.startswith(f"The console is included without {name}: ")
    settings.MIDDLEWARE = []
    assert len(found()) == 3
    settings.ROOT_URLCONF = "tests.admin.urls"
    assert found() == []


@pytest.mark.parametrize(
    ("classes", "said"),
    [
        ([], "an empty list lets everybody"),
        (["rest_framework.permissions.AllowAny"], "AllowAny lets everybody do"),
        (["rest_framework.permissions.IsAuthenticated"], "staff or not"),
        (["rest_framework.permissions.IsAuthenticatedOrReadOnly"], "lets everybody read"),
    ],
)
def test_an_open_api_is_a_warning_before_deployment(classes: list[str], said: str) -> None:
    with override_settings(QFORGE={"PERMISSION_CLASSES": classes}):
        ((code, message),) = found(include_deployment_checks=True)
        assert found() == []
    assert code == "qforge.W004"
    assert said in message


def test_a_class_that_asks_for_more_closes_the_api() -> None:
    classes = ["rest_framework.permissions.IsAuthenticated", "jobs.api.permissions.HasPermission"]
    with override_settings(QFORGE={"PERMISSION_CLASSES": classes}):
        assert found(include_deployment_checks=True) == []


def test_being_open_on_loopback_is_a_warning_before_deployment() -> None:
    with override_settings(QFORGE={"OPEN_ON_LOOPBACK": True}):
        assert [code for code, _ in found(include_deployment_checks=True)] == ["qforge.W005"]
        assert found() == []


@pytest.mark.django_db
def test_a_server_that_is_too_old_is_an_error_when_the_database_is_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert found(databases=["default"]) == []
    monkeypatch.setitem(database_checks.LEAST, connection.vendor, (99,))
    assert found() == []
    ((code, message),) = found(databases=["default"])
    assert code == "qforge.E005"
    assert message.endswith("is too old; QForge needs 99.")


@pytest.mark.django_db
def test_a_server_that_django_refuses_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with second_connection() as other, lent(other):
        monkeypatch.setattr(other.features, "minimum_database_version", (99,))
        ((code, message),) = found(databases=["default"])
    assert code == "qforge.E005"
    assert "99" in message


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_server_that_does_not_answer_is_left_to_whoever_needs_it() -> None:
    with second_connection() as other, lent(other):
        other.settings_dict["PORT"] = "1"
        assert found(databases=["default"]) == []
