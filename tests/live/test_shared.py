"""One value for many askers."""

from __future__ import annotations

import threading

import pytest

from jobs.live.shared import Shared
from tests.support.threads import together


class Clock:
    """Counts its calls, and can be held in the middle of one."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.entered = threading.Event()
        self.go = threading.Event()
        self.go.set()

    def make(self, using: str) -> int:
        self.calls.append(using)
        self.entered.set()
        assert self.go.wait(10)
        return len(self.calls)


def test_many_threads_at_once_cost_one_call() -> None:
    made = Clock()
    shared = Shared(made.make, seconds=60)
    found = together([lambda: shared.get("default")] * 8)
    assert (found, made.calls) == ([1] * 8, ["default"])


def test_each_database_has_a_value_of_its_own() -> None:
    made = Clock()
    shared = Shared(made.make, seconds=60)
    assert [shared.get("a"), shared.get("b"), shared.get("a")] == [1, 2, 1]


def test_a_value_holds_for_its_time_and_no_longer() -> None:
    made = Clock()
    assert [Shared(made.make, seconds=0).get("a") for _ in range(2)] == [1, 2]


def test_while_one_works_the_others_get_the_value_before() -> None:
    made = Clock()
    shared = Shared(made.make, seconds=0)
    assert shared.get("a") == 1
    made.go.clear()
    made.entered.clear()
    slow = threading.Thread(target=shared.get, args=("a",))
    slow.start()
    assert made.entered.wait(10)
    assert shared.get("a") == 1
    made.go.set()
    slow.join(10)
    assert made.calls == ["a", "a"]


def test_an_error_is_not_kept() -> None:
    answers: list[Exception | int] = [OSError("away"), 7]

    def make(using: str) -> int:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    shared = Shared(make, seconds=60)
    with pytest.raises(OSError, match="away"):
        shared.get("a")
    assert shared.get("a") == 7
