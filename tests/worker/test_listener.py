"""The listener: it hears, comes back after a cut, and knows where it hears nothing."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from django.db import connection, connections

from jobs.store import notify
from jobs.store.connections import EngineConnection
from jobs.worker.listener import Listener
from tests.support.database import scalar
from tests.support.events import Told
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("committed_db")]


def send(message: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [notify.CHANNEL, message])


class Ears:
    """A listener that keeps what it hears, with the engines it uses."""

    def __init__(self) -> None:
        self.engine = EngineConnection()
        self.prober = EngineConnection()
        self.heard: list[str] = []
        self.connected = 0
        self.listener = Listener(self.engine, self.prober, self.heard.append, self._on_connect)

    def _on_connect(self) -> None:
        self.connected += 1

    @property
    def pid(self) -> int:
        return int(self.listener._raw.info.backend_pid)

    def close(self) -> None:
        self.listener.stop()
        self.engine.close()
        self.prober.close()


@pytest.fixture
def ears(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ears]:
    # A listener stops at its next turn; the tests need not wait a second for each.
    monkeypatch.setattr("jobs.worker.listener._WAIT_SECONDS", 0.1)
    made = Ears()
    yield made
    made.close()


def test_a_message_is_heard_and_passed_on(ears: Ears, told: Told) -> None:
    ears.listener.start()
    wait_until(lambda: told.named("worker.listening"))
    assert ears.connected == 1
    send("queue:mail")
    send("scheduled")
    wait_until(lambda: ears.heard == ["queue:mail", "scheduled"])
    assert ears.listener.works


def test_messages_of_other_channels_are_not_heard(ears: Ears, told: Told) -> None:
    ears.listener.start()
    wait_until(lambda: told.named("worker.listening"))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify('other', 'queue:mail')")
    send("last")
    wait_until(lambda: ears.heard)
    assert ears.heard == ["last"]


def test_a_connection_that_is_cut_is_made_again_with_a_catch_up(ears: Ears, told: Told) -> None:
    ears.listener.start()
    wait_until(lambda: told.named("worker.listening"))
    pid = ears.pid
    assert scalar("SELECT pg_terminate_backend(%s)", [pid])
    # What is sent meanwhile is lost, so whoever wakes up looks again.
    wait_until(lambda: ears.connected == 2, seconds=5)
    wait_until(lambda: ears.pid != pid)
    send("queue:mail")
    wait_until(lambda: ears.heard == ["queue:mail"], seconds=5)
    assert [fields["service"] for fields in told.named("service.failing")] == ["listener"]
    wait_until(lambda: told.named("service.recovered"))
    # That notifications arrive here was proved once and for all.
    assert len(told.named("worker.listening")) == 1


def test_a_cut_that_nobody_tells_of_is_found_by_asking(
    ears: Ears,
) -> None:
    ears.listener._pass()
    pid = ears.pid
    ears.listener._checked_at -= 60
    ears.listener._pass()
    assert ears.pid == pid
    before = ears.listener._checked_at
    ears.listener._pass()
    # Not at every turn, though.
    assert ears.listener._checked_at == before


@pytest.fixture
def deaf(ears: Ears, monkeypatch: pytest.MonkeyPatch) -> Ears:
    """Notifications do not arrive, as behind a transaction pooler: they are those of another
    database."""
    monkeypatch.setattr("jobs.worker.listener._PROBE_SECONDS", 0.1)
    ears.engine._wrapper.settings_dict["NAME"] = "postgres"
    return ears


def test_where_notifications_do_not_arrive_the_pool_says_so_once_and_polls(
    deaf: Ears, told: Told
) -> None:
    deaf.listener.run_once()
    assert deaf.listener.works is False
    assert [event for event, _ in told] == ["worker.polling_only"]
    for _ in range(2):
        assert deaf.listener.run_once() == 60
    assert [event for event, _ in told] == ["worker.polling_only"]
    # The polls of the pool need no connection that hears nothing.
    assert deaf.engine._wrapper.connection is None


def test_where_notifications_arrive_after_all_it_is_found_out(deaf: Ears, told: Told) -> None:
    """The database may only have been slow when it was tried."""
    deaf.listener.run_once()
    deaf.engine.discard()
    assert deaf.listener.run_once() == 0
    assert deaf.listener.works
    assert [event for event, _ in told] == ["worker.polling_only", "worker.listening"]


def test_the_pool_looks_for_work_even_where_it_hears_nothing(deaf: Ears) -> None:
    deaf.listener.run_once()
    assert deaf.connected == 1


def test_a_message_that_comes_before_the_probe_is_passed_on(
    ears: Ears,
) -> None:
    ears.listener._on_connect = lambda: send("early")
    ears.listener.run_once()
    assert ears.listener.works
    assert ears.heard == ["early"]


def test_a_listener_whose_database_is_away_keeps_trying_with_pauses(
    ears: Ears, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as away:
        away.setitem(connections.settings["default"], "PORT", "1")
        ears.engine.discard()
        pauses = [ears.listener._pass() for _ in range(6)]
    assert ears.listener.failures == 6
    assert min(pauses) >= 0.1
    assert max(pauses) <= 1
    assert len(told.named("service.failing")) == 1
    ears.engine.discard()
    ears.listener._pass()
    assert (ears.listener.failures, ears.listener.works) == (0, True)


def test_a_listener_that_waits_stops_soon(
    ears: Ears, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    ears.listener.start()
    wait_until(lambda: told.named("worker.listening"))
    ears.listener.stop(3)
    assert ears.listener._thread is not None
    assert not ears.listener._thread.is_alive()


def test_the_driver_keeps_what_arrives_while_nobody_listens() -> None:
    """Between two passes, and during the check, messages must not fall under the table."""
    parameters = connections["default"].get_connection_params()
    kept = ("dbname", "user", "password", "host", "port")
    wanted = {key: parameters[key] for key in kept if key in parameters}
    with psycopg.connect(**wanted, autocommit=True) as raw:
        raw.execute(f"LISTEN {notify.CHANNEL}")
        send("between")
        raw.execute("SELECT 1")
        assert [notice.payload for notice in raw.notifies(timeout=5, stop_after=1)] == ["between"]
