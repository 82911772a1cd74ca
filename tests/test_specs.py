from __future__ import annotations

import datetime as dt
import json
import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.test import override_settings

from jobs import registry
from jobs.backoff import MAX_DELAY_SECONDS
from jobs.errors import InvalidInput, UnknownTask
from jobs.specs import JobSpec, prepare

NAIVE = dt.datetime(2026, 1, 1)


def echo(**payload: Any) -> Any:
    return payload


@pytest.fixture(autouse=True)
def task(register: Callable[..., Any]) -> registry.Task:
    made: registry.Task = register(
        echo, name="tests.echo", queue="own", priority=7, max_attempts=9, timeout=60
    )
    return made


def spec(**fields: Any) -> JobSpec:
    return JobSpec(**{"task": "tests.echo"} | fields)


def test_what_is_not_said_comes_from_the_task() -> None:
    new = prepare(spec(payload={"a": 1}))
    assert (new.task, new.queue, new.priority) == ("tests.echo", "own", 7)
    assert (new.max_attempts, new.timeout_seconds) == (9, 60.0)
    assert (new.payload, new.args) == ('{"a":1}', "[]")


def test_what_is_said_goes_before_the_task() -> None:
    new = prepare(spec(queue="q", priority=0, max_attempts=1, timeout_seconds=5))
    assert (new.queue, new.priority, new.max_attempts, new.timeout_seconds) == ("q", 0, 1, 5.0)


def test_what_neither_says_comes_from_the_settings(register: Callable[..., Any]) -> None:
    register(echo, name="tests.bare")
    with override_settings(QFORGE={"MAX_ATTEMPTS": 4, "TIMEOUT_SECONDS": 8}):
        new = prepare(spec(task="tests.bare"))
    assert (new.queue, new.max_attempts, new.timeout_seconds) == ("default", 4, 8.0)


def test_a_task_object_does_for_its_name(task: registry.Task) -> None:
    assert prepare(spec(task=task)).task == "tests.echo"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"payload": [1]}, "payload"),
        ({"payload": "s"}, "payload"),
        ({"payload": 5}, "payload"),
        ({"payload": True}, "payload"),
        ({"payload": None}, "payload"),
        ({"payload": {"a": float("nan")}}, "payload.a"),
        ({"payload": {"a": "x\x00"}}, "payload.a"),
        ({"payload": {"a": {"b": [uuid.UUID(int=1)]}}}, "payload.a.b[0]"),
        ({"payload": {"a": Decimal(1)}}, "payload.a"),
        ({"payload": {1: 2}}, "payload"),
        ({"args": "ab"}, "args"),
        ({"args": {"a": 1}}, "args"),
        ({"args": [{1, 2}]}, "args[0]"),
        ({"args": [1]}, "payload"),
        ({"queue": ""}, "queue"),
        ({"queue": "a b"}, "queue"),
        ({"queue": "\N{SNOWMAN}"}, "queue"),
        ({"queue": 5}, "queue"),
        ({"priority": 101}, "priority"),
        ({"priority": 1.5}, "priority"),
        ({"priority": "1"}, "priority"),
        ({"max_attempts": 0}, "max_attempts"),
        ({"max_attempts": -1}, "max_attempts"),
        ({"max_attempts": 2**31}, "max_attempts"),
        ({"max_attempts": 1.5}, "max_attempts"),
        ({"max_attempts": True}, "max_attempts"),
        ({"max_attempts": "3"}, "max_attempts"),
        ({"timeout_seconds": 0}, "timeout_seconds"),
        ({"timeout_seconds": 2**31}, "timeout_seconds"),
        ({"timeout_seconds": dt.timedelta(seconds=5)}, "timeout_seconds"),
        ({"delay_seconds": -1}, "delay_seconds"),
        ({"delay_seconds": float("nan")}, "delay_seconds"),
        ({"delay_seconds": float("inf")}, "delay_seconds"),
        ({"delay_seconds": MAX_DELAY_SECONDS + 1}, "delay_seconds"),
        ({"delay_seconds": "5"}, "delay_seconds"),
        ({"available_at": NAIVE}, "available_at"),
        ({"available_at": dt.date(2026, 1, 1)}, "available_at"),
        ({"available_at": "2026-01-01"}, "available_at"),
        ({"available_at": 1_800_000_000}, "available_at"),
        ({"available_at": dt.datetime(1999, 12, 31, tzinfo=dt.UTC)}, "available_at"),
        ({"available_at": dt.datetime(2200, 1, 1, tzinfo=dt.UTC)}, "available_at"),
        ({"available_at": dt.datetime.max.replace(tzinfo=dt.UTC)}, "available_at"),
        (
            {"available_at": dt.datetime.min.replace(tzinfo=dt.timezone(dt.timedelta(hours=5)))},
            "available_at",
        ),
        (
            {"delay_seconds": 5, "available_at": dt.datetime(2026, 1, 1, tzinfo=dt.UTC)},
            "available_at",
        ),
        ({"idempotency_key": ""}, "idempotency_key"),
        ({"idempotency_key": "k" * 256}, "idempotency_key"),
        ({"idempotency_key": "k" * 10_000}, "idempotency_key"),
        ({"idempotency_key": "k "}, "idempotency_key"),
        ({"idempotency_key": " k"}, "idempotency_key"),
        ({"idempotency_key": "k\x00"}, "idempotency_key"),
        ({"idempotency_key": "k\n"}, "idempotency_key"),
        ({"idempotency_key": "k\ud800"}, "idempotency_key"),
        ({"idempotency_key": 5}, "idempotency_key"),
    ],
)
def test_what_may_not_enter_the_queue_is_refused_by_name(
    fields: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidInput) as error:
        prepare(spec(**fields))
    assert error.value.field == field
    assert isinstance(error.value, ValueError)


def test_a_delay_is_left_to_the_clock_of_the_database() -> None:
    new = prepare(spec(delay_seconds=90))
    assert (new.delay_seconds, new.available_at) == (90.0, None)


def test_a_time_goes_to_the_database_as_it_was_given() -> None:
    at = dt.datetime(2030, 1, 1, 12, tzinfo=dt.timezone(dt.timedelta(hours=5)))
    new = prepare(spec(available_at=at))
    assert (new.delay_seconds, new.available_at) == (None, at)


def test_an_unknown_task_is_refused() -> None:
    with pytest.raises(UnknownTask):
        prepare(spec(task="tests.ekho"))


def test_the_payload_is_bounded_in_bytes_and_the_args_too() -> None:
    with override_settings(QFORGE={"PAYLOAD_MAX_BYTES": 20}):
        assert prepare(spec(payload={"a": "x" * 12})).payload == json.dumps(
            {"a": "x" * 12}, separators=(",", ":")
        )
        with pytest.raises(InvalidInput, match="21 bytes as JSON, at most 20"):
            prepare(spec(payload={"a": "x" * 13}))


def test_the_depth_of_a_payload_is_bounded() -> None:
    with override_settings(QFORGE={"PAYLOAD_MAX_DEPTH": 2}):
        prepare(spec(payload={"a": [1]}))
        with pytest.raises(InvalidInput, match=r"payload\.a\[0\]: nested too deep"):
            prepare(spec(payload={"a": [[1]]}))


@pytest.mark.parametrize("key", ["k", "K", "e\u0301", "\u00e9", "a b", "k" * 255, "\N{SNOWMAN}"])
def test_a_key_is_kept_letter_for_letter(key: str) -> None:
    assert prepare(spec(idempotency_key=key)).idempotency_key == key
