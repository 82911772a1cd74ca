from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from typing import Any

import pytest
from django.test import override_settings

from jobs import Cancel, JobContext, RetryPolicy, Workflow, cancel, client, registry
from jobs.models import Job, JobEvent
from jobs.states import JobStatus
from jobs.tasks_backend import QForgeBackend, task_attempt_failed
from jobs.tasks_backend.namespaces import Namespace
from tests.support import factories
from tests.tasks_backend.conftest import OURS, received
from tests.worker.pools import drain

pytestmark = [pytest.mark.usefixtures("committed_db"), pytest.mark.postgres]
Declared = Callable[..., Any]
AT_ONCE = RetryPolicy(base_seconds=0, cap_seconds=0)


class OtherBackend(QForgeBackend):
    """Another class of the same kind."""


def test_tasks_of_djangos_and_of_ours_run_in_one_worker(
    tasks: Any, register: Callable[..., client.Task]
) -> None:
    ours = register(lambda context, n: n * context.attempt, name="tests.ours")
    mine, theirs = ours.enqueue(n=5), tasks.add.enqueue(1)
    drain()
    theirs.refresh()
    assert (Job.objects.get(pk=mine.id).result, theirs.return_value) == (5, 2)


def test_a_failed_attempt_that_is_not_the_last_is_told_by_a_signal_of_its_own(
    home: Namespace, declared: Declared
) -> None:
    handled: list[Any] = []

    def receiver(**kwargs: Any) -> None:
        handled.append((sys.exc_info()[1], kwargs))

    result = declared("fail", max_attempts=2, backoff=AT_ONCE).enqueue()
    task_attempt_failed.connect(receiver)
    try:
        with received(home.signals.task_finished) as finished:
            drain()
    finally:
        task_attempt_failed.disconnect(receiver)
    ((error, told),) = handled
    assert isinstance(error, ValueError)
    assert (told["sender"], told["delay_seconds"]) == (QForgeBackend, 0)
    assert told["task_result"].status == home.Status.READY
    assert (told["task_result"].attempts, len(told["task_result"].errors)) == (1, 1)
    assert [t["task_result"].attempts for t in finished] == [2]
    result.refresh()
    assert [error.exception_class for error in result.errors] == [ValueError, ValueError]


def test_the_sender_is_the_class_of_the_alias(tasks: Any, home: Namespace, settings: Any) -> None:
    other = f"{__name__}.OtherBackend"
    settings.TASKS = {"default": {"BACKEND": OURS}, "other": {"BACKEND": other}}
    with (
        received(home.signals.task_started) as started,
        received(home.signals.task_finished) as finished,
    ):
        tasks.add.using(backend="other").enqueue(1)
        drain()
    assert [t["sender"] for t in (*started, *finished)] == [OtherBackend, OtherBackend]
    assert finished[0]["task_result"].backend == "other"


