"""Signals and log lines of the worker."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from jobs.testing.tasks_conformance.base import Conformance


class SignalTests(Conformance):
    """Needs `run_worker`, in this process."""

    def test_the_start_and_the_end_of_a_task_are_told(self) -> None:
        sender = type(import_module(self.api).task_backends["default"])
        with (
            self.received(self.signals.task_started) as started,
            self.received(self.signals.task_finished) as finished,
        ):
            result = self.ran(self.tasks.add, 1)
        self.assertEqual([t["sender"] for t in (*started, *finished)], [sender, sender])
        self.assertEqual(started[0]["task_result"].status, self.status.RUNNING)
        told = finished[0]["task_result"]
        self.assertEqual((told.id, told.status), (result.id, self.status.SUCCESSFUL))
        self.assertEqual((told.return_value, told.attempts), (2, 1))
        self.assertLessEqual(told.started_at, told.finished_at)

    def test_a_failure_is_told_while_its_exception_is_handled(self) -> None:
        handled: list[Any] = []

        def receiver(sender: Any, task_result: Any, **kwargs: Any) -> None:
            handled.append((sys.exc_info()[1], task_result))

        for task in (self.tasks.fail, self.tasks.fail_async):
            handled.clear()
            self.signals.task_finished.connect(receiver)
            try:
                with self.assertLogs(self.api, level="ERROR") as logs:
                    self.ran(task, "for a reason")
            finally:
                self.signals.task_finished.disconnect(receiver)
            self.assertEqual(len(handled), 1)
            error, told = handled[0]
            self.assertIsInstance(error, ValueError)
            self.assertEqual(told.status, self.status.FAILED)
            self.assertIs(told.errors[-1].exception_class, ValueError)
            self.assertIn("for a reason", logs.output[0])

    def test_a_receiver_that_raises_harms_no_task(self) -> None:
        def receiver(**kwargs: Any) -> None:
            raise RuntimeError("of the receiver")

        signals = (self.signals.task_started, self.signals.task_finished)
        for signal in signals:
            signal.connect(receiver)
        try:
            with self.assertLogs("django.dispatch", level="ERROR"):
                result = self.ran(self.tasks.add, 1)
        finally:
            for signal in signals:
                signal.disconnect(receiver)
        self.assertEqual(result.return_value, 2)

    def test_the_life_of_a_task_can_be_read_in_the_log(self) -> None:
        with self.assertLogs(self.api, level="DEBUG") as logs:
            result = self.ran(self.tasks.noop)
        self.assertEqual(len(logs.output), 3)
        for line, word in zip(
            logs.output, ("enqueued", "state=RUNNING", "state=SUCCESSFUL"), strict=True
        ):
            self.assertIn(word, line)
            self.assertIn(f"id={result.id} ", line)
            self.assertNotIn("None", line)

    def test_a_failure_is_logged_as_an_error(self) -> None:
        with self.assertLogs(self.api, level="ERROR") as logs:
            result = self.ran(self.tasks.leave)
        self.assertEqual(len(logs.output), 1)
        self.assertIn("state=FAILED", logs.output[0])
        self.assertIn(f"id={result.id} ", logs.output[0])
        self.assertIn("SystemExit", logs.output[0])
