from __future__ import annotations

import pytest

from jobs.worker.choice import Choice
from jobs.worker.forecast import Forecast


def choice(*, batch_size: int = 200, horizon: float = 0.05, **seconds: float) -> Choice:
    """With the async task `waits`; handlers take so many seconds."""
    forecast = Forecast(horizon)
    for task, each in seconds.items():
        forecast.observe(task, each)
    made = Choice(forecast, batch_size)
    made.async_tasks = frozenset(["waits"])
    return made


def test_each_kind_is_taken_as_far_as_there_is_room_for_it() -> None:
    made = choice()
    made.begin(idle=2, free=2, most=None)
    tasks = ["plain", "waits", "waits", "waits", "plain", "plain"]
    assert made.choose(tasks) == [0, 1, 2, 4]


def test_a_full_loop_keeps_no_job_from_a_thread() -> None:
    made = choice()
    made.begin(idle=2, free=0, most=None)
    assert made.choose(["waits", "waits", "plain"]) == [2]


def test_with_no_async_task_a_pick_is_what_the_threads_need() -> None:
    made = choice(plain=0.01)
    made.async_tasks = frozenset()
    assert made.begin(idle=4, free=1000, most=None) == 4 + 4 * 5
    chosen = list(made.choose(["plain"] * 30))
    assert chosen == list(range(len(chosen)))
    assert len(chosen) > 20
    assert made.ahead() is None


def test_short_jobs_are_taken_ahead_for_threads_whatever_stands_between_them() -> None:
    made = choice(plain=0.001, waits=60.0)
    made.begin(idle=1, free=1, most=None)
    assert made.choose(["plain", "waits", "plain", "waits", "plain"]) == [0, 1, 2, 4]


def test_a_pick_leaves_as_much_room_for_async_jobs_as_they_have_needed_of_late() -> None:
    made = choice()
    assert made.begin(idle=2, free=500, most=None) == 3
    made.choose(["waits"] * 3)
    made.took(["waits"] * 50)
    assert made.begin(idle=2, free=500, most=None) == 2 + 101
    made.choose(["plain"] * 103)
    made.took(["plain"] * 2)
    assert made.begin(idle=2, free=500, most=None) == 3


def test_without_an_idle_thread_no_sync_job_is_locked_and_async_ones_are_looked_for() -> None:
    made = choice(batch_size=50)
    assert made.begin(idle=0, free=80, most=None) == 0
    assert list(made.choose([])) == []
    wanted = made.ahead()
    assert wanted is not None
    assert (wanted.among, wanted.limit, set(wanted.tasks)) == (True, 50, {"waits"})


@pytest.mark.parametrize(("picked", "among", "limit"), [("plain", True, 6), ("waits", False, 4)])
def test_behind_a_pick_of_one_kind_the_other_is_looked_for(
    picked: str, among: bool, limit: int
) -> None:
    made = choice()
    count = made.begin(idle=4, free=6, most=None)
    made.choose([picked] * count)
    wanted = made.ahead()
    assert wanted is not None
    assert (wanted.among, wanted.limit) == (among, limit)


def test_what_was_looked_for_in_vain_is_not_looked_for_again_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, now = choice(), 100.0
    monkeypatch.setattr("jobs.worker.choice.time.monotonic", lambda: now)

    def look() -> bool:
        made.begin(idle=1, free=5, most=None)
        made.choose(["plain", "plain"])
        return made.ahead() is not None

    assert look()
    made.took(["plain"])
    assert not look()
    now += 0.2
    assert look()
    made.took(["plain", "waits"])
    assert look()


def test_no_more_are_taken_than_the_number_asked_for() -> None:
    made = choice()
    assert made.begin(idle=5, free=5, most=3) == 3
    assert made.choose(["waits", "waits", "plain"]) == [0, 1, 2]
    assert made.ahead() is None


def test_a_claim_that_filled_either_kind_is_followed_by_another() -> None:
    made = choice()

    def more(tasks: list[str], *, idle: int, free: int) -> bool:
        made.begin(idle=idle, free=free, most=None)
        return made.took(tasks)

    assert more(["plain", "plain"], idle=2, free=9)
    assert more(["waits"], idle=2, free=1)
    assert not more(["waits"], idle=2, free=9)
    assert not more(["plain"], idle=2, free=0)
    assert not more([], idle=0, free=0)
    assert more(["waits"] * 200, idle=0, free=5000)
