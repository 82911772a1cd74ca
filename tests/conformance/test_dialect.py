"""The rest of what every dialect promises; `test_finish` has the outcomes."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction

from jobs.models import Job, JobEvent
from jobs.states import EventKind, JobStatus
from jobs.store.dialects import dialect
from jobs.store.values import NewEvent
from tests.support import factories
from tests.support.database import scalar
from tests.support.factories import USING, new_job

pytestmark = pytest.mark.django_db


def event(job_id: int, **fields: Any) -> NewEvent:
    plain: dict[str, Any] = {
        "kind": EventKind.CANCEL_REQUESTED,
        "from_status": "running",
        "to_status": "running",
    }
    return NewEvent(job_id=job_id, **plain | fields)


def test_inserted_jobs_are_told_in_their_order_with_their_status() -> None:
    wanted = [new_job(delay_seconds=delay) for delay in (None, 60, 0)]
    rows = dialect(USING).insert_jobs(USING, wanted)
    assert [row.status for row in rows if row] == ["queued", "scheduled", "queued"]
    ids = [row.id for row in rows if row]
    assert ids == sorted(ids)
    assert set(Job.objects.values_list("pk", flat=True)) == set(ids)


def test_a_taken_key_is_told_in_its_place_and_nothing_is_inserted_for_it() -> None:
    factories.job(idempotency_key="old")
    wanted = [new_job(idempotency_key=key) for key in ("new", "old", None, "new")]
    rows = dialect(USING).insert_jobs(USING, wanted)
    assert [row is not None for row in rows] == [True, False, True, False]
    assert Job.objects.count() == 3
    assert JobEvent.objects.count() == 2


@pytest.mark.parametrize("kind", EventKind)
def test_every_kind_of_event_can_be_recorded_as_it_is(kind: EventKind) -> None:
    row, token = factories.job(), uuid.uuid4()
    data = {"text": "\u2028é", "number": 1e17, "nested": [{"a": None}]}
    told = event(row.pk, kind=kind, attempt=3, worker="w", lease_token=token, data=data)
    dialect(USING).record(USING, [told])
    found = JobEvent.objects.get()
    assert (found.kind, found.job_id, found.attempt) == (kind, row.pk, 3)
    assert (found.worker, found.lease_token, found.data) == ("w", token, data)


def test_events_keep_the_order_they_were_given_in() -> None:
    rows = factories.jobs(3)
    told = [event(row.pk, attempt=n) for n in range(5) for row in rows]
    dialect(USING).record(USING, told)
    for row in rows:
        attempts = JobEvent.objects.filter(job=row).order_by("id").values_list("attempt", flat=True)
        assert list(attempts) == [0, 1, 2, 3, 4]


def test_an_event_of_a_job_that_is_gone_is_left_out() -> None:
    row = factories.job()
    dialect(USING).record(USING, [event(row.pk), event(row.pk + 1000)])
    assert JobEvent.objects.count() == 1
    connection.check_constraints()


def test_nothing_to_do_is_nothing() -> None:
    assert dialect(USING).insert_jobs(USING, []) == []
    assert dialect(USING).finish(USING, [], "w") == []
    dialect(USING).record(USING, [])


def test_a_statement_timeout_holds_for_the_transaction_alone() -> None:
    before = timeout()
    with transaction.atomic():
        dialect(USING).statement_timeout(USING, 0.25)
        assert timeout() == (before if connection.vendor == "sqlite" else "250ms")
        transaction.set_rollback(True)
    assert timeout() == before


@pytest.mark.postgres
def test_a_statement_over_its_time_is_cancelled() -> None:
    with pytest.raises(OperationalError, match="statement timeout"), transaction.atomic():
        sleep_with_timeout()


def sleep_with_timeout() -> None:
    dialect(USING).statement_timeout(USING, 0.05)
    scalar("SELECT pg_sleep(10)")


def timeout() -> str:
    return "" if connection.vendor == "sqlite" else str(scalar("SHOW statement_timeout"))


def test_a_claim_of_many_jobs_fits_into_one_statement() -> None:
    factories.jobs(1200)
    assert len(factories.claim(1200)) == 1200
    assert Job.objects.filter(status=JobStatus.RUNNING).count() == 1200
