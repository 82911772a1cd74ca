"""Async handlers on the event loop of a pool: what holds for threads holds for them."""

from __future__ import annotations

import asyncio
import contextvars
import os
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection, transaction

from jobs import JobContext, JobSpec, Snooze, client, enqueue, enqueue_many, lifecycle
from jobs.models import Job, WorkerPool
from jobs.states import JobStatus
from jobs.worker.exits import Exit
from tests.support import factories
from tests.support.database import scalar
from tests.support.events import Told
from tests.support.waiting import wait_until
from tests.worker.bench import counts, kinds, wait_for_event
from tests.worker.pools import Running, drain, ours

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("committed_db", "quick_listener")]

Register = Callable[..., client.Task]
Start = Callable[..., Running]
_tenant: contextvars.ContextVar[str] = contextvars.ContextVar("tenant", default="none")


class Meeting:
    """A handler that waits for the test, and counts who is there."""

    def __init__(self) -> None:
        self.here = self.cancelled = 0
        self.threads: set[str] = set()
        self.over = False

    async def __call__(self) -> None:
        self.here += 1
        self.threads.add(threading.current_thread().name)
        try:
            while not self.over:
                await asyncio.sleep(0.01)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.here -= 1


@pytest.fixture
def meeting() -> Meeting:
    return Meeting()


@pytest.fixture
def meets(register: Register, meeting: Meeting) -> client.Task:
    async def handler() -> None:
        await meeting()

    return register(handler, name="tests.meets")


def many(task: client.Task, count: int, **options: Any) -> None:
    enqueue_many(JobSpec(task=task.name, **options) for _ in range(count))


def test_far_more_async_jobs_than_threads_run_at_once(
    meets: client.Task, meeting: Meeting, start: Start
) -> None:
    many(meets, 300)
    start(threads=2, async_jobs=300)
    wait_until(lambda: meeting.here == 300)
    assert meeting.threads == {"qforge-loop"}
    meeting.over = True
    wait_until(lambda: counts() == {JobStatus.SUCCEEDED: 300})
    assert kinds() == {"enqueued": 300, "claimed": 300, "succeeded": 300}


def test_no_more_run_at_once_than_there_is_room_for_and_all_come_to_their_turn(
    register: Register,
) -> None:
    at_once: list[int] = [0, 0]

    async def handler() -> None:
        at_once[0] += 1
        at_once[1] = max(at_once)
        await asyncio.sleep(0.005)
        at_once[0] -= 1

    many(register(handler), 60)
    code, pool = drain(async_jobs=7)
    assert code == Exit.OK
    assert at_once == [0, 7]
    assert (pool.finished_jobs, pool.failed_jobs) == (60, 0)
    assert counts() == {JobStatus.SUCCEEDED: 60}


def test_without_room_async_jobs_run_on_the_threads(meets: client.Task, meeting: Meeting) -> None:
    many(meets, 3)
    meeting.over = True
    assert drain(async_jobs=0, threads=1)[0] == Exit.OK
    assert counts() == {JobStatus.SUCCEEDED: 3}
    assert "qforge-loop" not in meeting.threads


def test_async_jobs_run_while_every_thread_is_busy(
    register: Register, meets: client.Task, meeting: Meeting, start: Start
) -> None:
    go_on = threading.Event()
    busy = register(lambda: go_on.wait(20) and None, name="tests.busy")
    start(threads=2)
    try:
        many(busy, 30, priority=5)
        wait_until(lambda: counts().get(JobStatus.RUNNING) == 2)
        many(meets, 20)
        wait_until(lambda: meeting.here == 20)
        meeting.over = True
        wait_until(lambda: counts().get(JobStatus.SUCCEEDED) == 20)
    finally:
        go_on.set()


def test_threads_find_work_while_the_loop_is_full(
    register: Register, meets: client.Task, meeting: Meeting, start: Start
) -> None:
    many(meets, 50, priority=5)
    start(threads=2, async_jobs=4)
    wait_until(lambda: meeting.here == 4)
    many(register(lambda: 1, name="tests.quick"), 20)
    wait_until(lambda: counts().get(JobStatus.SUCCEEDED) == 20)
    assert counts()[JobStatus.RUNNING] == 4
    meeting.over = True
    wait_until(lambda: counts() == {JobStatus.SUCCEEDED: 70})


