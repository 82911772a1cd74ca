from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Now

from jobs import JobContext, RetryPolicy, Workflow, client, enqueue
from jobs.errors import Cancel, Snooze
from jobs.models import Job, JobEvent, Queue
from jobs.states import JobStatus
from jobs.tasks_backend.namespaces import NAMESPACES
from jobs.testing import JobFailed, drain, inline, run_pending, time_travel
from tests.support import factories

pytestmark = pytest.mark.django_db
Register = Callable[..., client.Task]


def statuses(jobs: list[Job]) -> list[str]:
    return [job.status for job in jobs]


def test_jobs_run_in_the_order_of_claims_in_this_thread_and_transaction(register: Register) -> None:
    seen: list[Any] = []

    def note(n: int, context: JobContext) -> int:
        seen.append((n, connection.in_atomic_block, context.attempt))
        return n

    task = register(note, name="tests.note")
    enqueue(task, {"n": 1})
    enqueue(task, {"n": 2}, priority=5)
    assert [job.result for job in run_pending()] == [2, 1]
    assert seen == [(2, True, 1), (1, True, 1)]
    assert connection.in_atomic_block
    assert run_pending() == []


def test_each_job_leaves_the_history_it_has_in_a_worker(register: Register) -> None:
    job = register(lambda: 1, name="tests.plain").enqueue()
    run_pending()
    assert factories.history(job.id) == [
        ("enqueued", "", "queued"),
        ("claimed", "queued", "running"),
        ("succeeded", "running", "succeeded"),
    ]
    assert set(JobEvent.objects.exclude(worker="").values_list("worker", flat=True)) == {
        "jobs.testing"
    }


def test_async_handlers_run_too(register: Register) -> None:
    async def double(n: int) -> int:
        return 2 * n

    register(double, name="tests.double").enqueue(n=4)
    assert [job.result for job in run_pending()] == [8]


def test_what_a_handler_asks_for_is_done(register: Register) -> None:
    def steer(how: str) -> None:
        raise {"cancel": Cancel("enough"), "snooze": Snooze(60)}[how]

    task = register(steer, name="tests.steer")
    task.enqueue(how="cancel")
    task.enqueue(how="snooze")
    assert statuses(run_pending()) == ["cancelled", "scheduled"]


@pytest.mark.postgres
def test_a_handler_that_breaks_the_transaction_loses_what_it_wrote_and_nothing_else(
    register: Register,
) -> None:
    def break_it(name: str) -> None:
        Queue.objects.create(name=name)
        connection.cursor().execute("INSERT INTO job_queues (name) VALUES (NULL)")

    register(break_it, name="tests.breaks", max_attempts=1).enqueue(name="gone")
    Queue.objects.create(name="kept")
    (job,) = run_pending()
    assert job.status == JobStatus.FAILED
    assert "IntegrityError" in job.error
    assert list(Queue.objects.values_list("name", flat=True)) == ["kept"]


def test_what_a_failing_handler_wrote_stays_as_it_does_in_a_worker(register: Register) -> None:
    def write_and_fail() -> None:
        Queue.objects.create(name="written")
        with transaction.atomic():
            Queue.objects.create(name="rolled back")
            raise RuntimeError

    register(write_and_fail, name="tests.writes", max_attempts=1).enqueue()
    run_pending()
    assert list(Queue.objects.values_list("name", flat=True)) == ["written"]


def test_callbacks_of_a_handler_run_when_it_ends_and_those_of_the_test_do_not(
    register: Register,
) -> None:
    called: list[str] = []

    def on_commit(fails: bool) -> None:
        transaction.on_commit(lambda: called.append("handler"))
        if fails:
            raise IntegrityError

    task = register(on_commit, name="tests.on_commit", max_attempts=1)
    transaction.on_commit(lambda: called.append("test"))
    task.enqueue(fails=False)
    run_pending()
    assert called == ["handler"]


