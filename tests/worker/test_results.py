"""What a handler may return, and what becomes of the rest."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import override_settings

from jobs import client
from jobs.states import Verb
from jobs.store.values import Outcome
from tests.worker.attempts import attempt, attempts, claimed

Register = Callable[..., client.Task]


def returned(register: Register, value: Any) -> Outcome:
    return attempt(register(lambda: value, name="tests.returns"))


class Colour(enum.StrEnum):
    RED = "red"


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        (0, "0"),
        (False, "false"),
        ("", '""'),
        ([], "[]"),
        ({}, "{}"),
        ((1, (2,)), "[1,[2]]"),
        (Colour.RED, '"red"'),
        (-0.0, "0.0"),
        ("\u2028 ☃ 😀", '"\u2028 ☃ 😀"'),
        (1e308, f"{1e308:.1f}"),
    ],
)
def test_json_is_stored_as_it_will_come_back(register: Register, value: Any, stored: str) -> None:
    outcome = returned(register, value)
    assert (outcome.verb, outcome.result) == (Verb.SUCCEED, stored)


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def circular() -> Any:
    value: list[Any] = []
    value.append(value)
    return value


UNFIT: dict[str, tuple[Any, str]] = {
    "nan": (float("nan"), "result: NaN and infinity are not JSON"),
    "infinity": ({"a": [1, float("inf")]}, "result.a[1]: NaN and infinity are not JSON"),
    "deep": (nested(65), "nested too deep"),
    "circular": (circular(), "nested too deep"),
    "nul": ("a\x00b", "result: text must not contain NUL (U+0000)"),
    "nul in a key": ({"a\x00": 1}, "must not contain NUL"),
    "surrogate": ("\ud800", "result: text must not contain lone surrogates"),
    "huge number": (10**2000, "result: whole numbers may have at most 4,096 bits"),
    "number as key": ({1: 2}, "result: keys must be strings, not int (1)"),
    "time": ({"at": dt.datetime(2026, 1, 1, tzinfo=dt.UTC)}, "result.at: datetime is not JSON"),
    "decimal": (decimal.Decimal(1), "result: Decimal is not JSON"),
    "uuid": (uuid.UUID(int=1), "result: UUID is not JSON"),
    "set": ({1, 2}, "result: set is not JSON"),
    "bytes": (b"bytes", "result: bytes is not JSON"),
    "object": (object(), "result: object is not JSON"),
    "generator": ((n for n in [1]), "result: generator is not JSON"),
}


@pytest.mark.parametrize("kind", UNFIT)
def test_what_cannot_be_stored_fails_the_attempt_for_good_and_says_why(
    register: Register, kind: str
) -> None:
    value, message = UNFIT[kind]
    outcome = returned(register, value)
    assert (outcome.verb, outcome.permanent) == (Verb.FAIL, True)
    assert outcome.error.startswith("InvalidInput: result")
    assert message in outcome.error
    assert outcome.data["error"]["type"] == "jobs.errors.InvalidInput"


@override_settings(QFORGE={"RESULT_MAX_BYTES": 1000})
def test_a_result_may_be_as_large_as_the_setting_says(register: Register) -> None:
    assert returned(register, "x" * 998).verb is Verb.SUCCEED
    outcome = returned(register, "x" * 999)
    assert outcome.error == ("InvalidInput: result: 1,001 bytes as JSON, at most 1,000 are allowed")


def test_a_result_with_methods_that_raise_is_a_failed_attempt(register: Register) -> None:
    class Trap(dict[str, Any]):
        def items(self) -> Any:
            raise SystemExit("sprung")

    bad = register(lambda: Trap(a=1), name="tests.trap")
    good = register(lambda: 1, name="tests.good")
    outcomes = attempts([claimed(bad), claimed(good)])
    assert [o.verb for o in outcomes] == [Verb.FAIL, Verb.SUCCEED]
    assert outcomes[0].error == "SystemExit: sprung"


def test_a_coroutine_that_nobody_awaited_is_no_result(register: Register) -> None:
    async def late() -> int:
        return 1

    pending: list[Any] = []

    def handler() -> Any:
        pending.append(late())
        return pending[0]

    outcome = attempt(register(handler))
    pending[0].close()
    assert "coroutine is not JSON" in outcome.error
