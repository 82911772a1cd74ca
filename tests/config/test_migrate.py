from __future__ import annotations

import threading

import pytest
from django.db import OperationalError, connection

from config import migrate
from tests.support.threads import running


def lock_is_free() -> bool:
    session = connection.copy()
    try:
        with session.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [migrate.LOCK_KEY])
            return bool(cursor.fetchone()[0])
    finally:
        session.close()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_only_one_process_migrates_at_a_time() -> None:
    with migrate.migration_lock():
        assert not lock_is_free()
    assert lock_is_free()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_process_that_waits_for_its_turn_does_not_hold_up_an_index() -> None:
    held, waiting, built = threading.Event(), threading.Event(), threading.Event()

    def next_process() -> bool:
        held.wait(10)
        waiting.set()
        with migrate.migration_lock():
            return built.is_set()

    with running(next_process) as other:
        with migrate.migration_lock():
            held.set()
            waiting.wait(10)
            with connection.cursor() as cursor:
                cursor.execute("SET statement_timeout = '10s'")
                cursor.execute("CREATE INDEX CONCURRENTLY waits_for_snapshots ON jobs (id)")
                cursor.execute("DROP INDEX waits_for_snapshots")
                cursor.execute("RESET statement_timeout")
            built.set()
        assert other.wait(10)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_failed_migration_gives_the_lock_back() -> None:
    with pytest.raises(ZeroDivisionError), migrate.migration_lock():
        raise ZeroDivisionError
    assert lock_is_free()


def test_a_database_that_comes_up_late_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = [OperationalError("starting up"), OperationalError("starting up"), None]

    def connect() -> None:
        answer = answers.pop(0)
        if answer:
            raise answer

    monkeypatch.setattr(connection, "ensure_connection", connect)
    migrate.wait_for_database(timeout_seconds=10)
    assert capsys.readouterr().out == "Waiting for the database: starting up\n"


def test_a_database_that_never_comes_up_ends_with_a_clear_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse() -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(connection, "ensure_connection", refuse)
    assert migrate.main(["--wait-seconds", "0"]) == 1
    assert "cannot be reached: connection refused" in capsys.readouterr().err
