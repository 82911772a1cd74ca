"""What of an async job must not happen on the event loop's thread: whatever may wait."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from jobs import JobContext, Workflow, client, enqueue
from jobs.models import Job
from jobs.states import JobStatus
from jobs.store.values import Claimed
from tests.worker.bench import counts
from tests.worker.pools import drain

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("committed_db", "quick_listener")]

Register = Callable[..., client.Task]


def test_an_async_step_has_the_results_of_its_parents(register: Register) -> None:
    async def first() -> dict[str, int]:
        return {"n": 1}

    async def second(n: int, context: JobContext) -> list[Any]:
        return [n, context.results, threading.current_thread().name]

    register(first, name="tests.first")
    register(second, name="tests.second")
    workflow = Workflow("async")
    workflow.step("a", "tests.first")
    workflow.step("b", "tests.second", {"n": {"$result": "a", "path": "n"}}, after=["a"])
    workflow.submit()
    drain()
    assert counts() == {JobStatus.SUCCEEDED: 2}
    assert Job.objects.get(step_name="b").result == [1, {"a": {"n": 1}}, "qforge-loop"]


def test_a_backoff_may_ask_the_database(register: Register) -> None:
    def backoff(attempt: int, error: BaseException) -> float:
        return 1000.0 + Job.objects.count()

    async def handler() -> None:
        raise ValueError("wrong")

    enqueue(register(handler, backoff=backoff))
    drain()
    job = Job.objects.get()
    assert (job.available_at - job.created_at).total_seconds() > 1000


def test_a_task_that_waits_begins_and_ends_on_a_thread(
    register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, str]] = []

    def note(what: str) -> None:
        seen.append((what, threading.current_thread().name.rpartition("-")[0]))

    def begin(task: client.Task, job: Claimed) -> client.Task:
        note(f"begin {Job.objects.count()}")
        return task

    def ended(task: client.Task, outcome: Any, *, stopping: bool) -> None:
        note(f"end {Job.objects.count()}")

    async def handler() -> None:
        note("handler")

    monkeypatch.setattr(client.Task, "waits", True)
    monkeypatch.setattr(client.Task, "begin", begin)
    monkeypatch.setattr(client.Task, "ended", ended)
    enqueue(register(handler))
    drain(threads=1)
    assert counts() == {JobStatus.SUCCEEDED: 1}
    assert [what for what, _ in seen] == ["begin 1", "handler", "end 1"]
    assert [where.startswith("qforge-sync") for _, where in seen] == [True, False, True]
