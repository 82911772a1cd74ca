from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from jobs.models import Job, JobEvent
from jobs.states import JobStatus
from jobs.store import enqueue
from tests.support import factories
from tests.support.database import statements
from tests.support.factories import USING, new_job

pytestmark = pytest.mark.django_db


def insert(**fields: Any) -> Job:
    (answer,) = enqueue.insert(USING, [new_job(**fields)])
    assert answer.created
    return Job.objects.annotate(clock=Now()).get(pk=answer.id)


def test_a_new_job_is_queued_with_all_it_was_given() -> None:
    row = insert(
        queue="emails",
        payload='{"to": ["a", "b"]}',
        args="[1, 2]",
        priority=-5,
        max_attempts=7,
        timeout_seconds=2.5,
        idempotency_key="k",
        idempotency_hash="h",
    )
    assert row.status == JobStatus.QUEUED
    assert (row.task, row.queue, row.priority) == (factories.TASK, "emails", -5)
    assert (row.payload, row.args) == ({"to": ["a", "b"]}, [1, 2])
    assert (row.attempts, row.max_attempts, row.timeout_seconds) == (0, 7, 2.5)
    assert (row.idempotency_key, row.idempotency_hash) == ("k", "h")
    assert (row.error, row.result, row.started_at, row.workflow_id) == ("", None, None, None)


def test_a_new_job_has_one_event() -> None:
    row = insert()
    assert factories.history(row.pk) == [("enqueued", "", "queued")]
    event = JobEvent.objects.get(job=row)
    assert (event.attempt, event.worker, event.lease_token, event.data) == (0, "", None, {})


def test_a_job_without_a_delay_is_available_when_it_was_created() -> None:
    row = insert()
    assert row.available_at == row.created_at


@pytest.mark.parametrize("delay_seconds", [0, None, 1e-9])
def test_no_delay_is_queued(delay_seconds: float | None) -> None:
    assert insert(delay_seconds=delay_seconds).status == JobStatus.QUEUED


@pytest.mark.parametrize("delay_seconds", [0.5, 60, 10 * 365 * 86400])
def test_a_delay_schedules_by_the_database_clock(delay_seconds: float) -> None:
    row = insert(delay_seconds=delay_seconds)
    assert row.status == JobStatus.SCHEDULED
    assert (row.available_at - row.created_at).total_seconds() == pytest.approx(delay_seconds)
    assert factories.history(row.pk) == [("enqueued", "", "scheduled")]


def test_a_time_in_the_future_schedules_to_the_moment() -> None:
    at = dt.datetime(2199, 12, 31, 23, 59, 59, 999999, tzinfo=dt.UTC)
    row = insert(available_at=at)
    assert (row.status, row.available_at) == (JobStatus.SCHEDULED, at)


def test_a_time_in_the_past_is_now_so_that_nobody_jumps_the_queue() -> None:
    row = insert(available_at=dt.datetime(2000, 1, 1, tzinfo=dt.UTC))
    assert row.status == JobStatus.QUEUED
    assert row.available_at == row.created_at


@pytest.mark.postgres
def test_no_python_clock_takes_part(monkeypatch: pytest.MonkeyPatch) -> None:
    ahead = dt.datetime.now(tz=dt.UTC) + dt.timedelta(hours=1)
    monkeypatch.setattr("django.utils.timezone.now", lambda: ahead)
    assert insert(delay_seconds=600).status == JobStatus.SCHEDULED
    assert insert(available_at=ahead).status == JobStatus.SCHEDULED
    row = insert()
    assert row.created_at < ahead - dt.timedelta(minutes=50)


def test_answers_stand_in_the_order_of_the_jobs() -> None:
    wanted = [new_job(priority=n % 7, queue=f"q{n}") for n in range(50)]
    answers = enqueue.insert(USING, wanted)
    rows = Job.objects.in_bulk([answer.id for answer in answers])
    assert [rows[answer.id].queue for answer in answers] == [job.queue for job in wanted]


def test_jobs_of_one_call_are_claimed_in_their_order() -> None:
    answers = enqueue.insert(USING, [new_job() for _ in range(20)])
    assert [job.id for job in factories.claim()] == [answer.id for answer in answers]


def test_nothing_to_insert_is_nothing() -> None:
    assert enqueue.insert(USING, []) == []
    assert not Job.objects.exists()


@pytest.mark.postgres
def test_ten_thousand_jobs_take_two_inserts() -> None:
    with statements() as found:
        answers = enqueue.insert(USING, [new_job() for _ in range(10_000)])
    assert len({answer.id for answer in answers}) == 10_000
    assert [sql.split()[0] for sql, _ in found] == ["SAVEPOINT", "WITH", "WITH", "RELEASE"]
    assert JobEvent.objects.count() == 10_000


@pytest.mark.postgres
def test_one_job_takes_one_statement() -> None:
    with statements() as found:
        insert_one = enqueue.insert(USING, [new_job()])
    assert insert_one[0].created
    assert len(found) == 1


def test_one_bad_job_of_many_leaves_none() -> None:
    # Past every check of the client: the database itself refuses.
    wrong = [new_job(), new_job(priority=500)]
    with pytest.raises(IntegrityError, match="jobs_priority_in_range"), transaction.atomic():
        enqueue.insert(USING, wrong)
    assert not Job.objects.exists()
    assert not JobEvent.objects.exists()


def test_a_savepoint_that_is_rolled_back_takes_its_jobs_along() -> None:
    outer = insert()
    with transaction.atomic():
        inner = insert()
        transaction.set_rollback(True)
    assert list(Job.objects.values_list("pk", flat=True)) == [outer.pk]
    assert not JobEvent.objects.filter(job_id=inner.pk).exists()


def test_the_longest_names_and_keys_fit() -> None:
    row = insert(task="t" * 255, queue="q" * 64, idempotency_key="\N{SNOWMAN}" * 255)
    assert row.idempotency_key == "\N{SNOWMAN}" * 255


@pytest.mark.parametrize("size", [100_000, 1_000_000])
def test_a_large_payload_can_be_enqueued(size: int) -> None:
    row = insert(payload=f'{{"text": "{"x" * size}"}}')
    assert len(row.payload["text"]) == size


def test_percent_signs_and_quotes_are_text_like_any_other() -> None:
    text = """100%s %(a)s 'quoted' "double" \\\\ back $1 {x}"""
    row = insert(payload=f'{{"text": {json.dumps(text)}}}')
    assert row.payload == {"text": text}
