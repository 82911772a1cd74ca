"""Declaring and enqueueing tasks, and reading results back."""

from __future__ import annotations

import datetime as dt
import uuid
from importlib import import_module
from typing import Any

from django.db import transaction
from django.test import override_settings
from django.utils import timezone

from jobs.testing.tasks_conformance.base import Conformance

_NO_IDS = (
    "",
    "x",
    "-1",
    "0",
    "0123",
    "9" * 30,
    "123456789",
    "1\n",
    "\u0661",
    "1.0",
    str(uuid.UUID(int=7)),
)


class EnqueueTests(Conformance):
    """No worker runs in these."""

    def check_new(self, result: Any, task: Any, args: list[Any], kwargs: dict[str, Any]) -> None:
        self.assertEqual(result.status, self.status.READY)
        self.assertIs(result.is_finished, False)
        self.assertIsNotNone(result.enqueued_at)
        for name in ("started_at", "last_attempted_at", "finished_at"):
            self.assertIsNone(getattr(result, name), name)
        with self.assertRaisesMessage(ValueError, "Task has not finished yet"):
            _ = result.return_value
        self.assertEqual((result.args, result.kwargs), (args, kwargs))
        self.assertEqual((result.errors, result.worker_ids, result.attempts), ([], [], 0))
        self.assertEqual((result.task, result.backend), (task, "default"))
        self.assertIsInstance(result.id, str)
        self.assertLess(len(result.id), 64)

    def test_the_default_backend_is_the_one_of_the_alias(self) -> None:
        self.assertEqual(self.backend, import_module(self.api).task_backends["default"])
        self.assertEqual(self.backend.alias, "default")

    def test_the_checks_find_nothing_wrong(self) -> None:
        self.assertEqual(list(self.backend.check()), [])

    def test_a_task_is_enqueued_as_ready_and_told(self) -> None:
        for task in (self.tasks.noop, self.tasks.noop_async):
            with self.subTest(task.name), self.received(self.signals.task_enqueued) as told:
                result = task.enqueue(1, two=3)
                self.check_new(result, task, [1], {"two": 3})
                sender = type(import_module(self.api).task_backends["default"])
                self.assertEqual(
                    [(t["sender"], t["task_result"]) for t in told], [(sender, result)]
                )

    async def test_a_task_is_enqueued_from_async_code_and_told(self) -> None:
        for task in (self.tasks.noop, self.tasks.noop_async):
            with self.subTest(task.name), self.received(self.signals.task_enqueued) as told:
                result = await task.aenqueue(1, two=3)
                self.check_new(result, task, [1], {"two": 3})
                self.assertEqual([t["task_result"] for t in told], [result])

    def test_enqueueing_is_logged(self) -> None:
        with self.assertLogs(self.api, level="DEBUG") as logs:
            result = self.tasks.noop.enqueue()
        self.assertEqual(len(logs.output), 1)
        self.assertIn("enqueued", logs.output[0])
        self.assertIn(f"id={result.id} ", logs.output[0])

    def test_a_result_is_read_back_as_it_was_given(self) -> None:
        self.needs("get_result")
        task = self.tasks.noop.using(priority=7, queue_name="other")
        for each in (self.tasks.noop, task):
            result = each.enqueue(1, [2, {"a": None}], b="é")
            self.assertEqual(self.backend.get_result(result.id), result)
            self.assertEqual(each.get_result(result.id), result)

    async def test_a_result_is_read_back_from_async_code(self) -> None:
        self.needs("get_result")
        result = await self.tasks.noop.aenqueue(1)
        self.assertEqual(await self.backend.aget_result(result.id), result)
        self.assertEqual(await self.tasks.noop.aget_result(result.id), result)

    def test_an_id_that_none_has_or_can_have_does_not_exist(self) -> None:
        self.needs("get_result")
        for wrong in _NO_IDS:
            with self.subTest(wrong), self.assertRaises(self.does_not_exist):
                self.backend.get_result(wrong)

    async def test_a_missing_result_does_not_exist_in_async_code_either(self) -> None:
        self.needs("get_result")
        with self.assertRaises(self.does_not_exist):
            await self.backend.aget_result("no such id")

    def test_the_result_of_another_task_is_refused(self) -> None:
        self.needs("get_result")
        result = self.tasks.noop.enqueue()
        with self.assertRaisesMessage(self.mismatch, "Task does not match"):
            self.tasks.add.get_result(result.id)

    async def test_nothing_changes_by_looking_again(self) -> None:
        self.needs("get_result")
        result = await self.tasks.noop.aenqueue(1)
        before = repr(result)
        await result.arefresh()
        self.assertEqual(repr(result), before)

    def test_the_earliest_start_is_kept(self) -> None:
        self.needs("defer")
        for hours in (-1, 1):
            after = timezone.now() + dt.timedelta(hours=hours)
            result = self.tasks.noop.using(run_after=after).enqueue()
            self.assertEqual(self.backend.get_result(result.id).task.run_after, after)

    def test_a_start_without_a_zone_is_refused(self) -> None:
        with self.assertRaisesMessage(self.invalid_task, "run_after must be an aware datetime."):
            self.tasks.noop.using(run_after=dt.datetime(2030, 1, 1))

    def test_priorities_are_whole_numbers_between_the_bounds(self) -> None:
        self.needs("priority")
        for wrong in (-101, 101, 3.1):
            with self.assertRaisesMessage(self.invalid_task, "between -100 and 100"):
                self.tasks.noop.using(priority=wrong)
        for right in (-100, 0, 100):
            result = self.tasks.noop.using(priority=right).enqueue()
            self.assertEqual(self.backend.get_result(result.id).task.priority, right)

    def test_a_queue_that_the_alias_does_not_name_is_refused(self) -> None:
        with self.assertRaisesMessage(self.invalid_task, "Queue 'third' is not valid for backend."):
            self.tasks.noop.using(queue_name="third")

    def _queue_that_is_gone(self) -> Any:
        params = import_module(self.api).task_backends.settings["default"]
        with override_settings(TASKS={"default": {**params, "QUEUES": ["gone"]}}):
            return self.tasks.noop.using(queue_name="gone")

    def test_a_task_is_checked_again_when_it_is_enqueued(self) -> None:
        task = self._queue_that_is_gone()
        with self.assertRaisesMessage(self.invalid_task, "Queue 'gone' is not valid for backend."):
            task.enqueue()

    async def test_a_task_is_checked_again_when_it_is_enqueued_from_async_code(self) -> None:
        task = self._queue_that_is_gone()
        with self.assertRaisesMessage(self.invalid_task, "Queue 'gone' is not valid for backend."):
            await task.aenqueue()

    def test_only_functions_of_modules_can_be_tasks(self) -> None:
        declare = import_module(self.api).task
        for wrong in (any, self.test_only_functions_of_modules_can_be_tasks, lambda: None):
            with self.assertRaisesMessage(self.invalid_task, "defined at a module level"):
                declare()(wrong)

    def test_a_task_is_there_from_the_call_on_and_not_from_the_commit(self) -> None:
        self.needs("get_result")
        with transaction.atomic():
            result = self.tasks.noop.enqueue()
            self.assertEqual(self.backend.get_result(result.id), result)
        self.assertEqual(self.backend.get_result(result.id), result)
