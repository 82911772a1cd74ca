from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from jobs.models import Job
from jobs.states import SHAPE, TERMINAL, WAITING, JobStatus
from tests.support import factories

pytestmark = pytest.mark.django_db

LEASE = {"locked_by": "a", "lease_token": uuid.UUID(int=7).hex, "lease_expires_at": "2030-01-01"}
NO_LEASE = {"locked_by": "", "lease_token": None, "lease_expires_at": None}
FINISHED = {True: "2030-01-01", False: None}


def violations() -> list[Any]:
    """For every status, each single step away from its shape."""
    found = []
    for status, shape in SHAPE.items():
        steps = NO_LEASE if shape.leased else LEASE
        for column, value in [*steps.items(), ("finished_at", FINISHED[not shape.finished])]:
            found.append(pytest.param(status, column, value, id=f"{status}-{column}"))
    return found


def write(row: Job, **columns: Any) -> None:
    """Straight SQL, past everything this project checks."""
    pairs = ", ".join(f"{column} = %s" for column in columns)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE jobs SET {pairs} WHERE id = %s", [*columns.values(), row.pk])  # noqa: S608


@pytest.mark.parametrize("status", JobStatus)
def test_a_row_in_shape_is_accepted(status: JobStatus) -> None:
    assert Job.objects.get(pk=factories.job(status).pk).status == status


@pytest.mark.parametrize(("status", "column", "value"), violations())
def test_a_row_out_of_shape_is_refused(status: JobStatus, column: str, value: Any) -> None:
    row = factories.job(status)
    with pytest.raises(IntegrityError, match="jobs_row_shape"):
        write(row, **{column: value})


PAIRS = [(one, other) for one in JobStatus for other in JobStatus if SHAPE[one] != SHAPE[other]]


@pytest.mark.parametrize(("status", "other"), PAIRS)
def test_a_status_cannot_be_changed_without_its_shape(status: JobStatus, other: JobStatus) -> None:
    row = factories.job(status)
    with pytest.raises(IntegrityError, match=r"jobs_row_shape|jobs_blocked_by|jobs_attempts"):
        write(row, status=other.value)


@pytest.mark.parametrize("status", JobStatus)
@pytest.mark.parametrize(
    "columns",
    [{"attempts": -1}, {"attempts": 4}, {"max_attempts": 0}, {"attempts": 0, "max_attempts": 0}],
)
def test_attempts_stay_within_their_budget(status: JobStatus, columns: dict[str, int]) -> None:
    with pytest.raises(IntegrityError, match="jobs_attempts_in_budget"):
        write(factories.job(status, max_attempts=3), **columns)


@pytest.mark.parametrize("status", sorted(WAITING))
def test_a_waiting_job_has_an_attempt_left(status: JobStatus) -> None:
    row = factories.job(status, attempts=2, max_attempts=3)
    with pytest.raises(IntegrityError, match="jobs_attempts_in_budget"):
        write(row, max_attempts=2)


def test_a_running_job_has_had_an_attempt() -> None:
    row = factories.job(JobStatus.RUNNING)
    write(row, max_attempts=1)
    with pytest.raises(IntegrityError, match="jobs_attempts_in_budget"):
        write(row, attempts=0)


@pytest.mark.parametrize("status", sorted(TERMINAL))
def test_a_finished_job_may_have_spent_any_of_its_attempts(status: JobStatus) -> None:
    for attempts in range(4):
        write(factories.job(status, max_attempts=3), attempts=attempts)


@pytest.mark.parametrize("status", ["", "done", "QUEUED"])
def test_an_unknown_status_is_refused(status: str) -> None:
    with pytest.raises(IntegrityError, match=r"jobs_status_known|jobs_row_shape|jobs_attempts"):
        write(factories.job(), status=status)


@pytest.mark.parametrize(
    ("constraint", "columns"),
    [
        ("jobs_priority_in_range", {"priority": 101}),
        ("jobs_priority_in_range", {"priority": -101}),
        ("jobs_names_not_empty", {"task": ""}),
        ("jobs_names_not_empty", {"queue": ""}),
        ("jobs_names_not_empty", {"idempotency_key": ""}),
        ("jobs_run_after_of_backend", {"run_after": "2030-01-01"}),
        ("jobs_timeout_positive", {"timeout_seconds": 0}),
        ("jobs_timeout_positive", {"timeout_seconds": -5}),
        ("jobs_fingerprint_needs_error", {"error_fingerprint": "a"}),
    ],
)
def test_values_out_of_range_are_refused(constraint: str, columns: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError, match=constraint):
        write(factories.job(), **columns)


def test_a_key_belongs_to_one_job_whatever_its_status() -> None:
    factories.job(JobStatus.SUCCEEDED, idempotency_key="k")
    with pytest.raises(IntegrityError):
        write(factories.job(), idempotency_key="k")


def test_any_number_of_jobs_has_no_key() -> None:
    assert len({row.pk for row in factories.jobs(3)}) == 3


def test_a_job_reads_as_its_task_number_and_status() -> None:
    row = factories.job(task="demo.sleep")
    assert str(row) == f"demo.sleep #{row.pk} (queued)"
