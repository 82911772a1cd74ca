"""Every dialect decides alike what becomes of an attempt, and leaves the same row behind."""

from __future__ import annotations

import datetime as dt
import itertools
from typing import Any, NamedTuple

import pytest
from django.db.models.functions import Now

from jobs import fingerprint
from jobs.models import Job, JobEvent
from jobs.payload import encode
from jobs.states import TERMINAL, EventKind, JobStatus, Verb
from jobs.store.dialects import dialect
from jobs.store.values import Outcome
from tests.support import factories
from tests.support.factories import USING

pytestmark = pytest.mark.django_db


class Case(NamedTuple):
    verb: Verb
    spent: bool
    """No attempt is left."""
    permanent: bool
    delayed: bool
    cancel_requested: bool

    @property
    def expected(self) -> JobStatus:
        if self.verb is Verb.SUCCEED:
            return JobStatus.SUCCEEDED
        if self.verb is Verb.CANCEL or self.cancel_requested:
            return JobStatus.CANCELLED
        if self.verb in {Verb.FAIL, Verb.RESCUE} and (self.spent or self.permanent):
            return JobStatus.FAILED
        return JobStatus.SCHEDULED if self.delayed else JobStatus.QUEUED


FAILURE = fingerprint.of_reason("tests.task", "default", exception="ValueError", message="no")
ENDS = [Verb.SUCCEED, Verb.FAIL, Verb.RESCUE, Verb.RELEASE, Verb.CANCEL]
CASES = [Case(*case) for case in itertools.product(ENDS, *[[False, True]] * 4)]


def told(case: Case) -> str:
    flags = [name for name, value in case._asdict().items() if value is True]
    return "-".join([case.verb, *flags])


def running(case: Case) -> Job:
    return factories.job(
        JobStatus.RUNNING,
        attempts=2,
        max_attempts=2 if case.spent else 3,
        cancel_requested_at=Now() if case.cancel_requested else None,
        error="of the attempt before",
        error_fingerprint="before",
    )


def outcome(case: Case, row: Job) -> Outcome:
    assert row.lease_token is not None
    return Outcome(
        job_id=row.pk,
        token=row.lease_token,
        verb=case.verb,
        result='{"n": 1}' if case.verb is Verb.SUCCEED else None,
        error="ValueError: no" if case.verb in {Verb.FAIL, Verb.RESCUE} else "",
        delay_seconds=60.0 if case.delayed else 0.0,
        permanent=case.permanent,
        data={"why": "because"},
        failure=FAILURE if case.verb in {Verb.FAIL, Verb.RESCUE} else None,
    )


@pytest.mark.parametrize("case", CASES, ids=told)
def test_an_outcome_is_decided_by_the_row_as_it_is_now(case: Case) -> None:
    row = running(case)
    ended = outcome(case, row)
    (written,) = dialect(USING).finish(USING, [ended], "host:1")
    now = Job.objects.get(pk=row.pk)

    assert (written.job_id, written.token, written.status) == (row.pk, ended.token, case.expected)
    assert now.status == case.expected
    assert (now.locked_by, now.lease_token, now.lease_expires_at) == ("", None, None)
    assert (now.finished_at is not None) == (case.expected in TERMINAL)
    assert now.attempts == (1 if case.verb is Verb.RELEASE else 2)
    assert now.result == ({"n": 1} if case.verb is Verb.SUCCEED else None)
    assert now.error == expected_error(case)
    assert now.error_fingerprint == expected_fingerprint(case)
    if case.expected is JobStatus.SCHEDULED:
        assert now.available_at > row.available_at + dt.timedelta(seconds=50)
    else:
        assert now.available_at == row.available_at


def expected_error(case: Case) -> str:
    kept = {Verb.SUCCEED: "", Verb.FAIL: "ValueError: no", Verb.RESCUE: "ValueError: no"}
    return kept.get(case.verb, "of the attempt before")


def expected_fingerprint(case: Case) -> str:
    new = FAILURE.fingerprint
    return {Verb.SUCCEED: "", Verb.FAIL: new, Verb.RESCUE: new}.get(case.verb, "before")


@pytest.mark.parametrize("case", CASES, ids=told)
def test_an_outcome_leaves_one_event(case: Case) -> None:
    row = running(case)
    dialect(USING).finish(USING, [outcome(case, row)], "host:1")
    event = JobEvent.objects.get(job=row)
    assert (event.from_status, event.to_status) == ("running", case.expected)
    assert (event.worker, event.lease_token, event.attempt) == ("host:1", row.lease_token, 2)
    assert event.data == {"why": "because"}


@pytest.mark.parametrize(
    ("verb", "kind"),
    [
        (Verb.SUCCEED, EventKind.SUCCEEDED),
        (Verb.FAIL, EventKind.FAILED),
        (Verb.RESCUE, EventKind.RESCUED),
        (Verb.RELEASE, EventKind.RELEASED),
        (Verb.CANCEL, EventKind.CANCELLED),
    ],
)
def test_the_event_is_the_past_of_the_verb(verb: Verb, kind: EventKind) -> None:
    row = running(case := Case(verb, False, False, False, False))
    dialect(USING).finish(USING, [outcome(case, row)], "host:1")
    assert JobEvent.objects.get(job=row).kind == kind


@pytest.mark.parametrize("status", sorted(set(JobStatus) - {JobStatus.RUNNING}))
def test_an_outcome_of_a_job_that_does_not_run_is_not_written(status: JobStatus) -> None:
    case = Case(Verb.SUCCEED, False, False, False, False)
    row = running(case)
    stale = outcome(case, row)
    Job.objects.filter(pk=row.pk).delete()
    other = factories.job(status, pk=row.pk)
    assert dialect(USING).finish(USING, [stale], "w") == []
    assert factories.snapshot(row.pk) == factories.snapshot(other.pk)
    assert factories.history(row.pk) == []


@pytest.mark.parametrize(
    "result", [None, 0, False, "", [], 1e308, {"a": {"b": [1, 2.5, "\u2028"]}}]
)
def test_a_result_comes_back_as_it_went_in(result: Any) -> None:
    row = factories.job(JobStatus.RUNNING)
    text = encode(result, "result", max_bytes=1000)
    dialect(USING).finish(USING, [factories.succeeded(row, text)], "w")
    assert repr(Job.objects.get(pk=row.pk).result) == repr(result)
