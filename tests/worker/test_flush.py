"""What waits in the pool while every thread is busy."""

from __future__ import annotations

import pytest

from jobs.models import Job, JobEvent
from jobs.states import JobStatus
from jobs.store import values
from jobs.store.values import Claimed, Outcome
from jobs.worker.exchange import Exchange
from tests.support import factories
from tests.support.threads import running
from tests.support.triggers import becomes, gate
from tests.support.waiting import wait_until
from tests.worker.bench import Bench, Held, counts, succeed, wait_for_event

pytestmark = pytest.mark.postgres


def busy(bench: Bench) -> tuple[Exchange, Held, list[int]]:
    """A pool of one thread that has ended a short job and gone on to a long one, both claimed at
    once; three more wait behind them. Returns the jobs by start."""
    rows = factories.jobs(5)
    exchange, held = bench.exchange(), bench.held()
    exchange.forecast.observe(factories.TASK, 0.0001)

    def handle(job: Claimed) -> Outcome:
        return succeed(job) if job.id == rows[0].pk else held(job)

    bench.drive(exchange, 1, handle)
    wait_until(lambda: held.started)
    assert counts() == {JobStatus.RUNNING: 5}
    return exchange, held, [row.pk for row in rows]


def test_an_outcome_is_written_soon_even_when_its_thread_has_gone_on_to_a_long_job(
    bench: Bench,
) -> None:
    exchange, _, ids = busy(bench)
    flush = bench.flush(exchange)
    flush.start()
    try:
        wait_for_event(ids[0], "succeeded", seconds=2)
    finally:
        flush.stop()


def test_an_outcome_that_threads_will_write_is_left_to_them(bench: Bench) -> None:
    exchange, _, _ = busy(bench)
    exchange._ledger.handed_in_at = None
    flush = bench.flush(exchange)
    # It has only just been handed in.
    flush.run_once()
    assert exchange.pending == 1
    assert flush.run_once() == flush.interval_seconds or exchange.pending


def test_jobs_claimed_ahead_are_given_back_when_no_thread_starts_them(bench: Bench) -> None:
    exchange, held, ids = busy(bench)
    flush = bench.flush(exchange)
    flush.run_once()
    assert len(exchange._ledger.ready) == 3
    exchange._ledger.ready.claimed_at -= 1
    flush.run_once()
    assert not exchange._ledger.ready

    def flushed() -> bool:
        flush.run_once()
        return not exchange.pending

    wait_until(flushed)
    assert counts() == {JobStatus.SUCCEEDED: 1, JobStatus.RUNNING: 1, JobStatus.QUEUED: 3}
    given_back = Job.objects.filter(status=JobStatus.QUEUED)
    assert set(given_back.values_list("attempts", flat=True)) == {0}
    released = JobEvent.objects.filter(kind="released")
    assert {e.data["reason"] for e in released} == {"claimed ahead of busy threads"}
    assert [job.id for job in held.started] == [ids[1]]


def test_jobs_claimed_ahead_grow_old_however_often_outcomes_are_written(bench: Bench) -> None:
    exchange, _, _ = busy(bench)
    before = exchange._ledger.ready.claimed_at
    exchange.flush()
    assert exchange.pending == 0
    assert exchange._ledger.ready.claimed_at == before


def test_a_flush_leaves_an_exchange_that_is_under_way_alone(bench: Bench) -> None:
    exchange, _, ids = busy(bench)
    with gate(becomes("succeeded")) as closed, running(exchange.flush) as leader:
        closed.wait_for_somebody()
        exchange._ledger.hand_in(
            values.released(ids[4], exchange.held()[ids[4]], reason="of the test")
        )
        # Would wait for the engine's connection if it did not look.
        exchange.flush()
        assert exchange.pending == 2
        closed.open()
        leader.wait()
    assert exchange.pending == 1


def test_flushing_claims_nothing(bench: Bench) -> None:
    exchange, _, _ = busy(bench)
    factories.job()
    exchange.flush()
    assert counts() == {JobStatus.SUCCEEDED: 1, JobStatus.RUNNING: 4, JobStatus.QUEUED: 1}


def test_a_flush_looks_often_while_there_is_work_and_seldom_when_idle(bench: Bench) -> None:
    exchange, _, _ = busy(bench)
    flush = bench.flush(exchange)
    assert flush.run_once() is None
    assert flush.interval_seconds == 0.05
    exchange.flush()
    assert flush.run_once() == 0.25
