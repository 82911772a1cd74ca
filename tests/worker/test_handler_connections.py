"""Whatever a job does to its thread's connections, the next one finds a clean connection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, connection, connections, transaction
from django.test import override_settings

from jobs import client
from jobs.models import Job
from jobs.states import Verb
from jobs.store.values import Outcome
from jobs.worker import handler_connections
from jobs.worker.executor import execute
from jobs.worker.runs import Runs
from tests.support import factories
from tests.support.database import backend_pid, scalar, second_connection
from tests.support.threads import running
from tests.support.waiting import wait_until
from tests.worker.attempts import attempts, claimed

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("committed_db")]

Register = Callable[..., client.Task]

called: list[str] = []


def abort() -> None:
    """An aborted transaction that nobody rolls back."""
    transaction.atomic().__enter__()
    connection.cursor().execute("SELECT wrong")


def abort_quietly() -> None:
    transaction.atomic().__enter__()
    try:
        connection.cursor().execute("SELECT wrong")
    except DatabaseError:
        """As handlers do that catch too much."""


def leak() -> None:
    """An `atomic` that is never left, with a write and a callback."""
    transaction.atomic().__enter__()
    Job.objects.update(error="leaked")
    transaction.on_commit(lambda: called.append("leaked"))


def nest() -> None:
    transaction.atomic().__enter__()
    transaction.atomic().__enter__()


def switch_autocommit_off() -> None:
    transaction.set_autocommit(False)
    Job.objects.update(error="uncommitted")


def begin() -> None:
    """A transaction that Django does not know of."""
    connection.cursor().execute("BEGIN")
    Job.objects.update(error="begun")


def close() -> None:
    Job.objects.count()
    connection.close()


def close_inside() -> None:
    transaction.atomic().__enter__()
    Job.objects.count()
    connection.close()


def close_raw() -> None:
    Job.objects.count()
    connection.connection.close()


def close_all() -> None:
    connections.close_all()


def terminate() -> None:
    connection.cursor().execute("SELECT pg_terminate_backend(pg_backend_pid())")


def terminate_quietly() -> None:
    try:
        terminate()
    except DatabaseError:
        """As handlers do that catch too much."""


def terminate_inside() -> None:
    with transaction.atomic():
        terminate()


def leave_a_cursor_open() -> None:
    transaction.atomic().__enter__()
    connection.cursor().execute("DECLARE kept CURSOR FOR SELECT 1")


DIRT = [
    abort,
    abort_quietly,
    leak,
    nest,
    switch_autocommit_off,
    begin,
    close,
    close_inside,
    close_raw,
    close_all,
    terminate,
    terminate_quietly,
    terminate_inside,
    leave_a_cursor_open,
]


def probe() -> dict[str, Any]:
    """What the job finds, as far as it is not as it should be, and whether a write stays."""
    Job.objects.update(error="probed")
    found = {
        "atomic": connection.in_atomic_block,
        "autocommit": connection.get_autocommit(),
        "callbacks": len(connection.run_on_commit),
        "savepoints": len(connection.savepoint_ids),
        "transaction": connection.connection.info.transaction_status.name,
        "alive": scalar("SELECT 1"),
    }
    with second_connection() as other, other.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM jobs WHERE error <> 'probed'")
        found["lost_writes"] = cursor.fetchone()[0]
    return found


CLEAN = (
    '{"atomic":false,"autocommit":true,"callbacks":0,"savepoints":0,"transaction":"IDLE",'
    '"alive":1,"lost_writes":0}'
)


@pytest.mark.parametrize("dirt", DIRT, ids=lambda dirt: dirt.__name__)
def test_the_job_after_a_dirty_one_finds_a_clean_connection(
    register: Register, dirt: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Kept for ever, or closing it for its age would clean it up.
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", None)
    called.clear()
    row = factories.job(error="as it was")
    dirty = register(dirt, name="tests.dirty")
    clean = register(probe, name="tests.probe")
    outcomes = attempts([claimed(task) for task in (clean, dirty, clean, dirty, clean)])
    assert [o.result for o in outcomes[::2]] == [CLEAN] * 3
    assert {o.verb for o in outcomes[1::2]} <= {Verb.SUCCEED, Verb.FAIL}
    row.refresh_from_db()
    assert row.error == "probed"
    assert called == []


def test_what_a_job_committed_stays_and_its_callbacks_have_run(register: Register) -> None:
    called.clear()
    row = factories.job()

    def handler() -> None:
        with transaction.atomic():
            Job.objects.update(error="written")
            transaction.on_commit(lambda: called.append("on commit"))

    attempts([claimed(register(handler))])
    row.refresh_from_db()
    assert (row.error, called) == ("written", ["on commit"])


def test_a_connection_that_is_clean_is_kept(
    register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", None)
    pid = register(backend_pid, name="tests.pid")
    first, second = attempts([claimed(pid), claimed(pid)])
    assert first.result == second.result


def test_with_no_age_a_connection_is_closed_after_each_job(
    register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)
    pid = register(backend_pid, name="tests.pid")
    first, second = attempts([claimed(pid), claimed(pid)])
    assert first.result != second.result


def end_backend(pid: int) -> None:
    with second_connection() as other:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s)", [pid])

        def gone() -> bool:
            with other.cursor() as cursor:
                cursor.execute("SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = %s", [pid])
                return bool(cursor.fetchone()[0])

        wait_until(gone)


@pytest.mark.parametrize("health_checks", [False, True])
@pytest.mark.parametrize("max_age", [0, 600, None])
def test_a_connection_that_the_server_closed_between_jobs_is_replaced(
    register: Register,
    monkeypatch: pytest.MonkeyPatch,
    max_age: int | None,
    health_checks: bool,
) -> None:
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", max_age)
    monkeypatch.setitem(connections.settings["default"], "CONN_HEALTH_CHECKS", health_checks)
    job = claimed(register(backend_pid, name="tests.pid"))
    runs = Runs()

    def work() -> list[Outcome | None]:
        found = []
        for _ in range(3):
            outcome = execute(job, runs)[0]
            found.append(outcome)
            if outcome is not None and outcome.result and connection.connection is not None:
                end_backend(int(outcome.result))
        return found

    with running(work) as thread:
        outcomes = thread.wait()
    assert [o.verb for o in outcomes if o is not None] == [Verb.SUCCEED] * 3
    assert len({o.result for o in outcomes if o is not None}) == 3


def test_an_outcome_is_stored_although_the_handler_lost_its_connection(register: Register) -> None:
    row = factories.job("running", task=register(terminate).name)
    (outcome,) = attempts([factories.claimed(row)])
    factories.finish(outcome)
    row.refresh_from_db()
    assert row.status == "scheduled"
    assert "AdminShutdown" in row.error or "OperationalError" in row.error


def test_every_alias_is_looked_after(register: Register, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = dict(connections.settings["default"])
    monkeypatch.setitem(connections.settings, "other", settings)
    seen: list[bool] = []

    def dirty() -> None:
        transaction.atomic(using="other").__enter__()
        connections["other"].cursor().execute("SELECT 1")

    def look() -> None:
        seen.append(connections["other"].in_atomic_block)

    attempts([claimed(register(dirty)), claimed(register(look))])
    assert seen == [False]


def test_the_query_log_does_not_grow_from_job_to_job(register: Register) -> None:
    lengths: list[int] = []

    def handler() -> None:
        lengths.append(len(connection.queries_log))
        for _ in range(5):
            Job.objects.count()

    task = register(handler)
    with override_settings(DEBUG=True):
        attempts([claimed(task) for _ in range(3)])
    assert lengths == [0, 0, 0]


def test_a_thread_that_goes_home_leaves_no_connection(register: Register) -> None:
    def work() -> int:
        Job.objects.count()
        pid = backend_pid()
        transaction.atomic().__enter__()
        handler_connections.close_all()
        assert list(connections.all(initialized_only=True)) == []
        return pid

    with running(work) as thread:
        pid = thread.wait()
    wait_until(lambda: not scalar("SELECT count(*) FROM pg_stat_activity WHERE pid = %s", [pid]))


def test_a_connection_that_cannot_even_be_asked_is_thrown_away(register: Register) -> None:
    def handler() -> None:
        Job.objects.count()
        connection.close_at = "never"

    task = register(handler)
    outcomes = attempts([claimed(task), claimed(task)])
    assert [o.verb for o in outcomes] == [Verb.SUCCEED] * 2
