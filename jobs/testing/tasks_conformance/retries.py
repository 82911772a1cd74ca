"""Retries, under the names proposed for Django itself: `max_attempts` and `backoff`."""

from __future__ import annotations

import dataclasses
from importlib import import_module
from typing import Any

from jobs.testing.tasks_conformance import functions
from jobs.testing.tasks_conformance.base import Conformance

told: list[tuple[BaseException, Any]] = []


def at_once(exception: BaseException, task_result: Any) -> float | None:
    """Backoff that waits for nothing, and tells what it was asked."""
    told.append((exception, task_result))
    return 0


def never(exception: BaseException, task_result: Any) -> float | None:
    """Backoff that gives up."""
    return None


class RetryTests(Conformance):
    """For backends whose tasks have `max_attempts` and `backoff`. Needs `run_worker`."""

    def retried(self, name: str, **options: Any) -> Any:
        """The task of this name, with options that only a declaration can give."""
        task = getattr(self.tasks, name)
        fields = {each.name for each in dataclasses.fields(task)}
        if not {"max_attempts", "backoff"} <= fields:
            self.skipTest("its tasks have no max_attempts and backoff")
        return dataclasses.replace(task, **options)

    def ran_as(self, name: str, task: Any, *args: Any) -> Any:
        """Run `task` in the place of the task of this name, where the worker finds it."""
        original = getattr(self.tasks, name)
        setattr(self.tasks, name, task)
        try:
            return self.ran(task, *args)
        finally:
            setattr(self.tasks, name, original)

    def setUp(self) -> None:
        super().setUp()
        told.clear()

    def test_a_task_fails_at_the_first_error_unless_it_says_otherwise(self) -> None:
        with self.assertLogs(self.api, level="ERROR"):
            result = self.ran(self.tasks.fail_until, 2)
        self.assertEqual((result.status, result.attempts), (self.status.FAILED, 1))

    def test_a_task_is_tried_again_until_it_succeeds(self) -> None:
        task = self.retried("fail_until", max_attempts=5, backoff=at_once)
        with self.received(self.signals.task_finished) as finished:
            result = self.ran_as("fail_until", task, 3)
        self.assertEqual((result.status, result.return_value), (self.status.SUCCESSFUL, 3))
        self.assertEqual(len(result.worker_ids), 3)
        traces = [error.traceback.splitlines()[-1] for error in result.errors]
        self.assertEqual(traces, ["ValueError: attempt 1", "ValueError: attempt 2"])
        self.assertLess(result.started_at, result.last_attempted_at)
        self.assertEqual(len(finished), 1)

    def test_a_task_fails_when_its_attempts_are_spent(self) -> None:
        task = self.retried("fail", max_attempts=2, backoff=at_once)
        with self.assertLogs(self.api, level="ERROR") as logs:
            result = self.ran_as("fail", task)
        self.assertEqual((result.status, result.attempts), (self.status.FAILED, 2))
        self.assertEqual((len(result.errors), len(logs.output)), (2, 1))

    def test_the_backoff_is_asked_with_the_error_and_the_result_so_far(self) -> None:
        task = self.retried("fail_until", max_attempts=3, backoff=at_once)
        self.ran_as("fail_until", task, 3)
        self.assertEqual([str(error) for error, _ in told], ["attempt 1", "attempt 2"])
        self.assertEqual([result.attempts for _, result in told], [1, 2])
        self.assertEqual([len(result.errors) for _, result in told], [1, 2])

    def test_a_backoff_that_gives_up_ends_the_task(self) -> None:
        task = self.retried("fail", max_attempts=5, backoff=never)
        with self.assertLogs(self.api, level="ERROR"):
            result = self.ran_as("fail", task)
        self.assertEqual((result.status, result.attempts), (self.status.FAILED, 1))

    def test_a_task_of_the_api_takes_the_options_where_it_is_declared(self) -> None:
        self.retried("noop")
        declare = import_module(self.api).task
        try:
            made = declare(max_attempts=4, backoff=never)(self.tasks.noop.func)
        except TypeError as error:
            self.skipTest(f"this release's decorator takes no further options: {error}")
        self.assertEqual((made.max_attempts, made.backoff), (4, never))
        self.assertEqual(made.func.__name__, functions.noop.__name__)
