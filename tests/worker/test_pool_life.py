"""A whole pool in this process, from its start to each of its ends."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from jobs import Cancel, JobContext, PermanentError, Snooze, client, enqueue
from jobs.errors import JobTimeout
from jobs.models import Job, JobEvent
from jobs.states import JobStatus
from jobs.store.values import Claimed
from jobs.worker.executor import execute
from jobs.worker.exits import Exit
from jobs.worker.runs import Runs
from tests.support.events import Told
from tests.support.waiting import wait_until
from tests.worker.bench import counts, wait_for_event
from tests.worker.pools import Running, drain, ours

pytestmark = pytest.mark.usefixtures("committed_db", "quick_listener")

Register = Callable[..., client.Task]


def test_jobs_of_every_ending_run_to_their_end(register: Register) -> None:
    def add(a: int, b: int, context: JobContext) -> dict[str, int]:
        context.progress(50, "half")
        return {"sum": a + b, "attempt": context.attempt}

    async def later() -> str:
        await asyncio.sleep(0.01)
        return "later"

    def fails() -> None:
        raise ValueError("wrong")

    def gives_up() -> None:
        raise PermanentError("no use")

    def snoozes() -> None:
        raise Snooze(3600)

    def cancels() -> None:
        raise Cancel("not needed")

    made = {
        task.handler.__name__: enqueue(register(task.handler), payload).id
        for task, payload in (
            (register(add), {"a": 1, "b": 2}),
            (register(later), {}),
            (register(fails), {}),
            (register(gives_up), {}),
            (register(snoozes), {}),
            (register(cancels), {}),
        )
    }
    code, pool = drain()
    assert code == Exit.OK
    found = {name: Job.objects.get(pk=pk) for name, pk in made.items()}
    assert {name: (job.status, job.attempts) for name, job in found.items()} == {
        "add": ("succeeded", 1),
        "later": ("succeeded", 1),
        "fails": ("scheduled", 1),
        "gives_up": ("failed", 1),
        "snoozes": ("scheduled", 0),
        "cancels": ("cancelled", 1),
    }
    assert found["add"].result == {"sum": 3, "attempt": 1}
    assert found["later"].result == "later"
    assert found["fails"].error == "ValueError: wrong"
    assert (pool.finished_jobs, pool.failed_jobs) == (6, 2)


def test_jobs_that_throw_everything_cost_no_thread(register: Register) -> None:
    def throws(kind: str) -> None:
        raise {"exit": SystemExit, "interrupt": KeyboardInterrupt, "close": GeneratorExit}[kind]

    task = register(throws)
    for number in range(9):
        kind = ("exit", "interrupt", "close")[number % 3]
        enqueue(task, {"kind": kind}, max_attempts=1)
    meeting = threading.Barrier(3)
    # Only with all three threads alive do these come together.
    for _ in range(3):
        enqueue(register(lambda: meeting.wait(20) and None, name="tests.meets"), priority=-1)
    code, _ = drain(threads=3)
    assert code == Exit.OK
    assert counts() == {JobStatus.FAILED: 9, JobStatus.SUCCEEDED: 3}


def test_a_thread_outlives_a_fault_of_the_worker_itself(
    register: Register, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad = enqueue(register(lambda: 1, name="tests.bad"), max_attempts=1).id
    good = enqueue(register(lambda: 1, name="tests.good"), priority=-1).id

    def broken(job: Claimed, runs: Runs) -> Any:
        if job.id == bad:
            raise MemoryError
        return execute(job, runs)

    monkeypatch.setattr("jobs.worker.pool.execute", broken)
    code, _ = drain(threads=1)
    assert code == Exit.OK
    assert Job.objects.get(pk=bad).error == "MemoryError"
    assert Job.objects.get(pk=good).status == JobStatus.SUCCEEDED
    assert f"job {bad}: its attempt could not be carried out" in caplog.text


def test_a_timed_out_job_fails_and_its_thread_goes_on(
    register: Register, start: Callable[..., Running]
) -> None:
    def endless() -> None:
        while True:
            """Busy in Python."""

    start(threads=1)
    late = enqueue(register(endless), max_attempts=1, timeout_seconds=0.1).id
    after = enqueue(register(lambda: 1, name="tests.quick")).id
    wait_for_event(after, "succeeded")
    assert Job.objects.get(pk=late).error == "jobs.errors.JobTimeout: timed out after 0.1 s"
    assert Job.objects.get(pk=late).status == JobStatus.FAILED


def test_a_stop_lets_running_jobs_finish_and_starts_no_others(
    register: Register, start: Callable[..., Running]
) -> None:
    started, go_on = threading.Event(), threading.Event()

    def waits() -> str:
        started.set()
        go_on.wait(20)
        return "finished"

    pool = start(threads=1)
    job = enqueue(register(waits)).id
    assert started.wait(10)
    pool.pool.stop()
    other = enqueue(register(lambda: 1, name="tests.quick")).id
    wait_until(lambda: not pool.pool.exchange.claiming)
    go_on.set()
    assert pool.thread.wait() == Exit.OK
    assert Job.objects.get(pk=job).result == "finished"
    assert Job.objects.get(pk=other).status == JobStatus.QUEUED
    assert ours() == []


def test_what_still_runs_at_the_end_of_the_grace_is_given_back_to_another_pool(
    register: Register, start: Callable[..., Running], told: Told
) -> None:
    gates = [threading.Event(), threading.Event()]
    runs: list[int] = []

    def waits(context: JobContext) -> str:
        runs.append(context.job_id)
        number = len(runs)
        gates[number - 1].wait(20)
        return f"run {number}"

    first = start(threads=1, grace_seconds=0.2)
    job = enqueue(register(waits), max_attempts=1).id
    wait_until(lambda: runs)
    assert first.end() == Exit.RELEASED
    assert told.named("worker.stopped")[0]["released"] == 1
    row = Job.objects.get(pk=job)
    assert (row.status, row.attempts) == (JobStatus.SCHEDULED, 0)

    start(threads=1)
    wait_until(lambda: len(runs) == 2)
    gates[1].set()
    wait_for_event(job, "succeeded")
    # The first thread comes back only now, to nobody.
    gates[0].set()
    wait_until(lambda: not first.pool._threads[0].is_alive())
    row.refresh_from_db()
    assert (row.result, row.attempts) == ("run 2", 1)
    assert JobEvent.objects.filter(job_id=job, kind="succeeded").count() == 1


def test_a_second_signal_skips_the_grace(register: Register, start: Callable[..., Running]) -> None:
    started, go_on = threading.Event(), threading.Event()

    def waits() -> None:
        started.set()
        go_on.wait(20)

    pool = start(threads=1, grace_seconds=60.0)
    job = enqueue(register(waits)).id
    assert started.wait(10)
    pool.pool.stop()
    begun = time.monotonic()
    pool.pool.force()
    assert pool.thread.wait() == Exit.RELEASED
    assert time.monotonic() - begun < 10
    assert Job.objects.get(pk=job).status == JobStatus.SCHEDULED
    go_on.set()
    wait_until(lambda: ours() == [])


def test_a_pool_whose_threads_are_stuck_asks_to_be_replaced(
    register: Register, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jobs.worker.watchdog._STUCK_SECONDS", 0.2)
    go_on = threading.Event()

    def stubborn() -> None:
        while not go_on.is_set():
            try:
                go_on.wait(20)
            except JobTimeout:
                """As handlers do that catch too much."""

    pool = start(threads=2, grace_seconds=60.0)
    late = enqueue(register(stubborn), max_attempts=1, timeout_seconds=0.1).id
    assert pool.thread.wait(20) == Exit.RECYCLE
    assert Job.objects.get(pk=late).status == JobStatus.FAILED
    go_on.set()
    wait_until(lambda: ours() == [])
