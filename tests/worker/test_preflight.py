from __future__ import annotations

import time

import pytest
from django.db import OperationalError, connections
from django.db.migrations.recorder import MigrationRecorder

from jobs.worker.preflight import missing_migrations
from tests.support.database import scalar
from tests.support.threads import running


@pytest.mark.usefixtures("committed_db")
def test_a_database_that_answers_is_not_waited_for() -> None:
    started = time.monotonic()
    assert missing_migrations(60) == []
    assert time.monotonic() - started < 10


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
def test_what_the_database_said_last_is_told_when_it_does_not_answer_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(connections.settings["default"], "HOST", "127.0.0.1")
    monkeypatch.setitem(connections.settings["default"], "PORT", "1")

    def told() -> str:
        with pytest.raises(OperationalError) as caught:
            missing_migrations(0.2)
        return str(caught.value)

    # Another thread has no connection yet.
    started = time.monotonic()
    with running(told) as thread:
        said = thread.wait()
    assert "refused" in said
    assert 0.2 <= time.monotonic() - started < 10


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
def test_a_connection_that_is_lost_during_the_look_is_replaced() -> None:
    own = scalar("SELECT pg_backend_pid()")

    def cut() -> None:
        scalar("SELECT pg_terminate_backend(%s)", [own])

    with running(cut) as thread:
        thread.wait()
    assert missing_migrations(10) == []


@pytest.mark.django_db
def test_migrations_that_were_not_applied_are_named() -> None:
    assert missing_migrations(10) == []
    recorder = MigrationRecorder(connections["default"])
    last = max(name for app, name in recorder.applied_migrations() if app == "qforge")
    recorder.record_unapplied("qforge", last)
    assert missing_migrations(10) == [f"qforge.{last}"]
