"""How handlers and tasks steer what comes after an attempt: retries, snoozes, cancels, backoff."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import override_settings

from jobs import Cancel, PermanentError, Retry, RetryPolicy, Snooze, client
from jobs.states import Verb
from jobs.store.values import Outcome
from tests.worker.attempts import attempt

Register = Callable[..., client.Task]


def raised(register: Register, error: BaseException, **options: Any) -> Outcome:
    def handler() -> None:
        raise error

    return attempt(register(handler, name="tests.raises", **options))


def test_a_retry_asked_for_comes_when_it_was_asked_for(register: Register) -> None:
    outcome = raised(register, Retry("busy", after=42))
    assert (outcome.verb, outcome.delay_seconds, outcome.permanent) == (Verb.FAIL, 42, False)
    assert outcome.error == "jobs.errors.Retry: busy"


@pytest.mark.parametrize("after", [-1, float("nan"), "soon", True])
def test_a_retry_at_no_time_comes_after_the_backoff_of_the_task(
    register: Register, after: Any
) -> None:
    policy = RetryPolicy(base_seconds=7, cap_seconds=7, jitter=0)
    outcome = raised(register, Retry(after=after), backoff=policy)
    assert (outcome.permanent, outcome.delay_seconds) == (False, 7)


def test_a_snoozed_job_is_given_back_unspent(register: Register) -> None:
    outcome = raised(register, Snooze(90, "not yet"))
    assert (outcome.verb, outcome.delay_seconds) == (Verb.RELEASE, 90)
    assert outcome.data == {"reason": "not yet"}


@pytest.mark.parametrize("seconds", [-1, float("nan"), None])
def test_a_snooze_for_no_time_is_a_failed_attempt(register: Register, seconds: Any) -> None:
    outcome = raised(register, Snooze(seconds))
    assert (outcome.verb, outcome.permanent) == (Verb.FAIL, False)


def test_a_wait_beyond_all_bounds_is_cut_to_ten_years(register: Register) -> None:
    ten_years = 10 * 365 * 86400
    assert raised(register, Retry(after=10**400)).delay_seconds == ten_years
    assert raised(register, Snooze(10**400)).delay_seconds == ten_years


def test_a_handler_can_cancel_its_job(register: Register) -> None:
    outcome = raised(register, Cancel("no use"))
    assert (outcome.verb, outcome.data) == (Verb.CANCEL, {"reason": "no use"})


def test_a_permanent_error_leaves_no_further_attempt(register: Register) -> None:
    assert raised(register, PermanentError("gone")).permanent


def test_exceptions_that_the_task_calls_permanent_are(register: Register) -> None:
    assert raised(register, KeyError("x"), permanent=(LookupError,)).permanent
    assert not raised(register, ValueError("x"), permanent=(LookupError,)).permanent
    policy = RetryPolicy(permanent=(SystemExit,))
    assert raised(register, SystemExit(1), backoff=policy).permanent


def test_the_backoff_of_the_task_decides_on_the_wait(register: Register) -> None:
    def backoff(attempt: int, error: BaseException) -> float:
        return 100.0 * attempt + len(str(error))

    def handler() -> None:
        raise ValueError("four")

    outcome = attempt(register(handler, backoff=backoff), attempt=2)
    assert outcome.delay_seconds == 204


def test_a_backoff_that_says_none_leaves_no_further_attempt(register: Register) -> None:
    assert raised(register, ValueError("x"), backoff=lambda attempt, error: None).permanent


def broken_backoffs() -> dict[str, Callable[..., Any]]:
    def raises(error: BaseException) -> Callable[..., Any]:
        def backoff(attempt: int, other: BaseException) -> float:
            raise error

        return backoff

    return {
        "raises": raises(RuntimeError("broken")),
        "exits": raises(SystemExit(1)),
        "interrupts": raises(KeyboardInterrupt()),
        "says a word": lambda attempt, error: "soon",
        "says NaN": lambda attempt, error: float("nan"),
        "says infinity": lambda attempt, error: float("inf"),
        "says before": lambda attempt, error: -5,
        "takes no arguments": lambda: 5,
    }


@pytest.mark.parametrize("how", broken_backoffs())
@override_settings(QFORGE={"BACKOFF_BASE_SECONDS": 11, "BACKOFF_JITTER": 0})
def test_a_broken_backoff_costs_neither_attempts_nor_the_thread(
    register: Register, how: str
) -> None:
    outcome = raised(register, ValueError("x"), backoff=broken_backoffs()[how])
    assert (outcome.verb, outcome.permanent, outcome.delay_seconds) == (Verb.FAIL, False, 11)
    assert outcome.error == "ValueError: x"


def test_a_backoff_past_all_numbers_is_cut(register: Register) -> None:
    outcome = raised(register, ValueError("x"), backoff=lambda attempt, error: 10**400)
    assert outcome.delay_seconds == 10 * 365 * 86400
