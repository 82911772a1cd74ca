"""What becomes of a handler's arguments, result and exceptions."""

from __future__ import annotations

import asyncio
import gc
import json
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from jobs import JobContext, RetryPolicy, client
from jobs.states import Verb
from tests.support.events import Told
from tests.support.waiting import wait_until
from tests.worker.attempts import attempt, attempts, claimed

Register = Callable[..., client.Task]


def test_a_handler_gets_its_arguments_and_its_result_is_the_outcome(register: Register) -> None:
    def handler(*args: Any, **payload: Any) -> Any:
        return [list(args), payload]

    outcome = attempt(register(handler), args=[1, "two"], payload={"a": {"b": None}})
    assert outcome.verb is Verb.SUCCEED
    assert outcome.result == '[[1,"two"],{"a":{"b":null}}]'
    assert outcome.data["run_seconds"] >= 0


def test_an_outcome_belongs_to_the_attempt_and_its_workflow(register: Register) -> None:
    job = claimed(register(lambda: None, name="tests.nothing"), workflow_id=5)
    outcome = attempts([job])[0]
    assert (outcome.job_id, outcome.token, outcome.workflow_id) == (job.id, job.token, 5)


def test_a_handler_that_returns_nothing_stores_nothing(register: Register) -> None:
    assert attempt(register(lambda: None, name="tests.nothing")).result is None


def test_a_context_is_given_to_whoever_asks_for_it(register: Register) -> None:
    seen: list[JobContext] = []

    def handler(a: int, context: JobContext) -> None:
        seen.append(context)

    job = claimed(
        register(handler, name="tests.mail"),
        payload={"a": 1},
        attempt=2,
        max_attempts=7,
        queue="mail",
        timeout_seconds=60.0,
    )
    assert attempts([job])[0].verb is Verb.SUCCEED
    context = seen[0]
    assert (context.job_id, context.task, context.queue) == (job.id, "tests.mail", "mail")
    assert (context.attempt, context.max_attempts) == (2, 7)
    assert context.deadline_seconds == pytest.approx(60, abs=5)
    assert context.logger.logger.name == "jobs.task.tests.mail"
    assert context.logger.extra == {"job_id": job.id, "attempt": 2}


def test_a_payload_key_named_context_is_not_lost_where_none_is_taken(register: Register) -> None:
    def handler(**payload: Any) -> Any:
        return payload

    assert attempt(register(handler), payload={"context": 1}).result == '{"context":1}'


def test_a_coroutine_function_is_awaited(register: Register) -> None:
    async def handler(a: int, context: JobContext) -> Any:
        await asyncio.sleep(0)
        return [a, context.attempt]

    assert attempt(register(handler), payload={"a": 3}, attempt=2).result == "[3,2]"


def failing(kind: str) -> tuple[Callable[[], None], Callable[[], Any]]:
    """The same failure from a function and from a coroutine function."""
    errors: dict[str, Callable[[], BaseException]] = {
        "Exception": lambda: ValueError("wrong"),
        "SystemExit": lambda: SystemExit(3),
        "KeyboardInterrupt": KeyboardInterrupt,
        "GeneratorExit": GeneratorExit,
        "CancelledError": asyncio.CancelledError,
        "StopIteration": lambda: StopIteration(1),
        "BaseException": lambda: BaseException("base"),
    }

    def plain() -> None:
        raise errors[kind]()

    async def coroutine() -> None:
        raise errors[kind]()

    return plain, coroutine


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("Exception", "ValueError: wrong"),
        ("SystemExit", "SystemExit: 3"),
        ("KeyboardInterrupt", "KeyboardInterrupt"),
        ("GeneratorExit", "GeneratorExit"),
        ("StopIteration", "StopIteration: 1"),
        ("BaseException", "BaseException: base"),
    ],
)
def test_whatever_a_handler_throws_is_an_outcome_and_the_thread_goes_on(
    register: Register, kind: str, error: str
) -> None:
    bad, good = register(failing(kind)[0], name="tests.bad"), register(lambda: 1, name="tests.good")
    outcomes = attempts([claimed(task) for task in (bad, good, bad, good)])
    assert [o.verb for o in outcomes] == [Verb.FAIL, Verb.SUCCEED] * 2
    assert outcomes[0].error == error
    assert not outcomes[0].permanent
    assert outcomes[0].delay_seconds > 0
    told = outcomes[0].data["error"]
    assert f"{told['type']}: {told['message']}".removesuffix(": ") == error
    assert "raise errors[kind]()" in told["traceback"]


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("Exception", "ValueError: wrong"),
        ("SystemExit", "SystemExit: 3"),
        ("KeyboardInterrupt", "KeyboardInterrupt"),
        ("GeneratorExit", "GeneratorExit"),
        ("CancelledError", "CancelledError"),
        ("StopIteration", "RuntimeError: coroutine raised StopIteration"),
        ("BaseException", "BaseException: base"),
    ],
)
def test_whatever_a_coroutine_throws_is_an_outcome_and_the_thread_goes_on(
    register: Register, kind: str, error: str
) -> None:
    bad, good = register(failing(kind)[1], name="tests.bad"), register(lambda: 1, name="tests.good")
    outcomes = attempts([claimed(task) for task in (bad, good, bad, good)])
    assert [o.verb for o in outcomes] == [Verb.FAIL, Verb.SUCCEED] * 2
    assert error in outcomes[0].error


