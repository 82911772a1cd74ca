from __future__ import annotations

from typing import Any

import pytest
from django.core import checks
from django.db import DEFAULT_DB_ALIAS, connections
from django.test import override_settings

SQLITE = {"ENGINE": "django.db.backends.sqlite3", "NAME": "queue.sqlite3", "OPTIONS": {}}


def found() -> list[tuple[str, str]]:
    """Ids and messages of what the checks of this app find."""
    return [(str(m.id), m.msg) for m in checks.run_checks(tags=["qforge"])]


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
