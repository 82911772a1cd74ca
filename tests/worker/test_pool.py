"""A whole pool in this process: what it hears, whom it wakes, and what it leaves behind."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from django.db import connection, transaction
from django.test import override_settings

from jobs import JobContext, client, enqueue, lifecycle
from jobs.models import Job, WorkerPool
from jobs.states import JobStatus
from jobs.store import notify
from jobs.worker.exits import Exit
from jobs.worker.options import PoolOptions
from jobs.worker.pool import Pool
from tests.support.database import scalar
from tests.support.events import Told
from tests.support.threads import running
from tests.support.waiting import wait_until
from tests.worker.bench import counts, wait_for_event
from tests.worker.pools import Running, drain, ours

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("committed_db", "quick_listener")]

Register = Callable[..., client.Task]


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


def test_threads_whose_handlers_use_no_database_share_four_connections(
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
    wait_until(lambda: scalar(counting) - before == 4)
    meeting.wait(20)
    wait_until(lambda: counts() == {JobStatus.SUCCEEDED: 10})


def test_the_query_log_stays_empty_with_debug_on(register: Register) -> None:
    for number in range(20):
        enqueue(register(lambda: Job.objects.count(), name="tests.orm"), priority=number)
    with override_settings(DEBUG=True):
        _, pool = drain(listen=True)
    for service in pool._services:
        assert len(service.engine._wrapper.queries_log) == 0
    assert len(pool._engine._wrapper.queries_log) == 0
    assert counts() == {JobStatus.SUCCEEDED: 20}


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
    assert 0 <= late.total_seconds() < 20


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
    assert counts() == {JobStatus.SUCCEEDED: 4}
