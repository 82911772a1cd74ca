from __future__ import annotations

import queue
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import DatabaseError, connection, connections, transaction
from django.test import override_settings
from psycopg import IsolationLevel

from jobs.models import Job
from jobs.store.connections import EngineConnection, alias
from tests.support import factories
from tests.support.database import backend_pid, scalar
from tests.support.threads import Worker, together
from tests.support.waiting import wait_until

pytestmark = pytest.mark.usefixtures("committed_db")


@pytest.fixture
def engine(committed_db: None) -> Iterator[EngineConnection]:
    made = EngineConnection()
    yield made
    made.close()


class QueueElsewhere:
    """A router that keeps the queue in a database of its own."""

    def db_for_write(self, model: Any, **hints: Any) -> str | None:
        return "queue" if model is Job else None


def test_the_queue_is_where_the_setting_or_else_the_router_says() -> None:
    assert alias() == "default"
    with override_settings(DATABASE_ROUTERS=[QueueElsewhere()]):
        assert alias() == "queue"
        with override_settings(QFORGE={"DATABASE": "said"}):
            assert alias() == "said"


def test_within_the_block_the_orm_uses_the_engines_connection(engine: EngineConnection) -> None:
    own = connections["default"]
    with engine.borrowed() as lent:
        assert connections["default"] is lent is not own
        factories.job()
    assert connections["default"] is own
    assert Job.objects.count() == 1


def test_the_threads_own_connection_comes_back_after_an_error(engine: EngineConnection) -> None:
    own = connections["default"]
    with pytest.raises(RuntimeError), engine.borrowed():
        raise RuntimeError
    assert connections["default"] is own


@pytest.mark.postgres
def test_a_handlers_broken_transaction_does_not_touch_the_engine(engine: EngineConnection) -> None:
    with transaction.atomic():
        with pytest.raises(DatabaseError):
            scalar("SELECT 1/0")
        with engine.borrowed():
            assert scalar("SELECT 1") == 1
        transaction.set_rollback(True)


@pytest.mark.postgres
def test_a_handler_that_closes_its_connection_does_not_close_the_engines(
    engine: EngineConnection,
) -> None:
    with engine.borrowed():
        before = backend_pid()
    connections.close_all()
    with engine.borrowed():
        assert backend_pid() == before


def test_any_thread_may_borrow_and_one_at_a_time(engine: EngineConnection) -> None:
    inside, most = [0], [0]

    def use() -> None:
        for _ in range(20):
            with engine.borrowed():
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                scalar("SELECT 1")
                inside[0] -= 1

    together([use] * 4)
    assert most == [1]


@pytest.mark.postgres
def test_a_discarded_connection_is_replaced_at_the_next_use(engine: EngineConnection) -> None:
    with engine.borrowed():
        before = backend_pid()
    engine.discard()
    with engine.borrowed():
        after = backend_pid()
    assert after != before
    wait_until(lambda: not scalar("SELECT 1 FROM pg_stat_activity WHERE pid = %s", [before]))


@pytest.mark.postgres
def test_a_connection_cut_by_the_server_is_an_error_once(engine: EngineConnection) -> None:
    with engine.borrowed():
        victim = backend_pid()
    scalar("SELECT pg_terminate_backend(%s, 5000)", [victim])
    with engine.borrowed(), pytest.raises(DatabaseError):
        scalar("SELECT 1")
    engine.discard()
    with engine.borrowed():
        assert scalar("SELECT 1") == 1


@pytest.mark.postgres
def test_a_use_that_stalls_can_be_cut_short_from_another_thread(engine: EngineConnection) -> None:
    pids: queue.Queue[int] = queue.Queue()

    def sleep() -> None:
        with engine.borrowed():
            pids.put(backend_pid())
            scalar("SELECT pg_sleep(60)")

    worker = Worker(sleep)
    worker.start()
    pid = pids.get(timeout=10)
    assert not engine.abort_if_stalled(600)
    assert engine.abort_if_stalled(0)
    with pytest.raises(DatabaseError):
        worker.wait(10)
    assert not engine.abort_if_stalled(0)
    # The server itself would find out only when it is done.
    scalar("SELECT pg_terminate_backend(%s, 5000)", [pid])


def test_statements_are_not_collected_in_debug_mode(engine: EngineConnection) -> None:
    with override_settings(DEBUG=True), engine.borrowed() as lent:
        for _ in range(10):
            scalar("SELECT 1")
        assert list(lent.queries_log) == []


def engine_with(monkeypatch: pytest.MonkeyPatch, **options: Any) -> EngineConnection:
    """An engine's connection in a project whose database has these OPTIONS."""
    with monkeypatch.context() as patch:
        theirs = connection.settings_dict["OPTIONS"] | options
        patch.setitem(connection.settings_dict, "OPTIONS", theirs)
        return EngineConnection()


@pytest.mark.postgres
@pytest.mark.parametrize(
    "options",
    [
        {"isolation_level": IsolationLevel.SERIALIZABLE},
        {"options": "-c default_transaction_isolation=serializable"},
    ],
    ids=["the project's", "the server's"],
)
def test_the_engine_reads_what_is_committed_whatever_isolation_is_the_default(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = engine_with(monkeypatch, **options)
    with strict.borrowed(), transaction.atomic():
        assert scalar("SHOW transaction_isolation") == "read committed"
    strict.close()


@pytest.mark.postgres
def test_the_engine_takes_no_connection_out_of_a_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = engine_with(monkeypatch, pool=True)
    with engine.borrowed() as lent:
        assert scalar("SELECT 1") == 1
        assert lent.pool is None
    engine.close()