class _Replica:
    """A router that reads from where there is nothing."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        return "replica"

    def db_for_write(self, model: Any, **hints: Any) -> str:
        return "default"


def test_results_are_read_where_they_are_written(tasks: Any, settings: Any) -> None:
    settings.DATABASE_ROUTERS = [f"{__name__}._Replica"]
    once = tasks.add.using(idempotency_key="once")
    result = once.enqueue(1)
    drain()
    assert once.enqueue(1).return_value == 2
    result.refresh()
    assert result.return_value == 2


def test_a_backoff_of_a_copy_that_stands_in_the_module_counts(
    tasks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tasks.fail.using(max_attempts=2, backoff=AT_ONCE)
    monkeypatch.setattr(tasks, "fail", copy)
    result = copy.enqueue()
    drain()
    result.refresh()
    assert (result.attempts, copy.backoff) == (2, AT_ONCE)


def test_a_path_where_no_task_stands_is_never_called(home: Namespace) -> None:
    job = factories.job(
        task="subprocess.check_output",
        args=[["exit", "1"]],
        tasks_backend="default",
        max_attempts=1,
    )
    drain()
    job.refresh_from_db()
    assert job.status == JobStatus.FAILED
    result = home.backends["default"].get_result(str(job.pk))
    assert result.errors[0].exception_class.__name__ == "UnknownTask"


def test_a_task_past_its_deadline_has_failed_and_is_told(tasks: Any, home: Namespace) -> None:
    result = tasks.sleep.using(timeout=0.2).enqueue(30)
    with received(home.signals.task_finished) as finished:
        drain()
    result.refresh()
    assert result.status == home.Status.FAILED
    assert result.errors[0].exception_class.__name__ == "JobTimeout"
    assert [t["task_result"].status for t in finished] == [home.Status.FAILED]


def test_a_context_gives_what_a_job_can_do(tasks: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[JobContext] = []

    def look(context: Any) -> None:
        seen.append(context.job)
        context.job.progress(50, "half")

    look.__module__, look.__qualname__ = tasks.own_id.func.__module__, "own_id"
    monkeypatch.setattr(tasks, "own_id", dataclasses.replace(tasks.own_id, func=look))
    result = tasks.own_id.enqueue()
    drain()
    assert [(str(context.job_id), context.attempt) for context in seen] == [(result.id, 1)]


def test_the_backoff_of_the_alias_decides_for_tasks_without_one(tasks: Any, settings: Any) -> None:
    never = "jobs.testing.tasks_conformance.retries.never"
    settings.TASKS = {"default": {"BACKEND": OURS, "MAX_ATTEMPTS": 5, "BACKOFF": never}}
    result = tasks.fail.enqueue()
    drain()
    result.refresh()
    assert (result.attempts, result.is_finished) == (1, True)


def test_a_backoff_that_raises_costs_no_attempt(declared: Declared) -> None:
    def broken(exception: BaseException, task_result: Any) -> float:
        raise RuntimeError("of the backoff")

    result = declared("fail", max_attempts=2, backoff=broken).enqueue()
    with override_settings(QFORGE={"BACKOFF_BASE_SECONDS": 0, "BACKOFF_CAP_SECONDS": 0}):
        drain()
    result.refresh()
    assert result.attempts == 2


def test_an_attempt_that_could_not_begin_waits_as_usual(declared: Declared) -> None:
    asked: list[Any] = []
    task = declared("fail", backoff=lambda error, result: asked.append(result))
    found = registry.find(task.module_path)
    assert found is not None
    with override_settings(QFORGE={"BACKOFF_BASE_SECONDS": 8, "BACKOFF_JITTER": 0}):
        assert found.retry_after(2, ValueError()) == 16
    assert asked == []


def test_a_result_that_is_not_json_is_not_tried_again(declared: Declared) -> None:
    for kind in ("function", "nan"):
        result = declared("unfit", max_attempts=5, backoff=AT_ONCE).enqueue(kind)
        drain()
        result.refresh()
        assert (result.attempts, len(result.errors), result.is_finished) == (1, 1, True)


def test_worker_ids_name_the_pool_of_each_attempt(declared: Declared) -> None:
    result = declared("fail_until", max_attempts=3, backoff=AT_ONCE).enqueue(3)
    drain()
    result.refresh()
    claims = JobEvent.objects.filter(kind="claimed").order_by("id")
    assert result.worker_ids == list(claims.values_list("worker", flat=True))
    assert (result.attempts, result.return_value) == (3, 3)


def test_a_step_of_a_workflow_may_be_a_task_of_djangos(tasks: Any) -> None:
    Workflow("of tasks").step("first", tasks.add.module_path, {"a": 1}).submit()
    job = Job.objects.get()
    assert (job.tasks_backend, job.step_name) == ("default", "first")
    drain()
    job.refresh_from_db()
    assert (job.status, job.result) == (JobStatus.SUCCEEDED, 2)


def test_a_task_that_is_cancelled_while_it_waits_is_told_to_have_finished(
    tasks: Any, home: Namespace
) -> None:
    handled: list[Any] = []

    def receiver(**kwargs: Any) -> None:
        handled.append(sys.exc_info()[1])

    result = tasks.add.enqueue(1)
    home.signals.task_finished.connect(receiver)
    try:
        with received(home.signals.task_finished) as finished:
            cancel(int(result.id), reason="no longer wanted")
    finally:
        home.signals.task_finished.disconnect(receiver)
    (told,) = finished
    assert told["sender"] is QForgeBackend
    assert told["task_result"].id == result.id
    assert told["task_result"].status == home.Status.FAILED
    assert [type(error) for error in handled] == [Cancel]
