"""What is read of the database, and how much of it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models.functions import Now
from pytest_django import DjangoDbBlocker

from jobs import client, explain, lifecycle
from jobs.errors import JobNotFound
from jobs.explain import Code, line
from jobs.explain.line import jobs_ahead
from jobs.models import Job, Queue, WorkerPool
from jobs.states import JobStatus
from jobs.store import queues
from tests.support import factories
from tests.support.backlog import fill
from tests.support.database import statements
from tests.support.factories import USING
from tests.support.plans import Plan, plans_of
from tests.workflows import helpers


def pool(name: str = "web-1", *, age: float = 0, **fields: Any) -> None:
    plain: dict[str, Any] = {"host": "web", "pid": 1, "version": "1", "threads": 4}
    known = plain | {"tasks": [factories.TASK]} | fields
    WorkerPool.objects.create(name=name, **known)
    beat = Now() - dt.timedelta(seconds=age)
    WorkerPool.objects.filter(name=name).update(heartbeat_at=beat)


def why(job: Job) -> list[explain.Reason]:
    return explain.reasons(explain.gather(USING, job.pk))


def codes(job: Job) -> list[Code]:
    return [reason.code for reason in why(job)]


@pytest.mark.django_db
def test_only_live_pools_that_serve_the_queue_count() -> None:
    row = factories.job(queue="mail")
    assert codes(row)[0] is Code.NO_LIVE_WORKER
    pool("lost", age=3600)
    pool("other", queues=["reports"])
    assert codes(row)[0] is Code.NO_LIVE_WORKER
    pool("stopping", queues=["mail"], stopping=True)
    assert "are stopping" in why(row)[0].summary
    pool("every", tasks=[])
    assert codes(row)[0] is Code.TASK_NOT_REGISTERED
    pool("right", queues=["mail", "x"], busy=1)
    assert codes(row) == [Code.NEXT_IN_LINE, Code.TASK_NOT_REGISTERED]
    assert why(row)[0].facts | {"due_seconds": 0} == {
        "ahead": 0,
        "exact": True,
        "due_seconds": 0,
        "threads": 8,
        "busy": 1,
    }


@pytest.mark.django_db
def test_the_pause_of_a_queue_is_told() -> None:
    row = factories.job(queue="mail")
    queues.pause(USING, "other", by="bob", reason="")
    assert Code.QUEUE_PAUSED not in codes(row)
    queues.pause(USING, "mail", by="ada", reason="db upgrade")
    told = why(row)[0]
    assert (told.code, told.facts["paused_by"]) == (Code.QUEUE_PAUSED, "ada")


@pytest.mark.django_db
def test_a_step_waits_for_its_open_parents_and_names_the_first_of_them(
    register: Callable[..., client.Task],
) -> None:
    register(lambda: None, name=helpers.TASK)
    names = [f"part-{n}" for n in range(12)]
    made = helpers.submit({name: [] for name in names} | {"last": names})
    job = Job.objects.get(workflow_id=made.id, step_name="last")
    told = why(job)[0]
    assert told.facts["open_steps"] == 12
    assert [step["step"] for step in told.facts["steps"]] == names[:10]
    held = factories.claim(1)[0]
    factories.finish(factories.succeeded(Job.objects.get(pk=held.id)))
    left = [step["step"] for step in why(job)[0].facts["steps"]]
    assert left == [name for name in names if name != held.step_name][:10]


@pytest.mark.django_db
def test_events_tell_who_asked_and_how_it_ended() -> None:
    row = factories.job(JobStatus.RUNNING)
    lifecycle.cancel(USING, row.pk, actor="ada", reason="wrong file")
    assert codes(row) == [Code.CANCEL_REQUESTED, Code.RUNNING]
    assert why(row)[0].facts["actor"] == "ada"
    factories.finish(factories.cancelled(row))
    assert why(row)[0].summary.endswith("by ada: wrong file.")
    broken = factories.job(JobStatus.RUNNING, attempts=3)
    error = {"error": {"type": "ValueError", "message": "x", "traceback": "y"}}
    held = factories.claimed(broken)
    factories.finish(
        factories.values.failed(held.id, held.token, error="x", delay_seconds=1, data=error)
    )
    assert why(broken)[0].facts["error_type"] == "ValueError"


@pytest.mark.django_db
@pytest.mark.parametrize("job_id", [0, 1, 2**63 - 1, 2**63, 10**30])
def test_a_job_that_is_not_there_is_not_found(job_id: int) -> None:
    with pytest.raises(JobNotFound):
        explain.gather(USING, job_id)


# The line.


def ahead(job: Job, served: Any = None, paused: Any = ()) -> int:
    return jobs_ahead(USING, job, served, paused).count


@pytest.mark.django_db
def test_those_ahead_are_those_that_are_claimed_before() -> None:
    at = factories.job().available_at
    made = [
        factories.job(queue=queue, priority=priority, available_at=at + dt.timedelta(seconds=s))
        for queue in ("mail", "other")
        for priority in (0, 5, -5)
        for s in (0, 2, 1)
    ]
    order = list(Job.objects.order_by(*Job.CLAIM_ORDER).values_list("pk", flat=True))
    for row in made:
        assert ahead(row) == order.index(row.pk)
    mail = [pk for pk in order if Job.objects.get(pk=pk).queue == "mail"]
    for row in made[:9]:
        assert ahead(row, {"mail"}) == mail.index(row.pk)
        assert ahead(row, None, {"other", "default"}) == mail.index(row.pk)


@pytest.mark.django_db
@pytest.mark.parametrize("status", [s for s in JobStatus if s is not JobStatus.QUEUED])
def test_only_queued_jobs_are_ahead(status: JobStatus) -> None:
    factories.job(status, priority=9)
    assert ahead(factories.job()) == 0


# What it costs.


@pytest.fixture(scope="module")
def backlog(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """50,000 queued jobs and as many finished ones; no commit."""
    with django_db_blocker.unblock(), transaction.atomic():
        fill(50_000, JobStatus.QUEUED)
        fill(50_000, JobStatus.SUCCEEDED)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE jobs")
        yield
        transaction.set_rollback(True)


def total(plans: list[Plan]) -> int:
    return sum(plan.rows_read for plan in plans)


@pytest.mark.postgres
@pytest.mark.parametrize("generic", [False, True])
@pytest.mark.parametrize("served", [None, {"queue-1"}])
def test_a_count_reads_those_ahead_and_no_more_than_its_bound(
    backlog: None,
    django_db_blocker: DjangoDbBlocker,
    monkeypatch: pytest.MonkeyPatch,
    generic: bool,
    served: Any,
) -> None:
    # With the bound near the size of the backlog sorting that would be cheaper.
    monkeypatch.setattr(line, "BOUND", 500)
    with django_db_blocker.unblock():
        order = Job.objects.filter(queue="queue-1", status="queued").order_by(*Job.CLAIM_ORDER)
        early, late = order[3], order.last()
        assert late is not None
        (few,) = plans_of(partial(jobs_ahead, USING, early, served, ()), generic=generic)
        # A bitmap's entries are counted beside their rows.
        assert few.rows_read <= 2 * jobs_ahead(USING, early, served, ()).count + 4
        (many,) = plans_of(partial(jobs_ahead, USING, late, served, ()), generic=generic)
        assert many.rows_read <= 2 * (500 + 1) + 2  # its own times
        for plan in (few, many):
            assert plan.indexes <= {"jobs_claim", "jobs_claim_queue", "jobs_pkey"}
            assert "Seq Scan" not in plan.kinds
        count = jobs_ahead(USING, late, None, ())
        assert (count.count, count.exact) == (500, False)


@pytest.mark.postgres
def test_the_whole_answer_is_a_few_small_queries(
    backlog: None, django_db_blocker: DjangoDbBlocker
) -> None:
    with django_db_blocker.unblock():
        first = Job.objects.filter(status="queued").order_by(*Job.CLAIM_ORDER)[2]
        with statements() as sent:
            explain.gather(USING, first.pk)
        assert len(sent) <= 7
        found = plans_of(lambda: explain.gather(USING, first.pk), generic=False)
        assert total(found) <= 100


@pytest.mark.django_db
def test_no_traceback_is_read() -> None:
    row = factories.job(JobStatus.RUNNING)
    with statements() as sent:
        explain.gather(USING, row.pk)
    texts = [sql for sql, _ in sent]
    assert not [sql for sql in texts if '"payload"' in sql or '"result"' in sql or '"error"' in sql]
    whole = re.compile(r'(?<!\()"job_events"\."data"[ ,]')
    assert not [sql for sql in texts if whole.search(sql)]
    assert Queue.objects.count() == 0
