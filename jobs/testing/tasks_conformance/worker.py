"""Running tasks: outcomes, errors, contexts, queues and their order."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.utils import timezone

from jobs.testing.tasks_conformance.base import Conformance


class WorkerTests(Conformance):
    """Needs `run_worker`."""

    def check_times(self, result: Any) -> None:
        self.assertLessEqual(result.enqueued_at, result.started_at)
        self.assertLessEqual(result.started_at, result.finished_at)
        self.assertEqual(result.started_at, result.last_attempted_at)
        self.assertIs(result.is_finished, True)
        self.assertEqual(result.attempts, 1)

    def test_a_task_runs_and_its_result_is_kept(self) -> None:
        for task in (self.tasks.add, self.tasks.add_async):
            with self.subTest(task.name):
                result = self.ran(task, 40, b=2)
                self.assertEqual(result.status, self.status.SUCCESSFUL)
                self.assertEqual(result.return_value, 42)
                self.assertEqual(result.errors, [])
                self.check_times(result)

    def test_a_task_that_returns_nothing_has_none_for_a_result(self) -> None:
        for task in (self.tasks.noop, self.tasks.noop_async):
            result = self.ran(task)
            self.assertEqual(result.status, self.status.SUCCESSFUL)
            self.assertIsNone(result.return_value)

    def test_a_result_in_the_hand_changes_only_when_it_is_refreshed(self) -> None:
        result = self.tasks.noop.enqueue()
        self.run_worker()
        self.assertEqual((result.status, result.attempts), (self.status.READY, 0))

    def test_a_task_that_raises_has_failed_with_its_traceback(self) -> None:
        for task in (self.tasks.fail, self.tasks.fail_async):
            with self.subTest(task.name), self.assertLogs(self.api, level="ERROR"):
                result = self.ran(task, "for a reason")
                self.assertEqual(result.status, self.status.FAILED)
                with self.assertRaisesMessage(ValueError, "Task failed"):
                    _ = result.return_value
                self.assertEqual(len(result.errors), 1)
                self.assertIs(result.errors[0].exception_class, ValueError)
                trace = result.errors[0].traceback
                self.assertTrue(trace.endswith("ValueError: for a reason\n"), trace)
                self.check_times(result)

    def test_an_exception_may_hold_anything(self) -> None:
        with self.assertLogs(self.api, level="ERROR"):
            result = self.ran(self.tasks.fail_with_an_exception_inside)
        self.assertIs(result.errors[0].exception_class, ValueError)
        self.assertIn('ValueError(ValueError("inside"))', result.errors[0].traceback)

    def test_no_task_ends_the_worker(self) -> None:
        for task, kind in (
            (self.tasks.leave, SystemExit),
            (self.tasks.interrupt, KeyboardInterrupt),
        ):
            with self.subTest(task.name), self.assertLogs(self.api, level="ERROR"):
                fatal, following = task.enqueue(), self.tasks.noop.enqueue()
                self.run_worker()
                fatal.refresh()
                following.refresh()
                self.assertEqual(fatal.status, self.status.FAILED)
                self.assertIs(fatal.errors[0].exception_class, kind)
                self.assertEqual(following.status, self.status.SUCCESSFUL)

    def test_arguments_that_do_not_fit_fail_at_once_or_when_run(self) -> None:
        try:
            result = self.tasks.add.enqueue("one", "two", "three")
        except TypeError:
            return
        with self.assertLogs(self.api, level="ERROR"):
            self.run_worker()
        result.refresh()
        self.assertIs(result.errors[0].exception_class, TypeError)

    def test_the_context_comes_first_and_knows_the_result(self) -> None:
        for task in (self.tasks.own_id, self.tasks.own_id_async):
            result = self.ran(task)
            self.assertEqual(result.return_value, result.id)

    def test_a_running_task_is_told_of_itself(self) -> None:
        result = self.ran(self.tasks.facts, 1, two=3)
        facts = result.return_value
        self.assertEqual((facts["args"], facts["kwargs"]), ([1], {"two": 3}))
        self.assertEqual((facts["attempt"], facts["status"]), (1, "RUNNING"))
        self.assertEqual(facts["workers"], result.worker_ids)
        self.assertEqual((facts["started"], facts["finished"]), (True, False))

    def test_an_argument_may_be_called_context(self) -> None:
        self.assertEqual(self.ran(self.tasks.own_name_context, context="mine").return_value, "mine")
        self.assertEqual(self.ran(self.tasks.own_name_context, "mine").return_value, "mine")

    def test_a_task_does_not_run_before_its_time(self) -> None:
        self.needs("defer")
        hour = dt.timedelta(hours=1)
        early = self.tasks.noop.using(run_after=timezone.now() + hour).enqueue()
        due = self.tasks.noop.using(run_after=timezone.now() - hour).enqueue()
        self.run_worker()
        early.refresh()
        due.refresh()
        self.assertEqual(early.status, self.status.READY)
        self.assertEqual(due.status, self.status.SUCCESSFUL)

    def test_higher_priorities_run_first(self) -> None:
        self.needs("priority")
        with self.received(self.signals.task_started) as told:
            results = [
                self.tasks.noop.using(priority=priority).enqueue() for priority in (0, -2, 10, 0)
            ]
            self.run_worker()
        order = [results.index(each) for each in (results[2], results[0], results[3], results[1])]
        self.assertEqual([t["task_result"].id for t in told], [results[n].id for n in order])

    def test_a_worker_leaves_other_queues_alone(self) -> None:
        result = self.ran(self.tasks.noop.using(queue_name="other"))
        self.assertEqual(result.status, self.status.READY)
        self.run_worker(queue="other")
        result.refresh()
        self.assertEqual(result.status, self.status.SUCCESSFUL)
