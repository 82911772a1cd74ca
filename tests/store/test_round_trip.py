"""What a handler gets is what was enqueued, or the documented normal form of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from jobs import client
from jobs.errors import InvalidInput
from jobs.models import Job
from jobs.payload import encode, normalise
from tests.support import factories

pytestmark = pytest.mark.django_db

# As it goes in, and as it is from the handler's arguments to the stored result.
TABLE: list[tuple[Any, Any]] = [
    ((1, 2), [1, 2]),
    (-0.0, 0.0),
    (1e308, 1e308),
    (1.7976931348623157e308, 1.7976931348623157e308),
    (5e-324, 5e-324),
    (1e-7, 1e-7),
    (1e16, 1e16),
    (123456789012345680.0, 123456789012345680.0),
    (0.1 + 0.2, 0.1 + 0.2),
    (1.0, 1.0),
    (2**63, 2**63),
    (-(2**63), -(2**63)),
    (10**30, 10**30),
    (2**4095, 2**4095),
    (True, True),
    (1, 1),
    (None, None),
    ("", ""),
    (" ", " "),
    ("\u2028\u2029", "\u2028\u2029"),
    ("\u202e", "\u202e"),
    ("\x01\x1f\x7f", "\x01\x1f\x7f"),
    ("e\u0301", "e\u0301"),
    ("\N{ROCKET}\N{FAMILY}", "\N{ROCKET}\N{FAMILY}"),
    ("\\u0000", "\\u0000"),
    ({}, {}),
    ([], []),
    ({"b": 1, "a": {"d": 1, "c": 2}}, {"b": 1, "a": {"d": 1, "c": 2}}),
    ({"": {"": [[]]}}, {"": {"": [[]]}}),
]


@pytest.fixture
def echo(register: Callable[..., client.Task]) -> client.Task:
    def echo(*args: Any, **payload: Any) -> Any:
        return [args, payload]

    return register(echo)


def told(value: Any) -> str:
    """The value with its types; the order of an object's keys is not kept and does not count."""
    return repr(json.loads(json.dumps(value, sort_keys=True)))


@pytest.mark.parametrize(("value", "normal"), TABLE, ids=lambda value: ascii(value)[:40])
def test_a_value_is_the_same_for_the_handler_and_in_the_result(
    echo: client.Task, value: Any, normal: Any
) -> None:
    answer = client.enqueue(echo, {"value": value}, args=[value])
    (job,) = factories.claim()
    assert told([job.args, job.payload]) == told([[normal], {"value": normal}])

    returned = normalise(echo(*job.args, **job.payload), "result", max_depth=64)
    row = Job.objects.get(pk=answer.id)
    text = encode(returned, "result", max_bytes=10_000)
    assert factories.finish(factories.succeeded(row, text))
    stored = Job.objects.get(pk=answer.id)
    assert told(stored.result) == told([[normal], {"value": normal}])
    assert told(stored.payload) == told({"value": normal})


@pytest.mark.parametrize("value", [{1: 2}, {1: "a", "1": "b"}, {True: 1}, {None: 1}, {1.5: 1}])
def test_keys_that_json_would_turn_into_strings_are_refused(
    echo: client.Task, value: dict[Any, Any]
) -> None:
    with pytest.raises(InvalidInput, match="keys must be strings"):
        client.enqueue(echo, {"value": value})
