"""The supervisor's bookkeeping; real child processes are in tests/process."""

from __future__ import annotations

import signal
import time
from typing import Any

import pytest

from jobs.worker.exits import Exit
from jobs.worker.options import PoolOptions
from jobs.worker.supervisor import Supervisor
from tests.support.events import Told


class Child:
    """Stands for a process that has ended, or still runs."""

    def __init__(self, exitcode: int | None) -> None:
        self.exitcode = exitcode
        self.terminated = 0

    def is_alive(self) -> bool:
        return self.exitcode is None

    def join(self) -> None:
        """There is nothing to wait for."""

    def terminate(self) -> None:
        self.terminated += 1


def supervisor(*codes: int | None, lived: float = 1.0, **options: Any) -> Supervisor:
    """One whose children have ended with these codes, None being one that runs."""
    made = Supervisor(PoolOptions(**options), len(codes))
    for slot, code in zip(made._slots, codes, strict=True):
        slot.process = Child(code)
        slot.started = time.monotonic() - lived
    return made


def reap(made: Supervisor) -> list[tuple[Any, int | None]]:
    """Reap all slots; per slot the process that is left and the code it is done with."""
    for slot in made._slots:
        made._reap(slot)
    return [(slot.process, slot.done) for slot in made._slots]


def pauses(made: Supervisor) -> list[float]:
    now = time.monotonic()
    return [max(slot.not_before - now, 0.0) for slot in made._slots]


def test_a_pool_that_runs_is_left_alone() -> None:
    made = supervisor(None)
    child = made._slots[0].process
    assert reap(made) == [(child, None)]


@pytest.mark.parametrize("code", [0, 1, -9, 5])
def test_a_pool_that_ends_unasked_is_replaced_after_a_pause(code: int, told: Told) -> None:
    made = supervisor(code)
    assert reap(made) == [(None, None)]
    assert 0.3 < pauses(made)[0] <= 0.5
    assert [(f["pool"], f["exit_code"]) for f in told.named("pool.died")] == [(0, code)]


def test_pauses_grow_with_each_early_death_up_to_half_a_minute() -> None:
    made = supervisor(1)
    slot = made._slots[0]
    found = []
    for _ in range(9):
        slot.process = Child(1)
        slot.started = time.monotonic()
        made._reap(slot)
        found.append(pauses(made)[0])
    assert found == [pytest.approx(min(0.5 * 2**n, 30), rel=0.21) for n in range(9)]


def test_a_pool_that_has_died_for_days_on_end_is_still_replaced() -> None:
    made = supervisor(1)
    made._slots[0].crashes = 100_000
    assert reap(made) == [(None, None)]
    assert pauses(made)[0] <= 30


def test_a_pool_that_lived_long_is_replaced_at_once() -> None:
    made = supervisor(-9, lived=31)
    made._slots[0].crashes = 8
    reap(made)
    assert pauses(made) == [0.0]


def test_a_pool_with_stuck_threads_is_replaced_at_once_even_when_it_should_drain() -> None:
    made = supervisor(Exit.RECYCLE, drain=True)
    assert reap(made) == [(None, None)]
    assert pauses(made) == [0.0]


@pytest.mark.parametrize("options", [{"drain": True}, {"max_jobs": 5}])
def test_a_pool_that_is_through_is_not_replaced(options: dict[str, Any]) -> None:
    assert reap(supervisor(0, 6, **options)) == [(None, 0), (None, 6)]


def test_a_pool_that_was_killed_while_it_drained_is_replaced() -> None:
    assert reap(supervisor(-9, drain=True)) == [(None, None)]


def test_after_a_signal_nothing_is_replaced() -> None:
    made = supervisor(-9, 0)
    made._handle(signal.SIGTERM, None)
    assert reap(made) == [(None, -9), (None, 0)]
    made._start_due()
    assert [slot.process for slot in made._slots] == [None, None]


def test_every_signal_is_passed_on_to_the_pools_that_run() -> None:
    made = supervisor(None, 0)
    running, ended = (slot.process for slot in made._slots)
    made._handle(signal.SIGINT, None)
    made._handle(signal.SIGINT, None)
    assert (running.terminated, ended.terminated) == (2, 0)


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ((0, 0), 0),
        ((0, Exit.RELEASED), Exit.RELEASED),
        ((Exit.JOB_FAILED, 0), Exit.JOB_FAILED),
        ((-signal.SIGTERM, 0), 0),
        ((-signal.SIGKILL, 0), Exit.ERROR),
    ],
)
def test_the_worst_pool_decides_the_exit_code(codes: tuple[int, ...], expected: int) -> None:
    made = supervisor(*codes)
    made._handle(signal.SIGTERM, None)
    reap(made)
    assert made._exit_code() == expected


@pytest.mark.parametrize(("number", "expected"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_second_signal_is_told_by_the_exit_code(number: signal.Signals, expected: int) -> None:
    made = supervisor(Exit.RELEASED)
    made._handle(signal.SIGTERM, None)
    made._handle(number, None)
    reap(made)
    assert made._exit_code() == expected
