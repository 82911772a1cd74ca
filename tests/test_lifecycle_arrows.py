"""The verbs against the state table: what it allows works, and nothing else does."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from jobs.errors import IllegalTransition
from jobs.models import Job
from jobs.states import ARROWS, SHAPE, EventKind, JobStatus, allowed_verbs
from tests.support import factories
from tests.support.verbs import ACTIONS

pytestmark = pytest.mark.django_db

ASKED_TO_STOP = ("cancel", JobStatus.RUNNING)
"""A running job is asked, which changes no status."""

ENDS = {"succeed", "fail", "fail for good", "fail without backoff", "release", "snooze", "stop"}
"""What a worker does to end its attempt, under its token."""

ALL = [(name, status) for name in ACTIONS for status in JobStatus]
LEGAL = [
    (name, status)
    for name, status in ALL
    if status in ARROWS[ACTIONS[name][0]].sources
    and (name, status) != ASKED_TO_STOP
    and (name not in ENDS or status is JobStatus.RUNNING)
]
ILLEGAL = [pair for pair in ALL if pair not in LEGAL and pair != ASKED_TO_STOP]


def in_shape(row: Job) -> bool:
    shape = SHAPE[JobStatus(row.status)]
    leased = {row.locked_by != "", row.lease_token is not None, row.lease_expires_at is not None}
    return leased == {shape.leased} and (row.finished_at is not None) == shape.finished


@pytest.mark.parametrize(("name", "status"), LEGAL)
def test_a_legal_verb_moves_the_job_and_leaves_one_event(name: str, status: JobStatus) -> None:
    verb, act = ACTIONS[name]
    row = factories.job(status)
    act(row)
    moved = Job.objects.get(pk=row.pk)
    assert moved.status in ARROWS[verb].targets
    assert in_shape(moved)
    assert factories.history(row.pk) == [(ARROWS[verb].event, status, moved.status)]


@pytest.mark.parametrize(("name", "status"), ILLEGAL)
def test_an_illegal_verb_changes_nothing(name: str, status: JobStatus) -> None:
    _, act = ACTIONS[name]
    row = factories.job(status)
    if name == "promote":
        Job.objects.filter(pk=row.pk).update(available_at=row.created_at)
        row.available_at = row.created_at
    before = factories.snapshot(row.pk)
    with contextlib.suppress(IllegalTransition):
        act(row)
    after = factories.snapshot(row.pk)
    if name == "promote" and before and after:
        after["available_at"] = before["available_at"]
    assert after == before
    # A worker whose lease is gone leaves a note, which tells of no change.
    dropped = [(EventKind.LEASE_LOST, status, status)]
    assert factories.history(row.pk) == (dropped if name in ENDS else [])


@pytest.mark.parametrize(
    ("name", "status"),
    [(n, s) for n, s in ILLEGAL if n in {"cancel", "retry", "run now"}],
)
def test_an_illegal_request_says_what_would_be_legal(name: str, status: JobStatus) -> None:
    verb, act = ACTIONS[name]
    row = factories.job(status)
    with pytest.raises(IllegalTransition) as error:
        act(row)
    assert (error.value.verb, error.value.status) == (verb, status)
    assert error.value.allowed == tuple(allowed_verbs(status))
    assert str(error.value) == f"job {row.pk} is {status}; it cannot {verb}"


@pytest.mark.parametrize(("name", "status"), LEGAL)
def test_a_rollback_leaves_neither_change_nor_event(name: str, status: JobStatus) -> None:
    _, act = ACTIONS[name]
    row = factories.job(status)
    before = factories.snapshot(row.pk)
    with transaction.atomic():
        act(row)
        assert factories.snapshot(row.pk) != before
        transaction.set_rollback(True)
    assert factories.snapshot(row.pk) == before
    assert factories.history(row.pk) == []


@pytest.mark.postgres
@pytest.mark.parametrize(("name", "status"), LEGAL)
def test_a_change_whose_event_is_refused_is_undone(name: str, status: JobStatus) -> None:
    verb, act = ACTIONS[name]
    row = factories.job(status)
    before = factories.snapshot(row.pk)
    with connection.cursor() as cursor:
        cursor.execute(
            "ALTER TABLE job_events ADD CONSTRAINT refused_by_test CHECK (kind <> %s)",
            [ARROWS[verb].event.value],
        )
    with pytest.raises(IntegrityError, match="refused_by_test"):
        act(row)
    after: Any = factories.snapshot(row.pk)
    if name in {"promote", "rescue"}:
        # Made due, or made to expire, by the test and not by the verb.
        after |= {key: before[key] for key in ("available_at", "lease_expires_at")}  # type: ignore[index]
    assert after == before
