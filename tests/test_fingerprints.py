"""Whether two requests with one idempotency key ask for the same."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from jobs.specs import JobSpec, prepare


def echo(**payload: Any) -> Any:
    return payload


@pytest.fixture(autouse=True)
def task(register: Callable[..., Any]) -> None:
    register(echo, name="tests.echo")


def fingerprint(**fields: Any) -> str:
    plain = {"task": "tests.echo", "payload": {"a": 1}, "idempotency_key": "k"}
    return prepare(JobSpec(**plain | fields)).idempotency_hash


SOON = dt.datetime(2030, 1, 1, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    "fields",
    [
        {"payload": {"a": 2}},
        {"payload": {"a": True}},
        {"payload": {"a": "1"}},
        {"payload": {"a": 1, "b": None}},
        {"task": "tests.other"},
        {"queue": "q"},
        {"priority": 1},
        {"max_attempts": 1},
        {"timeout_seconds": 5},
        {"delay_seconds": 5},
        {"available_at": SOON},
    ],
)
def test_another_request_has_another_fingerprint(
    register: Callable[..., Any], fields: dict[str, Any]
) -> None:
    register(echo, name="tests.other")
    assert fingerprint(**fields) != fingerprint()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"payload": {"a": 1, "b": 2}}, {"payload": {"b": 2, "a": 1}}),
        ({"payload": {"a": 1}}, {"payload": {"a": 1.0}}),
        ({"payload": {"a": -0.0}}, {"payload": {"a": 0}}),
        ({"payload": {"a": (1, 2)}}, {"payload": {"a": [1, 2]}}),
        ({"delay_seconds": 5}, {"delay_seconds": 5.0}),
        (
            {"available_at": SOON},
            {"available_at": SOON.astimezone(dt.timezone(dt.timedelta(hours=5)))},
        ),
        ({"idempotency_key": "k"}, {"idempotency_key": "other"}),
    ],
)
def test_the_same_request_has_the_same_fingerprint(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    assert fingerprint(**one) == fingerprint(**other)


def test_without_a_key_there_is_no_fingerprint() -> None:
    assert prepare(JobSpec(task="tests.echo")).idempotency_hash == ""
