from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.db.models.functions import Now

from jobs.models import Job, JobEvent
from jobs.states import ARROWS, SHAPE, EventKind, JobStatus, Verb
from jobs.store import transitions
from tests.support import factories
from tests.support.factories import USING

pytestmark = pytest.mark.django_db

EVERY_STEP = [(verb, start, end) for verb in Verb for start in JobStatus for end in JobStatus]
ALLOWED = [
    (verb, start, end)
    for verb, start, end in EVERY_STEP
    if start in ARROWS[verb].sources and end in ARROWS[verb].targets
]


def shape_of(status: JobStatus) -> dict[str, Any]:
    """The columns that make a row one of this status."""
    shape = SHAPE[status]
    return {
        "locked_by": "w" if shape.leased else "",
        "lease_token": uuid.uuid4() if shape.leased else None,
        "lease_expires_at": Now() if shape.leased else None,
        "finished_at": Now() if shape.finished else None,
        "open_dependencies": 1 if status is JobStatus.BLOCKED else 0,
        "attempts": 1,
    }


@pytest.mark.parametrize(("verb", "start", "end"), ALLOWED)
def test_a_change_along_an_arrow_leaves_one_event(
    verb: Verb, start: JobStatus, end: JobStatus
) -> None:
    row = factories.job(start)
    transitions.change(USING, verb, [row], to_status=end, values=shape_of(end))
    assert Job.objects.get(pk=row.pk).status == end
    assert factories.history(row.pk) == [(ARROWS[verb].event, start, end)]


@pytest.mark.parametrize("verb", Verb)
def test_a_change_without_an_arrow_is_refused_before_any_statement(verb: Verb) -> None:
    forbidden = [step for step in EVERY_STEP if step[0] is verb and step not in ALLOWED]
    for _, start, end in forbidden:
        # The row is not stored: a statement would find nothing and raise another error.
        row = Job(pk=-1, status=start)
        with pytest.raises(ValueError, match=f"no arrow {verb} from"):
            transitions.change(USING, verb, [row], to_status=end, values=shape_of(end))


def test_one_row_without_an_arrow_stops_the_whole_change() -> None:
    queued, done = factories.job(), factories.job(JobStatus.SUCCEEDED)
    with pytest.raises(ValueError, match="no arrow cancel"):
        transitions.change(
            USING,
            Verb.CANCEL,
            [queued, done],
            to_status=JobStatus.CANCELLED,
            values=shape_of(JobStatus.CANCELLED),
        )
    assert Job.objects.get(pk=queued.pk).status == JobStatus.QUEUED


def test_a_row_that_was_not_as_locked_undoes_the_whole_change() -> None:
    first, second = factories.jobs(2)
    Job.objects.filter(pk=second.pk).update(
        status=JobStatus.CANCELLED, **shape_of(JobStatus.CANCELLED)
    )
    with pytest.raises(DatabaseError, match="a row changed while it was locked"):
        change_both(first, second)
    assert Job.objects.get(pk=first.pk).status == JobStatus.QUEUED
    assert factories.history(first.pk) == []


def change_both(*rows: Job) -> None:
    ended = shape_of(JobStatus.CANCELLED)
    with transaction.atomic():
        transitions.change(USING, Verb.CANCEL, rows, to_status=JobStatus.CANCELLED, values=ended)


def test_no_rows_are_no_change() -> None:
    transitions.change(USING, Verb.PROMOTE, [], to_status=JobStatus.QUEUED)
    assert not JobEvent.objects.exists()


def test_an_event_says_who_when_and_why() -> None:
    row = factories.job(attempts=1)
    token = uuid.uuid4()
    transitions.change(
        USING,
        Verb.CLAIM,
        [row],
        to_status=JobStatus.RUNNING,
        values=shape_of(JobStatus.RUNNING) | {"lease_token": token, "attempts": 2},
        worker="host:1",
        lease_token=token,
        data={"why": "because"},
        attempt_offset=1,
    )
    event = JobEvent.objects.get(job=row)
    assert (event.worker, event.lease_token, event.attempt) == ("host:1", token, 2)
    assert event.data == {"why": "because"}
    # Some databases keep time in milliseconds.
    assert abs((event.at - row.created_at).total_seconds()) < 60


def test_a_note_tells_of_no_change() -> None:
    row = factories.job(JobStatus.RUNNING)
    transitions.note(USING, [row], EventKind.CANCEL_REQUESTED, {"actor": "me"})
    assert factories.history(row.pk) == [("cancel_requested", "running", "running")]


def test_finishing_nothing_is_nothing() -> None:
    assert transitions.finish(USING, [], "w") == []


def test_a_dropped_outcome_leaves_a_note_of_what_was_dropped() -> None:
    row = factories.job(JobStatus.RUNNING)
    stale = factories.failed(row, error="ValueError: late")
    Job.objects.filter(pk=row.pk).update(lease_token=uuid.uuid4())
    assert transitions.finish(USING, [stale], "old-worker") == []
    event = JobEvent.objects.get(job=row)
    assert (event.kind, event.worker) == (EventKind.LEASE_LOST, "old-worker")
    assert event.lease_token == row.lease_token
    assert event.data == {"dropped": "fail", "error": "ValueError: late"}


def test_an_outcome_of_a_pruned_job_is_dropped_without_a_word() -> None:
    gone, kept = factories.jobs(2, JobStatus.RUNNING)
    outcomes = [factories.succeeded(gone), factories.succeeded(kept)]
    Job.objects.filter(pk=gone.pk).delete()
    assert [row.job_id for row in transitions.finish(USING, outcomes, "w")] == [kept.pk]
    assert transitions.finish(USING, [outcomes[0]], "w") == []


def test_many_outcomes_are_each_written_as_they_are() -> None:
    rows = factories.jobs(4, JobStatus.RUNNING)
    outcomes = [
        factories.succeeded(rows[3], '{"n": 3}'),
        factories.failed(rows[1], 60.0),
        factories.failed(rows[0], None),
        factories.released(rows[2]),
    ]
    written = {row.job_id: row.status for row in transitions.finish(USING, outcomes, "w")}
    assert [written[row.pk] for row in rows] == ["failed", "scheduled", "queued", "succeeded"]
    assert [factories.history(row.pk)[0][0] for row in rows] == [
        "failed",
        "failed",
        "released",
        "succeeded",
    ]
    assert Job.objects.get(pk=rows[3].pk).result == {"n": 3}
