from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import DatabaseError, connection, connections, transaction

from jobs.states import JobStatus
from jobs.store import prepared, values
from jobs.store.connections import EngineConnection
from tests.support import factories
from tests.support.database import scalar
from tests.support.faults.proxy import PosingProxy, Proxy, connect_to
from tests.support.plans import execute

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("committed_db")]


@contextmanager
def engine(**address: Any) -> Iterator[Any]:
    """An engine's connection, lent to this thread."""
    usual = connections["default"].settings_dict
    before = dict(usual)
    usual.update(address)
    made = EngineConnection()
    usual.update(before)
    try:
        with made.borrowed() as lent:
            yield lent
    finally:
        made.close()


def work() -> None:
    """Claim a job and end it, as an exchange does."""
    factories.job()
    (job,) = factories.claim()
    (written,) = factories.finish(values.succeeded(job, None, run_seconds=0.1))
    assert written.status is JobStatus.SUCCEEDED


def plans_kept() -> set[str]:
    """The beginnings of the statements that this session has prepared."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        return {statement.split()[1] for (statement,) in cursor.fetchall()}


def test_the_engine_prepares_what_it_sends_all_day() -> None:
    with engine():
        work()
        assert plans_kept() == {"taken", "outcome"}
        work()
        assert scalar("SELECT max(generic_plans) FROM pg_prepared_statements") == 2


def test_a_connection_of_the_project_prepares_nothing() -> None:
    work()
    assert plans_kept() == set()


def test_nothing_is_prepared_behind_a_pooler() -> None:
    usual = connections["default"].settings_dict
    server = connect_to(usual["HOST"], usual["PORT"])
    with PosingProxy(server) as pooler, engine(HOST="127.0.0.1", PORT=pooler.port):
        work()
        assert plans_kept() == set()
    # Any other thing in between is no reason.
    with Proxy(server) as network, engine(HOST="127.0.0.1", PORT=network.port):
        work()
        assert plans_kept() == {"taken", "outcome"}


def test_what_the_project_says_of_preparing_holds() -> None:
    options = connections["default"].settings_dict["OPTIONS"]
    with engine(OPTIONS=options | {"prepare_threshold": None}):
        work()
        assert plans_kept() == set()


def test_plans_are_made_for_any_parameters_and_by_an_index_in_transactions_alone() -> None:
    def terms() -> tuple[str, str]:
        return scalar("SHOW plan_cache_mode"), scalar("SHOW enable_seqscan")

    with engine():
        with transaction.atomic():
            assert terms() == ("force_generic_plan", "off")
        assert terms() == ("auto", "on")


def test_a_plan_outlives_a_change_of_the_table() -> None:
    with engine():
        work()
        try:
            execute("ALTER TABLE jobs ADD COLUMN of_the_next_version int NOT NULL DEFAULT 1")
            work()
        finally:
            execute("ALTER TABLE jobs DROP COLUMN of_the_next_version")


def test_a_statement_that_fails_is_an_error_of_django_and_prepared_all_the_same() -> None:
    with engine():
        with pytest.raises(DatabaseError), transaction.atomic():
            prepared.fetch("default", "SELECT 1 / %s::int", [0])
        assert prepared.fetch("default", "SELECT 1 / %s::int", [1]) == [(1,)]
