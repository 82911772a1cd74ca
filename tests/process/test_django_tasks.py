"""Tasks of Django's in real workers, which find their modules by the path of the task alone."""

from __future__ import annotations

import signal
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from jobs import enqueue
from jobs.models import Job
from jobs.states import JobStatus
from jobs.tasks_backend.namespaces import NAMESPACES, Namespace
from tests.process import MARKS
from tests.support import history
from tests.support.evidence import Evidence
from tests.support.processes import SHORT_LEASE, Workers
from tests.support.waiting import wait_until

pytestmark = MARKS
AllDone = Callable[..., None]
_TASKS = {"django.tasks": "core_tasks", "django_tasks": "backport_tasks"}


@pytest.fixture(params=NAMESPACES, ids=lambda home: str(home.name))
def home(request: pytest.FixtureRequest) -> Namespace:
    found: Namespace = request.param
    return found


@pytest.fixture
def tasks(home: Namespace) -> Any:
    return import_module(f"jobs.testing.tasks_conformance.{_TASKS[home.name]}")


def test_several_workers_run_each_task_once_beside_our_own(
    workers: Workers, evidence: Evidence, all_done: AllDone, tasks: Any
) -> None:
    results = [tasks.add.enqueue(n) for n in range(100)]
    enqueue("check.mark", {"key": "ours"})
    workers.start(processes=2)
    all_done()
    for n, result in enumerate(results):
        result.refresh()
        assert (result.return_value, result.attempts) == (n + 1, 1)
    evidence.assert_once_each(1)
    history.assert_sound()


def test_a_task_that_wants_to_end_the_program_ends_only_itself(
    workers: Workers, all_done: AllDone, tasks: Any
) -> None:
    ended = [tasks.leave.enqueue(), tasks.interrupt.enqueue()]
    worker = workers.start(threads=1)
    all_done()
    last = tasks.add.enqueue(1)
    all_done()
    assert worker.stop() == 0
    for result in (*ended, last):
        result.refresh()
    kinds = [result.errors[0].exception_class for result in ended]
    assert (kinds, last.return_value) == ([SystemExit, KeyboardInterrupt], 2)


def test_a_task_whose_worker_was_killed_has_failed_and_says_why(
    workers: Workers, all_done: AllDone, tasks: Any, home: Namespace
) -> None:
    first = workers.start(**SHORT_LEASE)
    result = tasks.sleep.enqueue(60)
    wait_until(lambda: Job.objects.filter(status=JobStatus.RUNNING).exists())
    first.kill()
    second = workers.start(**SHORT_LEASE)
    all_done()
    result.refresh()
    assert (result.status, result.attempts) == (home.Status.FAILED, 1)
    assert result.errors[0].exception_class.__name__ == "LeaseExpired"
    # Told by the worker that found out.
    wait_until(lambda: f"Task id={result.id} " in second.output())
    assert "state=FAILED" in second.output()


def test_a_stopped_worker_gives_its_task_back_with_the_attempt(
    workers: Workers, tasks: Any, home: Namespace
) -> None:
    worker = workers.start(QFORGE_GRACE_SECONDS="0")
    result = tasks.sleep.enqueue(60)
    wait_until(lambda: Job.objects.filter(status=JobStatus.RUNNING).exists())
    worker.signal(signal.SIGINT)
    worker.wait()
    result.refresh()
    assert (result.status, result.attempts) == (home.Status.READY, 0)
    assert (result.started_at, result.errors) == (None, [])
