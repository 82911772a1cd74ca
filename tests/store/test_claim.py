from __future__ import annotations

import datetime as dt
import random
import uuid
from collections.abc import Sequence
from typing import Any

import pytest
from django.db.models.functions import Now

from jobs import lifecycle
from jobs.models import Job, JobEvent
from jobs.states import JobStatus
from jobs.store import claim
from tests.support import factories
from tests.support.factories import USING

pytestmark = pytest.mark.django_db

START = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def second(n: int) -> dt.datetime:
    return START + dt.timedelta(seconds=n)


def ids(claimed: Sequence[Any]) -> list[int]:
    return [job.id for job in claimed]


def test_a_claim_takes_the_job_with_an_attempt_and_a_lease() -> None:
    row = factories.job(payload={"a": 1}, args=[2], attempts=1, progress={"percent": 5})
    (job,) = factories.claim(worker="host:1", lease_seconds=60)
    now = Job.objects.annotate(clock=Now()).get(pk=row.pk)
    assert (now.status, now.locked_by, now.lease_token) == ("running", "host:1", job.token)
    assert (now.attempts, now.progress) == (2, None)
    assert now.started_at is not None
    assert now.lease_expires_at is not None
    assert 55 < (now.lease_expires_at - now.clock).total_seconds() <= 60
    assert (job.id, job.task, job.queue) == (row.pk, row.task, "default")
    assert (job.payload, job.args, job.attempt, job.max_attempts) == ({"a": 1}, [2], 2, 3)


def test_the_event_of_a_claim_says_whose_it_is() -> None:
    factories.job()
    (job,) = factories.claim(worker="host:1")
    event = JobEvent.objects.get(job_id=job.id)
    assert (event.kind, event.from_status, event.to_status) == ("claimed", "queued", "running")
    assert (event.worker, event.lease_token, event.attempt) == ("host:1", job.token, 1)


def test_a_job_says_how_long_it_waited_since_it_could_be_claimed() -> None:
    row = factories.job()
    Job.objects.filter(pk=row.pk).update(available_at=Now() - dt.timedelta(seconds=90))
    (job,) = factories.claim()
    assert 89 < job.waited_seconds < 100


def test_every_claim_has_a_token_of_its_own_whoever_the_worker_is() -> None:
    factories.jobs(2)
    first, second_claim = factories.claim(1, worker="same"), factories.claim(1, worker="same")
    assert first[0].token != second_claim[0].token


def test_only_queued_jobs_are_claimed() -> None:
    rows = {status: factories.job(status) for status in JobStatus}
    assert ids(factories.claim()) == [rows[JobStatus.QUEUED].pk]


def test_the_order_is_priority_then_age_then_creation_then_id() -> None:
    expected = []
    for priority in (10, 0, -10):
        for available in (1, 2):
            for created in (1, 2):
                expected += [(priority, second(available), second(created))] * 2
    shuffled = random.Random(7).sample(expected, len(expected))
    rows = [
        factories.job(priority=priority, available_at=available, created_at=created)
        for priority, available, created in shuffled
    ]
    wanted = sorted(rows, key=lambda r: (-r.priority, r.available_at, r.created_at, r.pk))
    assert ids(factories.claim()) == [row.pk for row in wanted]


def test_the_order_holds_across_claims() -> None:
    rows = [factories.job(priority=n % 3) for n in range(12)]
    wanted = sorted(rows, key=lambda r: (-r.priority, r.available_at, r.created_at, r.pk))
    found = [job for _ in range(6) for job in factories.claim(2)]
    assert ids(found) == [row.pk for row in wanted]


def test_no_more_than_the_limit_is_claimed() -> None:
    factories.jobs(5)
    assert len(factories.claim(2)) == 2
    assert factories.claim(0) == []
    assert Job.objects.filter(status=JobStatus.QUEUED).count() == 3


def test_an_empty_queue_gives_nothing() -> None:
    assert factories.claim() == []


@pytest.mark.parametrize(
    ("served", "found"),
    [
        (None, ["a", "b", "c"]),
        (["b"], ["b"]),
        (["c", "a"], ["a", "c"]),
        (["a", "a"], ["a"]),
        (["none"], []),
        (["none", "b"], ["b"]),
        ([], []),
    ],
)
def test_only_the_queues_served_are_claimed_from(
    served: Sequence[str] | None, found: list[str]
) -> None:
    for n, queue in enumerate("abc"):
        factories.job(queue=queue, available_at=second(n))
    assert [job.queue for job in factories.claim(queues=served)] == found


def test_several_queues_are_merged_in_claim_order() -> None:
    rows = [factories.job(queue="abc"[n % 3], priority=n % 2) for n in range(12)]
    served = [row for row in rows if row.queue != "c"]
    wanted = sorted(served, key=lambda r: (-r.priority, r.available_at, r.created_at, r.pk))
    assert ids(factories.claim(5, queues=["a", "b"])) == [row.pk for row in wanted[:5]]


def test_names_of_queues_are_compared_letter_for_letter() -> None:
    factories.job(queue="Emails")
    assert factories.claim(queues=["emails"]) == []


def test_the_chooser_sees_the_tasks_in_order_and_leaves_the_others_queued() -> None:
    for n, task in enumerate(["first", "short", "long", "last"]):
        factories.job(task=task, available_at=second(n))
    seen: list[Sequence[str]] = []

    def first_and_last(tasks: Sequence[str]) -> list[int]:
        seen.append(list(tasks))
        return [0, 3]

    claimed = factories.claim(choose=first_and_last)
    assert seen == [["first", "short", "long", "last"]]
    assert [job.task for job in claimed] == ["first", "last"]
    left = Job.objects.filter(status=JobStatus.QUEUED)
    assert sorted(left.values_list("task", flat=True)) == ["long", "short"]
    assert JobEvent.objects.count() == 2


def test_a_chooser_may_take_nothing() -> None:
    factories.job()
    assert factories.claim(choose=lambda tasks: []) == []
    assert not JobEvent.objects.exists()


def test_a_recovered_job_keeps_its_priority_and_its_place() -> None:
    urgent = factories.job(JobStatus.RUNNING, priority=10, lease_seconds=-60, attempts=1)
    old = factories.job(available_at=second(1))
    lost = factories.job(JobStatus.RUNNING, available_at=second(0), lease_seconds=-60)
    fresh = factories.job()
    lifecycle.rescue(USING, limit=10, worker="w")
    Job.objects.filter(status=JobStatus.SCHEDULED, pk=urgent.pk).update(available_at=Now())
    Job.objects.filter(status=JobStatus.SCHEDULED, pk=lost.pk).update(available_at=second(2))
    lifecycle.promote(USING, limit=10)
    assert ids(factories.claim()) == [urgent.pk, old.pk, lost.pk, fresh.pk]


def test_jobs_under_a_token_are_found_again() -> None:
    factories.jobs(3)
    first, other = factories.claim(2), factories.claim(1)
    assert [j.token for j in first] == [first[0].token] * 2
    found = claim.held(USING, [first[0].token])
    assert sorted(ids(found)) == sorted(ids(first))
    assert {(job.attempt, job.token) for job in found} == {(1, first[0].token)}
    assert claim.held(USING, [uuid.uuid4()]) == []
    factories.finish(*[outcome_of(job) for job in other])
    assert claim.held(USING, [other[0].token]) == []


def outcome_of(job: Any) -> Any:
    return factories.succeeded(Job.objects.get(pk=job.id))