def test_one_job_at_most_is_one_job_whatever_its_kind_and_comes_to_its_end(
    register: Register,
) -> None:
    async def handler() -> None:
        await asyncio.sleep(0.4)

    many(register(handler), 3)
    drain(max_jobs=1, grace_seconds=0)
    assert counts() == {JobStatus.SUCCEEDED: 1, JobStatus.QUEUED: 2}


def test_a_coroutine_past_its_deadline_is_cancelled_and_fails(
    meets: client.Task, meeting: Meeting, start: Start
) -> None:
    start()
    late = enqueue(meets, max_attempts=1, timeout_seconds=0.1).id
    other = enqueue(meets).id
    wait_for_event(late, "failed")
    assert Job.objects.get(pk=late).error == "jobs.errors.JobTimeout: timed out after 0.1 s"
    wait_until(lambda: meeting.cancelled == 1)
    assert meeting.here == 1
    meeting.over = True
    wait_for_event(other, "succeeded")


def test_a_coroutine_that_ignores_its_deadline_costs_its_own_place_only(
    register: Register, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = False

    async def deaf() -> None:
        while not go_on:
            try:
                await asyncio.sleep(0.01)
            except asyncio.CancelledError:
                continue

    monkeypatch.setattr("jobs.worker.watchdog._STUCK_SECONDS", 0.1)
    pool = start(async_jobs=2).pool
    late = enqueue(register(deaf), max_attempts=1, timeout_seconds=0.05).id
    wait_for_event(late, "failed")
    wait_until(
        lambda: [run for run, at in pool._watchdog._overdue.items() if at + 0.3 < time.monotonic()]
    )
    assert pool._watchdog.stuck == 0
    quick = register(lambda: 1, name="tests.quick")
    wait_for_event(enqueue(quick).id, "succeeded")
    go_on = True
    wait_until(lambda: len(pool.runs) == 0)


def test_a_cancel_request_ends_a_coroutine_that_sleeps(register: Register, start: Start) -> None:
    async def patient(context: JobContext) -> None:
        await context.asleep(60)

    start(heartbeat_seconds=0.1)
    job = enqueue(register(patient)).id
    wait_for_event(job, "claimed")
    lifecycle.cancel("default", job, actor="ann", reason="")
    wait_for_event(job, "cancelled", seconds=5)


def test_within_the_grace_coroutines_come_to_their_end_and_no_other_starts(
    meets: client.Task, meeting: Meeting, start: Start
) -> None:
    many(meets, 9)
    running = start(async_jobs=5)
    wait_until(lambda: meeting.here == 5)
    running.pool.stop()
    wait_until(lambda: not running.pool.exchange.claiming)
    meeting.over = True
    assert running.thread.wait() == Exit.OK
    assert counts() == {JobStatus.SUCCEEDED: 5, JobStatus.QUEUED: 4}
    assert ours() == []


def test_after_the_grace_coroutines_are_given_back_and_cancelled(
    meets: client.Task, meeting: Meeting, start: Start
) -> None:
    many(meets, 5)
    running = start(grace_seconds=0.1)
    wait_until(lambda: meeting.here == 5)
    assert running.end() == Exit.RELEASED
    assert counts() == {JobStatus.SCHEDULED: 5}
    assert set(Job.objects.values_list("attempts", flat=True)) == {0}
    assert (meeting.here, meeting.cancelled) == (0, 5)


def test_whatever_a_coroutine_throws_is_an_outcome_of_its_own(register: Register) -> None:
    errors = [ValueError, SystemExit, KeyboardInterrupt, GeneratorExit, asyncio.CancelledError]

    async def throws(number: int) -> None:
        await asyncio.sleep(0)
        raise errors[number]("wrong")

    async def snoozes() -> None:
        raise Snooze(3600)

    task = register(throws)
    ids = [enqueue(task, {"number": n}, max_attempts=1).id for n in range(len(errors))]
    enqueue(register(snoozes))
    assert drain()[0] == Exit.OK
    assert counts() == {JobStatus.FAILED: len(errors), JobStatus.SCHEDULED: 1}
    for job_id, kind in zip(ids, errors, strict=True):
        assert kind.__name__ in Job.objects.get(pk=job_id).error


def test_each_coroutine_has_a_context_of_its_own(register: Register) -> None:
    async def handler(name: str) -> str:
        before = _tenant.get()
        _tenant.set(name)
        await asyncio.sleep(0.01)
        return f"{before} {_tenant.get()}"

    task = register(handler)
    ids = {name: enqueue(task, {"name": name}).id for name in "abc"}
    drain()
    assert {name: Job.objects.get(pk=pk).result for name, pk in ids.items()} == {
        name: f"none {name}" for name in "abc"
    }


def test_the_orm_of_coroutines_has_as_many_connections_as_threads_and_leaves_none(
    register: Register,
) -> None:
    backends: set[int] = set()
    counting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    before = scalar(counting)

    def backend() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            return int(cursor.fetchone()[0])

    async def handler() -> int:
        found = {await sync_to_async(backend)() for _ in range(3)}
        assert len(found) == 1
        backends.update(found)
        return await Job.objects.acount()

    many(register(handler), 40)
    connection.settings_dict["CONN_MAX_AGE"] = None
    try:
        drain(threads=2)
    finally:
        connection.settings_dict["CONN_MAX_AGE"] = 0
    assert counts() == {JobStatus.SUCCEEDED: 40}
    assert len(backends) <= 2
    wait_until(lambda: scalar(counting) == before)


def test_a_transaction_that_a_coroutine_left_open_is_not_the_next_one_s(
    register: Register,
) -> None:
    async def dirty() -> None:
        await sync_to_async(transaction.atomic().__enter__)()

    async def probe() -> bool:
        return await sync_to_async(lambda: connection.in_atomic_block)()

    enqueue(register(dirty), priority=1)
    probing = enqueue(register(probe)).id
    drain(threads=1, async_jobs=1)
    assert Job.objects.get(pk=probing).result is False


def test_a_handler_that_blocks_the_loop_is_reported_and_its_pool_claims_no_more_for_it(
    register: Register, meets: client.Task, start: Start, told: Told
) -> None:
    blocks = threading.Event()

    async def handler() -> None:
        blocks.wait(20)

    start(async_jobs=5)
    job = enqueue(register(handler, name="tests.blocks")).id
    try:
        (line,) = wait_until(lambda: told.named("loop.blocked"))
        assert line["coroutine"] == f"job-{job}"
        assert line["blocked_seconds"] >= 1
        assert "threading.py" in line["where"]
        waiting = enqueue(meets).id
        wait_for_event(enqueue(register(lambda: 1, name="tests.quick")).id, "succeeded")
        assert factories.history(waiting)[-1][0] == "enqueued"
    finally:
        blocks.set()
    wait_for_event(job, "succeeded")
    assert len(told.named("loop.blocked")) == 1


def test_a_child_that_was_forked_in_a_coroutine_ends_with_its_step(register: Register) -> None:
    async def handler() -> int:
        child = os.fork()
        if child == 0:
            return 1
        for _ in range(500):
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            await asyncio.sleep(0.01)
        return -1

    job = enqueue(register(handler)).id
    drain()
    assert Job.objects.get(pk=job).result == 0
    assert kinds() == {"enqueued": 1, "claimed": 1, "succeeded": 1}


def test_people_see_busy_threads_and_not_coroutines(
    meets: client.Task, meeting: Meeting, start: Start
) -> None:
    many(meets, 20)
    start(threads=2, heartbeat_seconds=0.1)
    wait_until(lambda: meeting.here == 20)
    beaten = wait_until(WorkerPool.objects.first).heartbeat_at
    wait_until(lambda: WorkerPool.objects.get().heartbeat_at > beaten)
    assert WorkerPool.objects.get().busy == 0
    meeting.over = True
