from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from jobs import client
from jobs.client import JobSpec
from jobs.errors import IdempotencyConflict
from jobs.models import Job, JobEvent
from jobs.states import TERMINAL, JobStatus
from jobs.store import enqueue as insertion
from jobs.store import prune
from tests.support import factories
from tests.support.factories import USING, new_job

pytestmark = pytest.mark.django_db


def echo(**payload: Any) -> Any:
    return payload


@pytest.fixture(autouse=True)
def task(register: Callable[..., client.Task]) -> client.Task:
    return register(echo, name="tests.echo")


def enqueue(key: str = "k", payload: dict[str, Any] | None = None, **options: Any) -> Any:
    wanted = {"a": 1} if payload is None else payload
    return client.enqueue("tests.echo", wanted, idempotency_key=key, **options)


def test_a_key_has_one_job_and_the_answer_says_whether_it_is_new() -> None:
    first, second = enqueue(), enqueue()
    assert (first.created, second.created) == (True, False)
    assert first.id == second.id
    assert Job.objects.count() == 1
    assert JobEvent.objects.count() == 1


@pytest.mark.parametrize("status", JobStatus)
def test_the_answer_says_how_the_job_stands_now(status: JobStatus) -> None:
    row = factories.job(status, idempotency_key="k")
    fingerprint = client.prepare(
        JobSpec(task="tests.echo", payload={"a": 1}, idempotency_key="k")
    ).idempotency_hash
    Job.objects.filter(pk=row.pk).update(idempotency_hash=fingerprint)
    answer = enqueue()
    assert (answer.id, answer.status, answer.created) == (row.pk, status, False)


@pytest.mark.parametrize("status", sorted(TERMINAL))
def test_a_key_is_free_again_when_its_job_is_pruned(status: JobStatus) -> None:
    factories.job(status, idempotency_key="k", finished_seconds=60)
    assert prune.prune_batch(USING, status, age_seconds=30, limit=10) == 1
    assert enqueue().created


@pytest.mark.parametrize(
    "other",
    [
        {"payload": {"a": 2}},
        {"priority": 5},
        {"queue": "other"},
        {"max_attempts": 9},
        {"timeout_seconds": 5},
        {"delay_seconds": 60},
    ],
)
def test_a_key_asked_for_in_other_words_is_a_conflict(other: dict[str, Any]) -> None:
    first = enqueue()
    before = factories.snapshot(first.id)
    with pytest.raises(IdempotencyConflict, match=f"'k' belongs to job {first.id}") as error:
        enqueue(**other)
    assert (error.value.key, error.value.owner_id) == ("k", first.id)
    assert error.value.code == "idempotency-conflict"
    assert factories.snapshot(first.id) == before


def test_one_key_serves_one_task(register: Callable[..., client.Task]) -> None:
    register(echo, name="tests.other")
    enqueue()
    with pytest.raises(IdempotencyConflict):
        client.enqueue("tests.other", {"a": 1}, idempotency_key="k")


def test_the_order_of_keys_and_the_form_of_numbers_do_not_count() -> None:
    enqueue(payload={"a": 1, "b": [2]})
    assert not enqueue(payload={"b": (2.0,), "a": 1.0}).created


def test_keys_are_told_apart_letter_for_letter() -> None:
    keys = ["k", "K", "e\u0301", "\u00e9", "k.", "\N{KELVIN SIGN}", "k" * 255]
    assert len({enqueue(key=key).id for key in keys}) == len(keys)


def test_a_key_twice_in_one_call_is_one_job() -> None:
    spec = JobSpec(task="tests.echo", payload={"a": 1}, idempotency_key="k")
    other = JobSpec(task="tests.echo", payload={"a": 1})
    answers = client.enqueue_many([spec, other, spec])
    assert [answer.created for answer in answers] == [True, True, False]
    assert answers[0].id == answers[2].id
    assert Job.objects.count() == 2


def test_a_conflict_within_one_call_leaves_none_of_its_jobs() -> None:
    specs = [
        JobSpec(task="tests.echo", payload={"a": n}, idempotency_key="k" if n else None)
        for n in range(3)
    ]
    with pytest.raises(IdempotencyConflict):
        client.enqueue_many(specs)
    assert not Job.objects.exists()


def test_old_and_new_keys_may_come_in_one_call() -> None:
    old = enqueue(key="old")
    answers = client.enqueue_many(
        JobSpec(task="tests.echo", payload={"a": 1}, idempotency_key=key)
        for key in ("new", "old", "newer")
    )
    assert [answer.created for answer in answers] == [True, False, True]
    assert answers[1].id == old.id


def test_a_key_in_several_chunks_of_one_call_is_one_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(insertion, "CHUNK", 3)
    jobs = [new_job(idempotency_key=f"k{n % 4}") for n in range(10)]
    answers = insertion.insert(USING, jobs)
    assert [answer.created for answer in answers] == [True] * 4 + [False] * 6
    assert [a.id for a in answers[4:8]] == [a.id for a in answers[:4]]


def test_the_callers_transaction_stays_usable() -> None:
    with transaction.atomic():
        enqueue()
        assert not enqueue().created
        with pytest.raises(IdempotencyConflict):
            enqueue(payload={"a": 2})
        assert Job.objects.count() == 1
        enqueue(key="other")
    assert Job.objects.count() == 2


def test_a_key_of_a_savepoint_that_is_rolled_back_is_free() -> None:
    with transaction.atomic():
        enqueue()
        transaction.set_rollback(True)
    assert enqueue().created
