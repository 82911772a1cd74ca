from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Model

from jobs.models import ErrorGroup, Job, JobEvent, Queue, WorkerPool
from jobs.states import EventKind
from tests.support import factories

pytestmark = pytest.mark.django_db


def event(job: Job, **fields: Any) -> JobEvent:
    plain = {"kind": EventKind.ENQUEUED, "from_status": "", "to_status": "queued"}
    return JobEvent.objects.create(job=job, **plain | fields)


def pool(**fields: Any) -> WorkerPool:
    plain = {"name": "pool", "host": "h", "pid": 1, "version": "1", "threads": 4}
    return WorkerPool.objects.create(**plain | fields)


def refused(make: Any, constraint: str) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        make()


@pytest.mark.parametrize(
    ("constraint", "fields"),
    [
        ("job_events_kind_known", {"kind": "done"}),
        ("job_events_statuses_known", {"to_status": "done"}),
        ("job_events_statuses_known", {"to_status": ""}),
        ("job_events_statuses_known", {"from_status": "done"}),
        ("job_events_attempt_not_negative", {"attempt": -1}),
    ],
)
def test_an_event_tells_of_known_things(constraint: str, fields: dict[str, Any]) -> None:
    refused(lambda: event(factories.job(), **fields), constraint)


def test_an_event_belongs_to_a_job() -> None:
    row = event(factories.job())
    JobEvent.objects.filter(pk=row.pk).update(job_id=0)
    with pytest.raises(IntegrityError), transaction.atomic():
        connection.check_constraints()
    row.delete()


@pytest.mark.postgres
def test_an_event_knows_the_transaction_that_wrote_it() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_xact_id()::text::bigint")
        (current,) = cursor.fetchone()
    row = event(factories.job())
    row.refresh_from_db()
    assert row.transaction_id == current


@pytest.mark.parametrize(
    ("constraint", "fields"),
    [
        ("job_queues_name_not_empty", {"name": ""}),
        ("job_queues_reason_needs_pause", {"name": "a", "pause_reason": "why"}),
        ("job_queues_reason_needs_pause", {"name": "a", "paused_by": "me"}),
    ],
)
def test_a_queue_has_a_name_and_words_only_while_paused(
    constraint: str, fields: dict[str, Any]
) -> None:
    refused(lambda: Queue.objects.create(**fields), constraint)


@pytest.mark.parametrize(
    ("constraint", "fields"),
    [
        ("job_workers_threads_in_range", {"threads": 0}),
        ("job_workers_threads_in_range", {"busy": -1}),
        ("job_workers_name_not_empty", {"name": ""}),
    ],
)
def test_a_pool_has_a_name_and_threads(constraint: str, fields: dict[str, Any]) -> None:
    refused(lambda: pool(**fields), constraint)


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (lambda: event(factories.job()), "job {0.job_id} enqueued"),
        (lambda: Queue.objects.create(name="emails"), "emails"),
        (lambda: pool(name="host:1"), "host:1"),
    ],
)
def test_rows_read_as_what_they_are(row: Any, text: str) -> None:
    made: Model = row()
    assert str(made) == text.format(made)


def error_group() -> ErrorGroup:
    return ErrorGroup.objects.create(
        fingerprint="f", task="t", queue="q", exception="E", occurrences=3
    )


@pytest.mark.parametrize(
    ("constraint", "assignment"),
    [
        ("job_error_groups_status_known", "status = 'closed'"),
        ("job_error_groups_names_not_empty", "fingerprint = ''"),
        ("job_error_groups_names_not_empty", "task = ''"),
        ("job_error_groups_names_not_empty", "queue = ''"),
        ("job_error_groups_names_not_empty", "exception = ''"),
        ("job_error_groups_seen_in_order", "occurrences = 0"),
        ("job_error_groups_seen_in_order", "last_seen_at = '2001-01-01'"),
        ("job_error_groups_limit_needs_ignored", "ignore_until_count = 9"),
        (
            "job_error_groups_limit_needs_ignored",
            "status = 'ignored', ignore_until_count = 3",
        ),
        ("job_error_groups_reopened_is_open", "status = 'ignored', reopened_at = '2030-01-01'"),
    ],
)
def test_a_group_of_failures_that_code_should_never_write_is_refused(
    constraint: str, assignment: str
) -> None:
    error_group()

    def write() -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"UPDATE job_error_groups SET {assignment}")  # noqa: S608

    refused(write, constraint)


def test_an_hour_without_failures_is_refused() -> None:
    group = error_group()

    def write() -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO job_error_hours (group_id, hour, occurrences) VALUES (%s, %s, 0)",
                [group.pk, "2030-01-01"],
            )

    refused(write, "job_error_hours_not_empty")