def test_an_unknown_task_is_a_failed_attempt_that_says_so(told: Told) -> None:
    outcome = attempt("tests.gone")
    assert outcome.error == ("UnknownTask: no task named 'tests.gone' is registered in this worker")
    assert (outcome.verb, outcome.permanent) == (Verb.FAIL, False)
    assert outcome.delay_seconds > 0
    assert [fields["error"] for fields in told.named("job.finished")] == [outcome.error]


def test_arguments_that_no_longer_fit_the_handler_are_a_failed_attempt(register: Register) -> None:
    def handler(a: int) -> None:
        """Does nothing."""

    task = register(handler)
    assert "missing 1 required" in attempt(task).error
    assert "unexpected keyword" in attempt(task, payload={"a": 1, "b": 2}).error


@pytest.mark.parametrize("payload", [[1], "text", 5, None])
def test_a_payload_that_is_no_object_is_a_failed_attempt(register: Register, payload: Any) -> None:
    def handler(context: JobContext) -> None:
        """Does nothing."""

    assert attempt(register(handler), payload=payload).error.startswith("TypeError: ")


def test_how_each_attempt_ended_is_told(register: Register, told: Told) -> None:
    def handler() -> None:
        raise ValueError("wrong")

    policy = RetryPolicy(base_seconds=4, jitter=0)
    job = claimed(
        register(handler, name="tests.told", backoff=policy),
        attempt=2,
        queue="mail",
        waited_seconds=1.5,
    )
    attempts([job])
    (fields,) = told.named("job.finished")
    assert fields.pop("run_seconds") >= 0
    assert fields == {
        "job_id": job.id,
        "task": "tests.told",
        "queue": "mail",
        "attempt": 2,
        "max_attempts": 3,
        "verb": "fail",
        "permanent": False,
        "delay_seconds": 8,
        "error": "ValueError: wrong",
        "wait_seconds": 1.5,
    }


def test_coroutines_leave_no_threads_behind(register: Register) -> None:
    async def handler() -> None:
        await asyncio.sleep(0)

    task = register(handler)
    before = threading.active_count()
    assert len(attempts([claimed(task) for _ in range(20)])) == 20
    wait_until(lambda: threading.active_count() <= before)


class Marked:
    """Something a handler holds, to see when it is let go of."""


@pytest.mark.parametrize("ending", ["returns", "raises", "chains", "exits"])
def test_nothing_of_a_handler_is_kept_once_it_has_ended(register: Register, ending: str) -> None:
    seen: list[weakref.ref[Marked]] = []

    def handler() -> Any:
        local = Marked()
        seen.append(weakref.ref(local))
        if ending == "raises":
            raise ValueError("wrong")
        if ending == "exits":
            raise SystemExit(1)
        if ending == "chains":
            try:
                raise ValueError("first")
            except ValueError as error:
                raise KeyError("second") from error
        return json.dumps(str(local))

    gc.disable()
    try:
        # Two jobs on one thread: the first must be gone although the thread lives on.
        alive: list[bool] = []
        task = register(handler, name="tests.holds")
        look = register(lambda: alive.append(seen[0]() is not None), name="tests.look")
        attempts([claimed(task), claimed(look)])
    finally:
        gc.enable()
    assert alive == [False]


def test_a_payload_too_deep_to_read_fails_its_own_attempt(register: Register) -> None:
    noop = register(lambda **payload: None, name="tests.any")
    deep = '{"a":' * 100_000 + "1" + "}" * 100_000
    outcome = attempt(noop, payload_json=deep)
    assert outcome.error.startswith("RecursionError")
