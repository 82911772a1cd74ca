from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection, transaction

from jobs import Workflow, lifecycle
from jobs.client import Task
from jobs.models import Job
from jobs.states import JobStatus
from jobs.store import claim, enqueue, notify, queues, values
from tests.support import factories
from tests.support.database import listening, scalar, statements
from tests.support.factories import USING, new_job
from tests.support.threads import together

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("committed_db")]


def insert(count: int = 1, **fields: object) -> None:
    enqueue.insert(USING, [new_job(**fields) for _ in range(count)])


def test_an_enqueue_outside_a_transaction_notifies_at_once() -> None:
    with listening() as listener:
        insert(queue="emails")
        assert listener.heard() == ["queue:emails"]


def test_a_bulk_enqueue_notifies_once_for_each_queue() -> None:
    wanted = [new_job(queue=f"q{n % 3}") for n in range(300)]
    with listening() as listener:
        enqueue.insert(USING, wanted)
        assert sorted(listener.heard()) == ["queue:q0", "queue:q1", "queue:q2"]


def test_many_enqueues_in_one_transaction_notify_once() -> None:
    with listening() as listener:
        with transaction.atomic():
            for _ in range(50):
                insert()
            insert(delay_seconds=60)
        assert sorted(listener.heard()) == ["queue:default", "scheduled"]


def test_nothing_is_sent_before_the_commit_nor_inside_the_transaction() -> None:
    with listening() as listener, transaction.atomic():
        with statements() as found:
            insert()
        assert not [sql for sql, _ in found if "notify" in sql.lower()]
        # Another connection's mark overtakes whatever would have been sent.
        together([partial(scalar, "SELECT pg_notify(%s, 'mark')", [notify.CHANNEL])])
        assert listener.heard_until("mark") == []


def test_a_rollback_sends_nothing_then_or_later() -> None:
    with listening() as listener:
        with transaction.atomic():
            insert(queue="lost")
            transaction.set_rollback(True)
        insert(queue="kept")
        assert listener.heard() == ["queue:kept"]


def test_a_savepoint_that_is_rolled_back_sends_nothing() -> None:
    with listening() as listener:
        with transaction.atomic():
            with transaction.atomic():
                insert(queue="lost")
                transaction.set_rollback(True)
            with transaction.atomic():
                insert(queue="kept")
            insert(queue="kept")
        assert listener.heard() == ["queue:kept"]


def test_a_message_lost_with_a_savepoint_is_sent_by_whoever_asks_again() -> None:
    with listening() as listener:
        with transaction.atomic():
            with transaction.atomic():
                insert()
                transaction.set_rollback(True)
            insert()
        assert listener.heard() == ["queue:default"]


def test_a_key_that_has_a_job_already_wakes_nobody() -> None:
    insert(idempotency_key="k")
    with listening() as listener:
        insert(idempotency_key="k")
        assert listener.heard() == []


def test_a_payload_of_any_size_makes_the_same_short_message() -> None:
    with listening() as listener:
        insert(payload=f'{{"text": "{"x" * 100_000}"}}')
        insert(5000, queue="q" * 64)
        assert listener.heard() == ["queue:default", "queue:" + "q" * 64]


def test_a_caller_with_autocommit_off_can_enqueue_and_workers_poll() -> None:
    with listening() as listener:
        transaction.set_autocommit(False)
        try:
            insert()
            connection.commit()
        finally:
            transaction.set_autocommit(True)
        assert listener.heard() == []
    assert Job.objects.count() == 1


def test_a_wake_up_that_cannot_be_sent_is_logged_and_harms_nobody(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notify, "CHANNEL", "")
    with transaction.atomic():
        insert()
    assert Job.objects.count() == 1
    assert [record.getMessage() for record in caplog.records] == [
        "wake-up not sent; workers will find the jobs when they poll"
    ]


def test_verbs_that_make_work_claimable_wake_the_queue() -> None:
    failed = factories.job(JobStatus.FAILED, queue="a")
    scheduled = factories.job(JobStatus.SCHEDULED, queue="b")
    due = factories.job(JobStatus.SCHEDULED, queue="c", available_at=failed.created_at)
    with listening() as listener:
        lifecycle.retry(USING, failed.pk, actor="", reason="")
        lifecycle.run_now(USING, scheduled.pk, actor="")
        lifecycle.promote(USING, limit=10)
        assert due.queue == "c"
        assert listener.heard() == ["queue:a", "queue:b", "queue:c"]


def test_attempts_given_back_wake_somebody() -> None:
    now, later, done = factories.jobs(3, JobStatus.RUNNING)
    with listening() as listener:
        factories.finish(factories.released(now), factories.failed(later, 60.0))
        factories.finish(factories.succeeded(done))
        assert sorted(listener.heard()) == ["queue:", "scheduled"]


def test_a_cancel_request_is_told_once() -> None:
    running, waiting = factories.job(JobStatus.RUNNING), factories.job()
    with listening() as listener:
        for row in (running, running, waiting):
            lifecycle.cancel(USING, row.pk, actor="", reason="")
        assert listener.heard() == ["cancel"]


def test_a_pause_and_its_end_are_told() -> None:
    with listening() as listener:
        queues.pause(USING, "emails", by="me", reason="")
        queues.resume(USING, "emails")
        assert listener.heard() == ["control", "control", "queue:emails"]


@pytest.mark.parametrize(
    ("queues", "limit", "chosen", "messages"),
    [
        (None, 10, 10, []),
        (["default"], 10, 10, ["queue:"]),
        (None, 1, 10, ["queue:"]),
        (None, 10, 1, ["queue:"]),
    ],
    ids=["all taken", "of one queue", "more than asked for", "left to others"],
)
def test_nobody_is_woken_up_for_what_the_same_exchange_takes(
    queues: list[str] | None, limit: int, chosen: int, messages: list[str]
) -> None:
    given_back = factories.jobs(2, JobStatus.RUNNING)
    request = lifecycle.ClaimRequest(
        queues=queues,
        limit=limit,
        choose=lambda tasks: range(min(len(tasks), chosen)),
        token=uuid.uuid4(),
        lease_seconds=30,
    )
    with listening() as listener:
        outcomes = [factories.released(job) for job in given_back]
        lifecycle.exchange(USING, outcomes, request, worker=factories.WORKER)
        assert listener.heard() == messages


def test_an_unblocked_step_that_the_exchange_takes_wakes_nobody(
    register: Callable[..., Task],
) -> None:
    noop = register(lambda: None, name="test.noop")
    Workflow("pair").step("a", noop).step("b", noop, after="a").submit()
    (first,) = factories.claim()
    request = lifecycle.ClaimRequest(
        queues=["default"], limit=10, choose=claim.everything, token=uuid.uuid4(), lease_seconds=30
    )
    with listening() as listener:
        outcome = values.succeeded(first, None, run_seconds=0.1)
        exchanged = lifecycle.exchange(USING, [outcome], request, worker=factories.WORKER)
        assert [job.step_name for job in exchanged.claimed] == ["b"]
        assert listener.heard() == []