def test_only_the_queues_asked_for_are_served(register: Register) -> None:
    task = register(lambda: None, name="tests.plain")
    enqueue(task, queue="one")
    enqueue(task, queue="two")
    assert [job.queue for job in run_pending(queues=["two"])] == ["two"]
    assert [job.queue for job in drain()] == ["one"]


def test_jobs_that_never_end_fail_the_test(register: Register) -> None:
    def again() -> None:
        enqueue("tests.again")

    register(again, name="tests.again").enqueue()
    with pytest.raises(AssertionError, match="5 jobs have run and more are to come"):
        run_pending(max_jobs=5)


def test_jobs_that_are_retried_for_ever_fail_the_test(register: Register) -> None:
    def snooze() -> None:
        raise Snooze(60)

    register(snooze, name="tests.snoozes").enqueue()
    with pytest.raises(AssertionError, match="jobs have run"):
        drain(max_jobs=5)


def test_drain_goes_through_every_attempt(register: Register) -> None:
    def fail() -> None:
        raise ValueError("on purpose")

    policy = RetryPolicy(base_seconds=3600, cap_seconds=86400)
    register(fail, name="tests.fails", max_attempts=4, backoff=policy).enqueue()
    assert statuses(drain()) == ["scheduled", "scheduled", "scheduled", "failed"]


def test_drain_runs_workflows_to_their_end(register: Register) -> None:
    task = register(lambda context: sum(context.results.values()) + 1, name="tests.sum")
    flow = Workflow("chain").step("a", task).step("b", task, after="a").step("c", task, after="b")
    flow.submit()
    assert [(job.step_name, job.result) for job in drain()] == [("a", 1), ("b", 2), ("c", 3)]


def test_an_expired_lease_is_rescued(register: Register) -> None:
    register(lambda: None, name=factories.TASK)
    job = factories.job(JobStatus.RUNNING)
    assert run_pending() == []
    with time_travel() as clock:
        clock.advance(31)
        drain()
    job.refresh_from_db()
    assert (job.status, job.attempts) == (JobStatus.SUCCEEDED, 2)


def test_inline_runs_jobs_before_enqueue_returns_and_those_they_enqueue(
    register: Register,
) -> None:
    seen: list[str] = []

    def child() -> None:
        seen.append("child")

    def parent() -> None:
        enqueue("tests.child")
        seen.append("parent")

    register(child, name="tests.child")
    task = register(parent, name="tests.parent")
    with inline():
        task.enqueue()
        assert seen == ["parent", "child"]
    task.enqueue()
    assert seen == ["parent", "child"]


def test_inline_raises_what_a_job_raised_and_goes_on(register: Register) -> None:
    def fail(text: str) -> None:
        raise ValueError(text)

    task = register(fail, name="tests.fails", max_attempts=1)
    with inline(), pytest.raises(JobFailed, match="on purpose"):
        task.enqueue(text="on purpose")
    with inline(raising=False):
        task.enqueue(text="again")
    assert Job.objects.filter(status=JobStatus.FAILED).count() == 2


def test_tasks_of_djangos_run_inline() -> None:
    for home in NAMESPACES:
        name = {"django.tasks": "core_tasks", "django_tasks": "backport_tasks"}[home.name]
        package = __import__(f"jobs.testing.tasks_conformance.{name}", fromlist=["add"])
        with inline():
            result = package.add.enqueue(1, b=2)
        result.refresh()
        assert result.return_value == 3


def test_inline_leaves_what_a_job_enqueues_to_the_run_under_way(register: Register) -> None:
    seen: list[str] = []

    def parent() -> None:
        enqueue("tests.child")
        seen.append("parent")

    register(lambda: seen.append("child"), name="tests.child")
    register(parent, name="tests.parent").enqueue()
    with inline():
        run_pending()
    assert seen == ["parent", "child"]


def test_a_paused_queue_is_left_alone(register: Register) -> None:
    task = register(lambda: None, name="tests.plain")
    enqueue(task, queue="paused")
    enqueue(task, queue="open")
    Queue.objects.create(name="paused", paused_at=Now())
    assert [job.queue for job in run_pending()] == ["open"]
    assert run_pending(queues=["paused"]) == []
