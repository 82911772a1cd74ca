from __future__ import annotations

import threading

import psycopg
import pytest
from django.db import connections

from benchmarks.upgrade.others import Locks, Waits, at_work
from tests.support import factories
from tests.support.database import table_lock
from tests.support.processes import url_of
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("committed_db")]


@pytest.fixture
def url(committed_db: None) -> str:
    return url_of(connections["default"].settings_dict)


def test_who_waits_for_a_lock_and_the_lock_itself_are_seen(url: str) -> None:
    factories.job()
    waits, locks = Waits(), Locks()
    with at_work(url, waits.look, locks.look):
        wait_until(lambda: waits.longest)
        with table_lock("ACCESS EXCLUSIVE"):
            wait_until(lambda: locks.longest > 0.3)
    assert locks.lock == "AccessExclusiveLock on jobs"
    assert waits.longest > 0.2
    assert waits.statement in ("select", "update", "insert")


def test_locks_that_stop_nobody_are_not_counted(url: str) -> None:
    locks, looked = Locks(), threading.Event()

    def look(session: psycopg.Connection[object]) -> None:
        locks.look(session)
        looked.set()

    with table_lock("SHARE UPDATE EXCLUSIVE"), at_work(url, look):
        assert looked.wait(10)
    assert (locks.longest, locks.lock) == (0.0, "")


def test_what_goes_wrong_beside_the_migration_is_told(url: str) -> None:
    asked = threading.Event()

    def fail(session: psycopg.Connection[object]) -> None:
        asked.set()
        session.execute("SELECT 1 FROM nothing_of_the_kind")

    with pytest.raises(psycopg.errors.UndefinedTable), at_work(url, fail):
        assert asked.wait(10)
