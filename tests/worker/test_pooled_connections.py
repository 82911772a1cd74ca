"""Handlers on a project's connection pool: connections go back between jobs, and go back clean."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import DatabaseError, connections, transaction

from jobs import client
from jobs.models import Job
from jobs.states import Verb
from jobs.store.connections import EngineConnection
from jobs.worker.executor import execute
from jobs.worker.runs import Runs
from tests.support import factories
from tests.support.database import second_connection
from tests.support.threads import together
from tests.support.waiting import wait_until
from tests.worker.attempts import attempts, claimed

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("committed_db")]

Register = Callable[..., client.Task]

ALIAS = "pooled"
SIZE = 2


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The pool behind the alias `pooled`, of two connections."""
    settings = dict(connections.settings["default"])
    settings["OPTIONS"] = settings["OPTIONS"] | {
        "pool": {"min_size": 0, "max_size": SIZE, "timeout": 10}
    }
    monkeypatch.setitem(connections.settings, ALIAS, settings)
    yield connections[ALIAS].pool
    connections[ALIAS].close_pool()
    del connections[ALIAS]


def lent(pool: Any) -> int:
    """Connections that somebody holds."""
    stats = pool.get_stats()
    return int(stats["pool_size"]) - int(stats["pool_available"])


def test_a_connection_goes_back_to_its_pool_after_each_job(register: Register, pool: Any) -> None:
    seen: list[int] = []

    def probe() -> int:
        with connections[ALIAS].cursor() as cursor:
            cursor.execute("SELECT 1")
        return lent(pool)

    look = register(lambda: seen.append(lent(pool)), name="tests.look")
    outcomes = attempts([claimed(register(probe)), claimed(look)])
    assert [o.verb for o in outcomes] == [Verb.SUCCEED] * 2
    assert (outcomes[0].result, seen) == ("1", [0])


def test_a_pool_smaller_than_the_threads_only_slows(register: Register, pool: Any) -> None:
    most: list[int] = []

    def probe() -> int:
        count = Job.objects.using(ALIAS).count()
        most.append(lent(pool))
        return count

    task, runs = register(probe), Runs()

    def work() -> list[Any]:
        return [execute(claimed(task), runs)[0] for _ in range(20)]

    outcomes = [outcome for found in together([work] * 6) for outcome in found]
    assert {o.verb for o in outcomes} == {Verb.SUCCEED}
    assert len(outcomes) == 120
    assert max(most) <= SIZE


def abort() -> None:
    transaction.atomic(using=ALIAS).__enter__()
    try:
        connections[ALIAS].cursor().execute("SELECT wrong")
    except DatabaseError:
        """As handlers do that catch too much."""


def leak() -> None:
    transaction.atomic(using=ALIAS).__enter__()
    Job.objects.using(ALIAS).update(error="leaked")


def begin() -> None:
    connections[ALIAS].cursor().execute("BEGIN")


def terminate() -> None:
    connections[ALIAS].cursor().execute("SELECT pg_terminate_backend(pg_backend_pid())")


@pytest.mark.parametrize("dirt", [abort, leak, begin, terminate], ids=lambda dirt: dirt.__name__)
def test_a_connection_that_a_job_left_dirty_reaches_no_other_job(
    register: Register, pool: Any, dirt: Callable[[], None]
) -> None:
    factories.job()
    over = threading.Event()
    dirty, runs = register(dirt, name="tests.dirty"), Runs()

    def probe() -> list[Any]:
        connection = connections[ALIAS]
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        status = connection.connection.info.transaction_status.name
        return [connection.in_atomic_block, connection.get_autocommit(), status]

    clean = register(probe, name="tests.probe")

    def soil() -> list[Any]:
        found = [execute(claimed(dirty), runs)[0] for _ in range(10)]
        over.set()
        return found

    def work() -> list[Any]:
        found = []
        while not over.is_set():
            found.append(execute(claimed(clean), runs)[0])
        return found

    soiled, *worked = together([soil, work, work])
    assert len(soiled) == 10
    outcomes = [outcome for found in worked for outcome in found]
    assert {(o.verb, o.result, o.error) for o in outcomes} == {
        (Verb.SUCCEED, '[false,true,"IDLE"]', "")
    }
    wait_until(lambda: lent(pool) == 0)
    with second_connection() as other, other.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM jobs WHERE error = 'leaked'")
        assert cursor.fetchone()[0] == 0


def test_the_engine_takes_no_connection_of_the_pool(pool: Any, settings: Any) -> None:
    settings.QFORGE = {"DATABASE": ALIAS}
    engine = EngineConnection()
    with engine.borrowed() as connection, connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert connection.pool is None
        assert lent(pool) == 0
    engine.close()
