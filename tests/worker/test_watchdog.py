"""The watchdog beside the database: cut connections, and jobs given back at the end."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from jobs import client
from jobs.states import JobStatus, Verb
from jobs.store.connections import EngineConnection
from jobs.worker.attempt import context_of
from jobs.worker.executor import execute
from jobs.worker.runs import Run, Runs
from jobs.worker.watchdog import Watchdog
from tests.support import factories
from tests.support.database import scalar
from tests.support.events import Told
from tests.support.threads import running
from tests.support.triggers import becomes, gate
from tests.support.waiting import wait_until
from tests.worker.attempts import ANY, claimed
from tests.worker.bench import Bench, succeed

pytestmark = pytest.mark.postgres

Register = Callable[..., client.Task]


def watchdog(
    bench: Bench, runs: Runs, *, watched: list[EngineConnection], stall_seconds: float = 60.0
) -> Watchdog:
    exchange = bench.exchange()
    return Watchdog(exchange._engine, exchange, runs, watched=watched, stall_seconds=stall_seconds)


def test_a_connection_in_one_use_for_too_long_is_cut(bench: Bench, told: Told) -> None:
    engine = bench.engine()
    dog = watchdog(bench, Runs(), watched=[engine], stall_seconds=0.1)

    pids: list[int] = []

    def wait_for_ever() -> None:
        with engine.borrowed() as connection, connection.cursor() as cursor:
            pids.append(connection.connection.info.backend_pid)
            cursor.execute("SELECT pg_sleep(60)")

    with running(wait_for_ever) as thread:

        def cut() -> bool:
            dog.run_once()
            return not thread.is_alive()

        wait_until(cut)
    assert thread.error is not None
    # The server goes on sleeping, since nobody has told it.
    scalar("SELECT pg_terminate_backend(%s)", pids)
    assert told.named("worker.connection_cut")
    assert {f["after_seconds"] for f in told.named("worker.connection_cut")} == {0.1}


def test_a_connection_that_nobody_uses_is_not_cut(bench: Bench, told: Told) -> None:
    engine = bench.engine()
    dog = watchdog(bench, Runs(), watched=[engine], stall_seconds=0.0)
    with engine.borrowed() as connection, connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    dog.run_once()
    assert told.named("worker.connection_cut") == []


def test_a_deadline_is_kept_however_long_the_database_takes(
    bench: Bench, register: Register
) -> None:
    """An outcome waits to be written, and writing it would take until the gate is opened."""
    factories.job()
    exchange = bench.exchange()
    job = exchange.swap(None)
    assert job is not None
    runs = Runs()
    dog = Watchdog(exchange._engine, exchange, runs, watched=[], stall_seconds=60)
    go_on = threading.Event()

    def handler() -> None:
        while not go_on.is_set():
            """Busy in Python."""

    late = claimed(register(handler), timeout_seconds=0.05)
    with gate(becomes("succeeded")):
        exchange.submit(succeed(job))
        dog.start()
        try:
            # Long enough for anybody who flushes to have begun.
            wait_until(lambda: exchange.outcomes_waiting_seconds() > 0.4)
            with running(lambda: execute(late, runs)) as thread:
                try:
                    assert thread.wait(5)[0] is None
                finally:
                    go_on.set()
        finally:
            dog.stop(0.1)


def test_at_the_end_of_the_grace_running_jobs_are_given_back_unspent(bench: Bench) -> None:
    rows = factories.jobs(3, JobStatus.RUNNING)
    runs = Runs()
    dog = watchdog(bench, runs, watched=[])
    made = []
    for row in rows:
        run = Run(factories.claimed(row), context_of(factories.claimed(row)), ANY)
        runs.add(run)
        dog._exchange._ledger.own([run.job])
        made.append(run)
    assert made[0].settle()
    assert dog.release_all("shutdown", 1.0) == 2
    assert not any(run.settle() for run in made)
    # A handler that looks will see that its work is for nothing.
    assert [run.context.lease_lost for run in made] == [False, True, True]
    dog._exchange.flush()
    for row in rows[1:]:
        row.refresh_from_db()
        assert (row.status, row.attempts) == (JobStatus.SCHEDULED, 0)
        assert factories.history(row.pk) == [("released", "running", "scheduled")]
    rows[0].refresh_from_db()
    assert rows[0].status == JobStatus.RUNNING


def test_the_outcome_of_a_handler_that_was_given_back_no_longer_counts(
    bench: Bench, register: Register
) -> None:
    runs = Runs()
    dog = watchdog(bench, runs, watched=[])
    go_on = threading.Event()
    job = claimed(register(lambda: go_on.wait(20), name="tests.waits"))
    with running(lambda: execute(job, runs)) as thread:
        wait_until(lambda: len(runs) == 1)
        assert dog.release_all("shutdown", 1.0) == 1
        go_on.set()
        assert thread.wait()[0] is None
    assert [o.verb for o in dog._exchange._ledger.outcomes] == [Verb.RELEASE]
