"""Keys asked for by several connections at once."""

from __future__ import annotations

from functools import partial

import psycopg
import pytest
from django.db import OperationalError, transaction
from psycopg import IsolationLevel

from jobs.errors import IdempotencyConflict
from jobs.models import Job, JobEvent
from jobs.states import JobStatus
from jobs.store import enqueue, prune
from jobs.store.values import EnqueuedJob, NewJob
from tests.support import factories
from tests.support.database import lent, second_connection, start_blocked
from tests.support.factories import USING, new_job
from tests.support.threads import together

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("committed_db")]


def insert(key: str, fingerprint: str = "h") -> EnqueuedJob:
    wanted = new_job(idempotency_key=key, idempotency_hash=fingerprint)
    return enqueue.insert(USING, [wanted])[0]


def test_fifty_callers_with_one_key_get_one_job() -> None:
    keys = [f"key {n}" for n in range(20)]

    def all_keys(shift: int) -> dict[str, EnqueuedJob]:
        return {key: insert(key) for key in keys[shift:] + keys[:shift]}

    answers = together([partial(all_keys, n % 20) for n in range(50)], seconds=50)
    assert Job.objects.count() == JobEvent.objects.count() == 20
    for key in keys:
        assert len({answer[key].id for answer in answers}) == 1
        assert sum(answer[key].created for answer in answers) == 1


def test_a_caller_waits_for_the_transaction_that_has_its_key_first() -> None:
    with transaction.atomic():
        winner = insert("k")
        loser = start_blocked(partial(insert, "k"))
    answer = loser.wait()
    assert (answer.id, answer.created) == (winner.id, False)


def test_a_caller_gets_the_key_when_the_transaction_before_it_rolls_back() -> None:
    with transaction.atomic():
        insert("k")
        second = start_blocked(partial(insert, "k"))
        transaction.set_rollback(True)
    assert second.wait().created
    assert Job.objects.count() == 1


def batch(*keys: str) -> list[EnqueuedJob]:
    return enqueue.insert(
        USING, [new_job(idempotency_key=key, idempotency_hash="h") for key in keys]
    )


def test_batches_take_their_keys_in_one_order_and_cannot_deadlock() -> None:
    with transaction.atomic():
        insert("m")
        # Each would hold its first key by now and soon ask for the other's.
        forth = start_blocked(partial(batch, "a", "m", "z"))
        back = start_blocked(partial(batch, "z", "m", "a"))
    answers = [*forth.wait(), *back.wait()]
    assert sum(answer.created for answer in answers) == 2
    assert Job.objects.count() == 3


def test_the_loser_of_a_race_with_other_words_gets_a_conflict() -> None:
    def try_insert(fingerprint: str) -> str:
        try:
            return f"created {insert('k', fingerprint).id}"
        except IdempotencyConflict:
            return "conflict"

    answers = together([partial(try_insert, f"h{n}") for n in range(8)])
    assert sorted(answer.split()[0] for answer in answers) == ["conflict"] * 7 + ["created"]


@pytest.mark.parametrize("level", [IsolationLevel.REPEATABLE_READ, IsolationLevel.SERIALIZABLE])
def test_a_key_taken_after_the_snapshot_is_a_serialization_failure(level: IsolationLevel) -> None:
    with second_connection(isolation_level=level) as strict, lent(strict):
        with pytest.raises(OperationalError) as error:
            insert_after_another_did()
        assert isinstance(error.value.__cause__, psycopg.errors.SerializationFailure)
        # Run again, as such transactions must be, it finds the job.
        assert not insert("k").created
    assert Job.objects.count() == 1


@transaction.atomic
def insert_after_another_did() -> None:
    assert not Job.objects.exists()
    together([partial(insert, "k")])
    insert("k")


def test_a_key_of_the_snapshot_is_found_in_any_isolation() -> None:
    first = insert("k")
    with second_connection(isolation_level=IsolationLevel.SERIALIZABLE) as strict, lent(strict):
        with transaction.atomic():
            assert not insert("k").created
            assert insert("k").id == first.id
        assert insert("other").created


@pytest.fixture
def freed_too_late(committed_db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key `k` has a job, which somebody prunes between a refusal of the key and the look-up."""
    factories.job(JobStatus.SUCCEEDED, idempotency_key="k", finished_seconds=60)
    look_up = enqueue._existing
    prune_it = partial(prune.prune_batch, USING, JobStatus.SUCCEEDED, age_seconds=30, limit=1)

    def prune_first(using: str, asked: dict[int, NewJob]) -> dict[int, EnqueuedJob]:
        together([prune_it])
        return look_up(using, asked)

    monkeypatch.setattr(enqueue, "_existing", prune_first)


@pytest.mark.usefixtures("freed_too_late")
def test_a_key_freed_between_refusal_and_look_up_is_taken_after_all() -> None:
    assert insert("k").created


@pytest.mark.usefixtures("freed_too_late")
def test_a_batch_with_such_a_key_starts_over_and_inserts_each_job_once() -> None:
    wanted = [new_job(idempotency_key=key) for key in ("j", "k", None)]
    answers = enqueue.insert(USING, wanted)
    assert [answer.created for answer in answers] == [True] * 3
    assert Job.objects.count() == JobEvent.objects.count() == 3
