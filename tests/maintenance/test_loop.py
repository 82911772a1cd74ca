"""The form of every background loop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from jobs.maintenance.loop import Service
from jobs.maintenance.promote import Promote
from jobs.maintenance.prune import Prune
from jobs.maintenance.rescue import Rescue
from jobs.maintenance.schedules import Schedules
from jobs.store.connections import EngineConnection
from tests.support.database import scalar
from tests.support.events import Told
from tests.support.waiting import wait_until


class Counting(Service):
    """Counts its passes, and fails as often as it is told to."""

    name = "counting"

    def __init__(self, interval_seconds: float = 60.0, failing: int = 0) -> None:
        super().__init__(EngineConnection())
        self.interval_seconds = interval_seconds
        self.failing = failing
        self.passes = 0
        self.pause: float | None = None
        self.entered = threading.Event()
        self.go_on = threading.Event()
        self.go_on.set()

    def run_once(self) -> float | None:
        self.passes += 1
        self.entered.set()
        assert self.go_on.wait(20)
        if self.failing:
            self.failing -= 1
            raise ValueError("wrong")
        return self.pause


def test_a_service_runs_at_its_interval() -> None:
    service = Counting(0.01)
    service.start()
    wait_until(lambda: service.passes >= 5)
    service.stop()


def test_a_pass_may_ask_for_the_next_at_another_time() -> None:
    service = Counting(60.0)
    service.pause = 0.0
    service.start()
    wait_until(lambda: service.passes >= 5)
    service.stop()
    assert Counting(60.0)._pass() == 60.0


def test_a_wake_up_brings_the_next_pass_at_once() -> None:
    service = Counting(60.0)
    service.start()
    for passes in range(1, 5):
        wait_until(lambda wanted=passes: service.passes == wanted)
        service.wake()
    service.stop()


def test_a_wake_up_during_a_pass_is_not_missed() -> None:
    service = Counting(60.0)
    service.go_on.clear()
    service.start()
    assert service.entered.wait(10)
    service.wake()
    service.go_on.set()
    wait_until(lambda: service.passes == 2)
    service.stop()


def test_a_service_outlives_errors_and_tells_of_the_first_and_of_the_end(told: Told) -> None:
    service = Counting(0.01, failing=3)
    service.start()
    wait_until(lambda: service.last_success is not None)
    service.stop()
    assert service.failures == 0
    assert told.named("service.failing") == [{"service": "counting", "error": "wrong"}]
    assert told.named("service.recovered") == [{"service": "counting", "failures": 3}]


def test_after_errors_pauses_grow_up_to_the_interval() -> None:
    service = Counting(5.0, failing=1_100)
    pauses = [service._pass() for _ in range(1_100)]
    for number, pause in enumerate(pauses[:10]):
        full = min(0.2 * 2 ** (number + 1), 5.0)
        assert full / 2 <= pause <= full
    assert max(pauses) <= 5


def test_even_a_service_without_pauses_makes_one_after_an_error() -> None:
    service = Counting(0.0, failing=1)
    assert service._pass() >= 0.1


def test_the_age_of_a_service_is_counted_from_its_last_good_pass() -> None:
    service = Counting()
    assert service.age_seconds is None
    service._pass()
    first = service.last_success
    service.failing = 1
    service._pass()
    assert service.last_success == first
    assert service.last_success is not None
    service.last_success -= 60
    assert service.age_seconds == pytest.approx(60, abs=1)


def test_a_service_that_sleeps_stops_at_once() -> None:
    for _ in range(50):
        service = Counting(60.0)
        service.start()
        started = time.monotonic()
        service.stop(10)
        assert service._thread is not None
        assert not service._thread.is_alive()
        assert time.monotonic() - started < 5


def test_a_stop_that_comes_as_a_turn_begins_is_not_slept_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    service = Counting(60.0)
    clear = service._wakeup.clear

    def stop_just_before() -> None:
        service.stop()
        clear()

    monkeypatch.setattr(service._wakeup, "clear", stop_just_before)
    service.start()
    assert service._thread is not None
    service._thread.join(10)
    assert not service._thread.is_alive()
    assert service.passes == 0


def test_stopping_waits_for_the_pass_that_is_under_way_but_not_for_ever() -> None:
    service = Counting(60.0)
    service.go_on.clear()
    service.start()
    assert service.entered.wait(10)
    service.stop(0.01)
    assert service._thread is not None
    assert service._thread.is_alive()
    service.go_on.set()
    service.stop()
    assert not service._thread.is_alive()
    assert service.passes == 1


def test_a_service_that_was_never_started_may_be_stopped() -> None:
    Counting().stop()


def test_a_service_must_say_what_a_pass_does() -> None:
    with pytest.raises(NotImplementedError, match="Service must say what one pass does"):
        Service(EngineConnection()).run_once()


SERVICES: dict[str, Callable[[EngineConnection], Service]] = {
    "rescue": lambda engine: Rescue(engine, worker="w", heartbeat_seconds=0.01),
    "promote": Promote,
    "prune": Prune,
    "schedules": Schedules,
}


@pytest.mark.postgres
@pytest.mark.parametrize("name", SERVICES)
def test_each_service_goes_on_after_its_connection_was_cut(
    engine: EngineConnection, name: str
) -> None:
    service = SERVICES[name](engine)
    service._pass()
    assert (service.failures, service.last_success is None) == (0, False)
    with engine.borrowed() as connection:
        pid = connection.connection.info.backend_pid
    scalar("SELECT pg_terminate_backend(%s)", [pid])
    wait_until(lambda: not scalar("SELECT count(*) FROM pg_stat_activity WHERE pid = %s", [pid]))
    service._pass()
    assert service.failures == 1
    service._pass()
    assert service.failures == 0
