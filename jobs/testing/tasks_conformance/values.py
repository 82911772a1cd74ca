"""What may be an argument and what may be returned, and what becomes of it."""

from __future__ import annotations

import datetime as dt
import decimal
import math
from typing import Any

from jobs.testing.tasks_conformance.base import Conformance

_ODD = {
    "NaN": math.nan,
    "infinity": math.inf,
    "NUL": "a\x00b",
    "lone surrogate": "\ud800",
    "key that is a number": {1: 2},
    "key that is nothing": {None: 2},
    "whole number without end": 1 << 100_000,
    "bytes that are no text": b"\xff",
    "NUL in a key": {"a\x00": 1},
    "deep": [[["\udfff"]]],
}
_UNTYPED: tuple[Any, ...] = (
    dt.datetime(2030, 1, 1),
    decimal.Decimal(1),
    {1, 2},
    object(),
    lambda: None,
)


class ValueTests(Conformance):
    """The rules of JSON, at both ends of a task."""

    def test_arguments_of_other_types_are_refused_at_once(self) -> None:
        for value in _UNTYPED:
            with self.subTest(repr(value)), self.received(self.signals.task_enqueued) as told:
                for args, kwargs in (([value], {}), ([], {"key": {"deep": [value]}})):
                    with self.assertRaisesMessage(TypeError, "Unsupported type"):
                        self.tasks.noop.enqueue(*args, **kwargs)
                self.assertEqual(told, [])

    def test_values_that_no_database_keeps_are_refused_at_once(self) -> None:
        for name, value in _ODD.items():
            with self.subTest(name), self.received(self.signals.task_enqueued) as told:
                with self.assertRaises((TypeError, ValueError)):
                    self.tasks.noop.enqueue(value)
                self.assertEqual(told, [])

    async def test_async_code_is_refused_the_same(self) -> None:
        with self.assertRaisesMessage(TypeError, "Unsupported type"):
            await self.tasks.noop.aenqueue(object())
        with self.assertRaises((TypeError, ValueError)):
            await self.tasks.noop.aenqueue(math.nan)

    def test_sequences_become_lists_and_bytes_become_text(self) -> None:
        result = self.tasks.noop.enqueue((1, (2,)), b"text", key=range(2))
        self.assertEqual((result.args, result.kwargs), ([[1, [2]], "text"], {"key": [0, 1]}))

    def test_arguments_come_back_as_they_went_in(self) -> None:
        values = [0, -1, 2**53 + 1, 0.1, 1e300, "", "é\u2028😀", True, None, [], {}, {"": [1]}]
        result = self.ran(self.tasks.echo, *values, a=values)
        self.assertEqual(result.return_value, {"args": values, "kwargs": {"a": values}})
        self.assertEqual(self.backend.get_result(result.id).args, values)

    def test_a_result_that_is_not_json_fails_the_task(self) -> None:
        kinds = ("function", "nan", "nul", "surrogate", "int key", "set", "huge", "bytes")
        for kind in kinds:
            with self.subTest(kind), self.assertLogs(self.api, level="ERROR"):
                result = self.ran(self.tasks.unfit, kind)
                self.assertEqual(result.status, self.status.FAILED)
                self.assertEqual((result.attempts, len(result.errors)), (1, 1))
                self.assertTrue(
                    issubclass(result.errors[0].exception_class, TypeError | ValueError)
                )
                self.assertIsNone(result._return_value)

    def test_a_function_for_a_result_is_an_unsupported_type(self) -> None:
        with self.assertLogs(self.api, level="ERROR"):
            result = self.ran(self.tasks.unfit, "function")
        self.assertIs(result.errors[0].exception_class, TypeError)
        self.assertIn("Unsupported type", result.errors[0].traceback)

    def test_bytes_that_are_text_may_be_returned(self) -> None:
        self.assertEqual(self.ran(self.tasks.text_of_bytes).return_value, "text")
