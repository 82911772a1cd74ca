"""A whole pool in this process: threads, exchange and services, from start to end."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import override_settings

from jobs import Cancel, JobContext, PermanentError, Snooze, client, enqueue, lifecycle
from jobs.errors import JobTimeout
from jobs.models import Job, JobEvent, WorkerPool
from jobs.states import JobStatus
from jobs.store import notify
from jobs.worker.exits import Exit
from jobs.worker.options import PoolOptions
from jobs.worker.pool import Pool
from tests.support.database import scalar
from tests.support.events import Told
from tests.support.threads import Worker, running
from tests.support.waiting import wait_until
from tests.worker.bench import wait_for_event

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("committed_db")]

Register = Callable[..., client.Task]


@pytest.fixture(autouse=True)
def quick_listener(monkeypatch: pytest.MonkeyPatch) -> None:
    """A listener stops at its next turn; the tests need not wait a second for each."""
    monkeypatch.setattr("jobs.worker.listener._WAIT_SECONDS", 0.1)


class Running:
    """A pool at work on a thread of the test."""

    def __init__(self, pool: Pool, thread: Worker) -> None:
        self.pool = pool
        self.thread = thread

    def end(self, reason: str = "shutdown") -> Exit:
        self.pool.stop(reason)
        code: Exit = self.thread.wait()
        return code


@pytest.fixture
def start() -> Iterator[Callable[..., Running]]:
    """`start(**options)` starts a pool, which ends at the latest with the test."""
    made: list[Running] = []

    def begin(**options: Any) -> Running:
        plain: dict[str, Any] = {"threads": 3, "poll_seconds": 0.1, "grace_seconds": 10.0}
        pool = Pool(PoolOptions(**plain | options))
        started = Running(pool, Worker(pool.run))
        made.append(started)
        started.thread.start()
        return started

    yield begin
    for each in made:
        each.pool.force()
        each.thread.wait()


def drain(**options: Any) -> tuple[Exit, Pool]:
    """Run a pool until nothing is ready; its exit code, and the pool."""
    plain: dict[str, Any] = {"threads": 3, "drain": True, "poll_seconds": 0.1}
    pool = Pool(PoolOptions(**plain | options))
    with running(pool.run) as thread:
        return thread.wait(), pool


def ours() -> list[str]:
    """Threads of pools that live."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("qforge-")]


def statuses() -> dict[str, int]:
    return Counter(Job.objects.values_list("status", flat=True))


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


