"""The store under the database settings that host projects have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.test import override_settings

from jobs.models import Job
from tests.support.database import lent, second_connection
from tests.support.scenario import run_through

pytestmark = pytest.mark.usefixtures("committed_db")


def test_the_scenario_itself_works() -> None:
    run_through(DEFAULT_DB_ALIAS)


@pytest.mark.postgres
@pytest.mark.parametrize(
    "options",
    [
        {"server_side_binding": True},
        {"server_side_binding": True, "prepare_threshold": 0},
        {"isolation_level": 4},
    ],
    ids=["server-side parameters", "prepared statements", "serializable"],
)
def test_every_statement_works_with_these_options(options: dict[str, Any]) -> None:
    with second_connection(**options) as other, lent(other):
        run_through(DEFAULT_DB_ALIAS)


class Elsewhere:
    """Writes go to `queue`, reads to a replica that is not there."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        return "replica"

    def db_for_write(self, model: Any, **hints: Any) -> str:
        return "queue"


@pytest.fixture
def queue_alias() -> Iterator[str]:
    """Another alias of the test database; nothing may use the default one meanwhile."""
    connections.databases["queue"] = connections.databases[DEFAULT_DB_ALIAS].copy()

    def refuse(execute: Any, sql: str, *rest: Any) -> Any:
        raise AssertionError(f"on the default database: {sql}")

    with ExitStack() as stack:
        stack.enter_context(connections[DEFAULT_DB_ALIAS].execute_wrapper(refuse))
        stack.enter_context(override_settings(DATABASE_ROUTERS=[Elsewhere()]))
        yield "queue"
    connections["queue"].close()
    del connections["queue"]
    del connections.databases["queue"]


def test_every_statement_goes_to_the_queues_database_alone(queue_alias: str) -> None:
    run_through(queue_alias)


@pytest.mark.parametrize("zone", ["Asia/Kolkata", "America/St_Johns"])
def test_every_statement_works_in_any_time_zone(zone: str) -> None:
    with override_settings(TIME_ZONE=zone):
        run_through(DEFAULT_DB_ALIAS)


@pytest.fixture
def queue_apart() -> Iterator[str]:
    """Another alias of the test database, which holds the queue."""
    connections.databases["queue"] = connections.databases[DEFAULT_DB_ALIAS].copy()
    with override_settings(
        DATABASE_ROUTERS=["jobs.routers.QueueRouter"], QFORGE={"DATABASE": "queue"}
    ):
        yield "queue"
    connections["queue"].close()
    del connections["queue"]
    del connections.databases["queue"]


@pytest.mark.postgres
def test_a_transaction_of_another_database_knows_nothing_of_the_job(
    queue_apart: str, register: Callable[..., Any]
) -> None:
    task = register(lambda: None, name="tests.t")
    with transaction.atomic():
        kept = task.enqueue()
        transaction.set_rollback(True)
    with transaction.atomic(using=queue_apart):
        task.enqueue()
        transaction.set_rollback(True, using=queue_apart)
    assert [row.pk for row in Job.objects.using(queue_apart).all()] == [kept.id]
