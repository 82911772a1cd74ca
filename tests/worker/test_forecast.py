from __future__ import annotations

import math

import pytest

from jobs.worker.forecast import Forecast


def forecast(horizon: float = 0.05, **seconds: float) -> Forecast:
    made = Forecast(horizon)
    for task, each in seconds.items():
        made.observe(task, each)
    return made


def test_a_task_not_seen_yet_counts_as_long() -> None:
    assert forecast().seconds("new") == math.inf


def test_the_first_sample_is_the_average_and_later_ones_move_it() -> None:
    made = forecast(a=1.0)
    assert made.seconds("a") == 1.0
    made.observe("a", 2.0)
    assert made.seconds("a") == pytest.approx(1.2)


def test_a_task_that_turns_long_is_soon_believed_to_be() -> None:
    made = forecast(a=0.001)
    made.observe("a", 1.0)
    assert made.seconds("a") > made.horizon_seconds


def test_a_handler_that_takes_no_time_does_not_divide_by_zero() -> None:
    made = forecast(a=0.0)
    assert made.limit(4, 200) == 200


def test_before_anything_was_measured_one_job_is_picked_for_each_idle_thread() -> None:
    assert forecast().limit(8, 200) == 8


def test_with_short_jobs_as_many_are_picked_as_would_start_within_the_horizon() -> None:
    assert forecast(a=0.01).limit(4, 200) == 4 + 4 * 5


def test_with_long_jobs_none_is_picked_ahead() -> None:
    assert forecast(a=10.0).limit(4, 200) == 4


def test_a_pick_is_never_larger_than_a_batch() -> None:
    assert forecast(a=0.0001).limit(8, 50) == 50
    assert forecast().limit(80, 50) == 50


def test_without_a_horizon_nothing_is_picked_ahead() -> None:
    made = forecast(0.0, a=0.0001)
    assert made.limit(3, 200) == 3
    assert made.choose(["a"] * 10, 3) == 3


def test_every_idle_thread_gets_one_job_however_long_it_is() -> None:
    assert forecast(long=60.0).choose(["long", "new", "long"], 3) == 3


def test_nothing_is_taken_of_an_empty_pick() -> None:
    assert forecast(a=0.001).choose([], 3) == 0


def test_a_pick_smaller_than_the_idle_threads_is_taken_whole() -> None:
    assert forecast().choose(["new", "new"], 3) == 2


@pytest.mark.parametrize("behind", ["long", "new"])
def test_a_long_or_unknown_job_is_never_taken_ahead(behind: str) -> None:
    made = forecast(short=0.001, long=60.0)
    assert made.choose(["short", "short", behind], 2) == 2


@pytest.mark.parametrize("behind", ["long", "new"])
def test_nothing_behind_a_long_or_unknown_job_is_taken_ahead(behind: str) -> None:
    made = forecast(short=0.001, long=60.0)
    assert made.choose(["short", "short", behind, "short", "short"], 1) == 2


def test_jobs_are_taken_ahead_until_the_horizon_is_full() -> None:
    made = forecast(a=0.02)
    assert made.choose(["a"] * 100, 1) == 1 + 2
    assert made.choose(["a"] * 100, 3) == 3 + 7


@pytest.mark.parametrize("first", ["long", "new"])
def test_a_thread_that_starts_a_long_job_will_not_start_another_soon(first: str) -> None:
    made = forecast(short=0.02, long=60.0)
    # Of two threads one is taken up for long, so only the other's time is there to fill.
    assert made.choose([first, "short", *["short"] * 100], 2) == 2 + 2
    assert made.choose([first, *["short"] * 100], 1) == 1
