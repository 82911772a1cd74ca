"""The exchange when a COMMIT was not answered: what became of it is read back, not guessed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jobs.models import Job
from jobs.states import JobStatus
from jobs.store import values
from jobs.store.values import Outcome
from jobs.worker.exchange import Exchange
from tests.support import factories
from tests.support.database import scalar
from tests.support.events import Told
from tests.support.threads import running
from tests.support.triggers import becomes, gate, raising, trigger
from tests.support.waiting import wait_until
from tests.worker.bench import Bench, claim, counts, kinds, succeed, write

pytestmark = pytest.mark.postgres


_WAITING_FOR_ROWS = (
    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    " AND wait_event = 'transactionid'"
)


def cut(exchange: Exchange) -> None:
    """Cut the engine's connection from the client's side: the server does not notice, and goes on
    with what it was asked for."""
    assert exchange._engine.abort_if_stalled(0)


def test_an_outcome_whose_commit_was_not_answered_but_carried_out_is_not_written_again(
    bench: Bench, told: Told
) -> None:
    factories.jobs(3)
    exchange = bench.exchange()
    jobs = claim(exchange, 3)
    with (
        gate(becomes("succeeded"), at_commit=True) as closed,
        running(lambda: write(exchange, [succeed(job) for job in jobs])) as writer,
    ):
        closed.wait_for_somebody()
        cut(exchange)
        # The first transaction is still committing while the outcomes are looked for: its row
        # locks make that wait for its end.
        wait_until(lambda: told.named("worker.lost_db"))
        wait_until(lambda: scalar(_WAITING_FOR_ROWS))
        closed.open()
        writer.wait()
    assert counts() == {JobStatus.SUCCEEDED: 3}
    assert kinds() == {"claimed": 3, "succeeded": 3}
    assert told.named("job.lease_lost") == []
    assert (exchange.held(), exchange._ledger.unsure) == ({}, set())


def test_an_outcome_whose_commit_was_not_carried_out_is_written_again(
    bench: Bench, told: Told
) -> None:
    factories.jobs(3)
    exchange = bench.exchange()
    jobs = claim(exchange, 3)
    end = "IF nextval('{sequence}') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF"
    with trigger(becomes("succeeded"), end, at_commit=True):
        write(exchange, [succeed(job) for job in jobs])
    assert counts() == {JobStatus.SUCCEEDED: 3}
    assert kinds() == {"claimed": 3, "succeeded": 3}
    assert len(told.named("worker.lost_db")) == 1
    assert told.named("job.lease_lost") == []


@pytest.mark.parametrize("made", ["failed", "released", "cancelled"])
def test_every_kind_of_outcome_is_found_again(bench: Bench, told: Told, made: str) -> None:
    factories.jobs(1)
    exchange = bench.exchange()
    (job,) = claim(exchange, 1)
    makers: dict[str, Callable[[], Outcome]] = {
        "failed": lambda: values.failed(job.id, job.token, error="x", delay_seconds=60.0, data={}),
        "released": lambda: values.released(
            job.id, job.token, reason="snoozed", delay_seconds=60.0
        ),
        "cancelled": lambda: values.cancelled(job, reason="asked"),
    }
    outcome = makers[made]()
    factories.finish(outcome, worker=exchange.name)
    exchange._ledger.put_back([outcome], None)
    write(exchange, [])
    assert kinds() == {"claimed": 1, made: 1}
    assert told.named("job.lease_lost") == []
    assert exchange.held() == {}


def test_jobs_of_a_claim_whose_commit_was_not_answered_but_carried_out_are_run(
    bench: Bench, told: Told
) -> None:
    factories.jobs(2)
    exchange = bench.exchange(drain=True)
    with gate(becomes("running"), at_commit=True) as closed:
        threads = bench.drive(exchange, 2)
        closed.wait_for_somebody()
        cut(exchange)
        wait_until(lambda: told.named("worker.lost_db"))
        closed.open()
        done = Job.objects.filter(status=JobStatus.SUCCEEDED)
        wait_until(lambda: done.count() == 2)
    exchange.stop_claiming("done")
    for thread in threads:
        thread.wait()
    assert set(Job.objects.values_list("attempts", flat=True)) == {1}
    assert kinds() == {"claimed": 2, "succeeded": 2}
    assert (exchange.held(), exchange._ledger.unanswered) == ({}, {})


def test_jobs_adopted_by_a_pool_that_was_told_to_stop_are_given_back(bench: Bench) -> None:
    factories.jobs(3)
    exchange = bench.exchange()
    (job,) = claim(exchange, 1)
    unanswered = factories.claim(2, worker=exchange.name)
    exchange._ledger.put_back([], unanswered[0].token)
    exchange.stop_claiming("shutdown")
    write(exchange, [succeed(job)])
    assert counts() == {JobStatus.SUCCEEDED: 1, JobStatus.QUEUED: 2}
    given_back = Job.objects.filter(status=JobStatus.QUEUED)
    assert set(given_back.values_list("attempts", flat=True)) == {0}
    assert exchange.held() == {}


def test_jobs_that_were_adopted_are_not_lost_when_the_rest_of_the_exchange_fails(
    bench: Bench,
) -> None:
    factories.jobs(2)
    exchange = bench.exchange()
    taken = factories.claim(2, worker=exchange.name)
    exchange._ledger.put_back([], taken[0].token)
    factories.jobs(1)
    with trigger(becomes("running"), raising("40001", times=1)):
        bench.drive(exchange, 3)
        done = Job.objects.filter(status=JobStatus.SUCCEEDED)
        wait_until(lambda: done.count() == 3)
    assert set(Job.objects.values_list("attempts", flat=True)) == {1}