def test_a_pool_leaves_no_thread_connection_or_row_behind(register: Register) -> None:
    others = scalar("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
    for _ in range(5):
        enqueue(register(lambda: Job.objects.count(), name="tests.orm"))
    code, _ = drain()
    assert code == Exit.OK
    assert ours() == []
    assert not WorkerPool.objects.exists()
    left = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    wait_until(lambda: scalar(left) == others)


def test_threads_whose_handlers_use_no_database_share_three_connections(
    register: Register, start: Callable[..., Running], told: Told
) -> None:
    counting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    before = scalar(counting)
    meeting = threading.Barrier(11)
    task = register(lambda: meeting.wait(20) and None, name="tests.meets")
    start(threads=10)
    for _ in range(10):
        enqueue(task)
    wait_until(lambda: told.named("worker.listening"))
    wait_until(lambda: WorkerPool.objects.exists())
    # All ten handlers are on their threads now.
    wait_until(lambda: meeting.n_waiting == 10)
    assert scalar(counting) - before == 3
    meeting.wait(20)
    wait_until(lambda: statuses() == {JobStatus.SUCCEEDED: 10})


def test_the_query_log_stays_empty_with_debug_on(register: Register) -> None:
    for number in range(20):
        enqueue(register(lambda: Job.objects.count(), name="tests.orm"), priority=number)
    with override_settings(DEBUG=True):
        _, pool = drain(listen=True)
    for service in pool._services:
        assert len(service.engine._wrapper.queries_log) == 0
    assert len(pool._engine._wrapper.queries_log) == 0
    assert statuses() == {JobStatus.SUCCEEDED: 20}


def test_a_new_job_is_started_when_it_is_enqueued_and_not_at_the_next_poll(
    register: Register, start: Callable[..., Running], told: Told
) -> None:
    task = register(lambda: 1, name="tests.quick")
    pool = start(poll_seconds=60.0).pool
    wait_until(lambda: told.named("worker.listening"))
    with pool.exchange._cv:
        pool.exchange._pacer._pause = 60.0
    wait_until(lambda: pool.exchange._pacer.next_poll - time.monotonic() > 10)
    wait_for_event(enqueue(task).id, "succeeded", seconds=5)


def test_work_is_found_without_notifications(
    register: Register, start: Callable[..., Running]
) -> None:
    start(listen=False)
    task = register(lambda: 1, name="tests.quick")
    wait_for_event(enqueue(task).id, "succeeded", seconds=5)


def test_a_job_of_an_open_transaction_is_not_started(
    register: Register, start: Callable[..., Running]
) -> None:
    start()
    task = register(lambda: 1, name="tests.quick")
    with transaction.atomic():
        inside = enqueue(task).id
        with running(lambda: enqueue(task).id) as other:
            outside = other.wait()
        with running(lambda: wait_for_event(outside, "succeeded")) as waiting:
            waiting.wait()
        assert Job.objects.get(pk=inside).status == JobStatus.QUEUED
    wait_for_event(inside, "succeeded")


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


def test_a_cancel_request_reaches_the_handler_at_once(
    register: Register, start: Callable[..., Running], told: Told
) -> None:
    started = threading.Event()

    def patient(context: JobContext) -> None:
        started.set()
        context.sleep(60)

    start(heartbeat_seconds=10.0)
    wait_until(lambda: told.named("worker.listening"))
    job = enqueue(register(patient)).id
    assert started.wait(10)
    lifecycle.cancel("default", job, actor="ann", reason="")
    wait_for_event(job, "cancelled", seconds=5)
    assert Job.objects.get(pk=job).status == JobStatus.CANCELLED


def test_a_scheduled_job_runs_when_it_is_due(
    register: Register, start: Callable[..., Running], told: Told
) -> None:
    start()
    wait_until(lambda: told.named("worker.listening"))
    job = enqueue(register(lambda: 1, name="tests.quick"), delay_seconds=0.3).id
    done = wait_for_event(job, "succeeded", seconds=5)
    late = done.at - Job.objects.get(pk=job).available_at
    assert 0 <= late.total_seconds() < 2


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


def test_a_pool_is_woken_by_messages_of_its_queues_only() -> None:
    pool = Pool(PoolOptions(queues=("mail", "slow")))

    def woken(message: str) -> bool:
        before = pool.exchange._pacer.wakeups
        pool._on_message(message)
        return pool.exchange._pacer.wakeups > before

    assert woken(notify.QUEUE + "mail")
    assert woken(notify.QUEUE + "slow")
    assert woken(notify.QUEUE)
    assert woken(notify.CONTROL)
    for message in ("other", "mai", "mail2"):
        assert not woken(notify.QUEUE + message)
    for message in (notify.SCHEDULED, notify.CANCEL, "probe:1", "what is this", ""):
        assert not woken(message)


def test_a_pool_of_all_queues_is_woken_by_any() -> None:
    pool = Pool(PoolOptions())
    before = pool.exchange._pacer.wakeups
    pool._on_message(notify.QUEUE + "anything")
    assert pool.exchange._pacer.wakeups == before + 1


def test_messages_wake_the_service_they_are_for() -> None:
    pool = Pool(PoolOptions())
    pool._on_message(notify.SCHEDULED)
    assert pool._promote._wakeup.is_set()
    assert not pool._heartbeat._wakeup.is_set()
    pool._on_message(notify.CANCEL)
    assert pool._heartbeat._wakeup.is_set()


def test_a_pool_is_described_by_what_people_ask(
    register: Register, start: Callable[..., Running]
) -> None:
    register(lambda: 1, name="tests.known")
    pool = start(threads=2, queues=("mail",), name="blue").pool
    row = wait_until(WorkerPool.objects.first)
    assert row.name == pool.name
    assert row.name.startswith("blue:")
    assert (row.threads, row.queues, row.stopping) == (2, ["mail"], False)
    assert "tests.known" in row.tasks
    names = {"watchdog", "flush", "heartbeat", "rescue", "promote", "prune", "listener"}
    assert names <= set(row.services)


def test_two_pools_of_the_same_name_are_not_taken_for_each_other() -> None:
    first, second = Pool(PoolOptions(name="blue")), Pool(PoolOptions(name="blue"))
    assert first.name != second.name
    assert len(Pool(PoolOptions(name="x" * 500)).name) <= 128


def test_a_pool_goes_on_after_all_its_connections_were_cut(
    register: Register, start: Callable[..., Running]
) -> None:
    start()
    task = register(lambda: Job.objects.count(), name="tests.orm")
    for _ in range(3):
        wait_for_event(enqueue(task, max_attempts=1).id, "succeeded")
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
    wait_for_event(enqueue(task, max_attempts=1).id, "succeeded")
    assert statuses() == {JobStatus.SUCCEEDED: 4}


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
    assert statuses() == {JobStatus.FAILED: 9, JobStatus.SUCCEEDED: 3}
