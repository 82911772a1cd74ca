"""The exchange when the database refuses or fails, or the lease is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jobs import fingerprint, lifecycle
from jobs.models import ErrorGroup, Job, JobEvent
from jobs.states import JobStatus
from jobs.store import values
from jobs.worker.exchange import Exchange
from tests.support import factories
from tests.support.database import scalar, second_connection
from tests.support.events import Told
from tests.support.threads import running
from tests.support.triggers import becomes, raising, trigger
from tests.support.waiting import wait_until
from tests.worker.bench import Bench, claim, counts, kinds, succeed, wait_for_event, write

pytestmark = pytest.mark.postgres


_WAITING_FOR_ROWS = (
    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    " AND wait_event = 'transactionid'"
)


@pytest.mark.parametrize("sqlstate", ["22003", "23514", "P0001"])
def test_an_outcome_that_cannot_be_stored_becomes_a_failed_attempt_and_spares_its_neighbours(
    bench: Bench, told: Told, sqlstate: str
) -> None:
    bad = factories.jobs(20)[11]
    exchange = bench.exchange()
    jobs = claim(exchange, 20)
    with trigger(becomes("succeeded", bad.pk), raising(sqlstate)):
        write(exchange, [succeed(job) for job in jobs])
    assert counts() == {JobStatus.SUCCEEDED: 19, JobStatus.FAILED: 1}
    bad.refresh_from_db()
    assert bad.status == JobStatus.FAILED
    assert bad.error.startswith("the database refused the outcome (succeed): injected")
    event = JobEvent.objects.get(job_id=bad.pk, kind="failed")
    assert event.data["error"]["message"] == bad.error
    group = ErrorGroup.objects.get(fingerprint=bad.error_fingerprint)
    assert (group.task, group.occurrences) == (bad.task, 1)
    assert [f["job_id"] for f in told.named("job.outcome_refused")] == [bad.pk]
    assert kinds() == {"claimed": 20, "succeeded": 19, "failed": 1}
    assert (exchange.held(), told.named("worker.lost_db")) == ({}, [])


def test_a_group_that_cannot_be_stored_costs_no_outcome(bench: Bench) -> None:
    factories.jobs(3)
    exchange = bench.exchange()
    jobs = claim(exchange, 3)
    # No code of ours makes such a failure; the database refuses its empty name.
    nameless = replace(
        fingerprint.of_reason("t", "q", exception="E", message=""), exception="", fingerprint="f"
    )
    bad = values.failed(
        jobs[0].id, jobs[0].token, error="E", delay_seconds=None, data={}, failure=nameless
    )
    write(exchange, [bad, *[succeed(job) for job in jobs[1:]]])
    assert counts() == {JobStatus.SUCCEEDED: 2, JobStatus.FAILED: 1}
    assert "job_error_groups_names_not_empty" in Job.objects.get(pk=jobs[0].id).error


def test_an_outcome_that_the_driver_cannot_send_spares_its_neighbours(
    bench: Bench, told: Told
) -> None:
    factories.jobs(5)
    exchange = bench.exchange()
    jobs = claim(exchange, 5)
    outcomes = [succeed(job) for job in jobs]
    # Nothing the executor makes; UTF-8 cannot hold it, so the driver raises and not the database.
    outcomes[2] = values.succeeded(jobs[2], '"\ud800"', run_seconds=0.0)
    write(exchange, outcomes)
    assert counts() == {JobStatus.SUCCEEDED: 4, JobStatus.FAILED: 1}
    assert "surrogates not allowed" in Job.objects.get(pk=jobs[2].id).error
    assert told.named("job.outcome_refused")


def test_a_job_whose_failure_cannot_be_stored_either_is_left_to_rescue(
    bench: Bench, told: Told
) -> None:
    bad = factories.jobs(5)[3]
    exchange = bench.exchange()
    jobs = claim(exchange, 5)
    with trigger(f"NEW.id = {bad.pk} AND NEW.lease_token IS NULL", raising("22003")):
        write(exchange, [succeed(job) for job in jobs])
        assert counts() == {JobStatus.SUCCEEDED: 4, JobStatus.RUNNING: 1}
    # No longer renewed, its lease runs out.
    assert exchange.held() == {}
    Job.objects.filter(pk=bad.pk).update(lease_expires_at="2020-01-01T00:00Z")
    lifecycle.rescue("default", limit=10, worker="another")
    bad.refresh_from_db()
    assert (bad.status, bad.attempts) == (JobStatus.SCHEDULED, 1)


def test_outcomes_are_written_although_nothing_can_be_claimed(bench: Bench) -> None:
    running_row = factories.jobs(1)[0]
    exchange, held = bench.exchange(), bench.held()
    bench.drive(exchange, 1, held)
    wait_until(lambda: held.started)
    with trigger(becomes("running"), raising("22003")):
        factories.jobs(1)
        held.go_on()
        wait_for_event(running_row.pk, "succeeded")
    wait_until(lambda: counts() == {JobStatus.SUCCEEDED: 2})


@pytest.mark.parametrize("sqlstate", ["40001", "40P01", "55P03", "57014", "25006"])
def test_a_batch_that_fails_for_a_while_is_tried_again_and_nothing_is_lost(
    bench: Bench, told: Told, sqlstate: str
) -> None:
    factories.jobs(10)
    exchange = bench.exchange()
    jobs = claim(exchange, 10)
    with trigger(becomes("succeeded"), raising(sqlstate, times=3)):
        write(exchange, [succeed(job) for job in jobs])
    assert counts() == {JobStatus.SUCCEEDED: 10}
    assert kinds() == {"claimed": 10, "succeeded": 10}
    # Told once, and once when it is over, however often it was tried.
    assert len(told.named("worker.lost_db")) == 1
    assert [f["failures"] for f in told.named("worker.recovered")] == [3]
    assert (exchange.held(), exchange._ledger.unsure) == ({}, set())


def test_claims_that_fail_for_a_while_are_tried_again(bench: Bench) -> None:
    factories.jobs(4)
    with trigger(becomes("running"), raising("40001", times=3)):
        bench.run(bench.exchange(drain=True), 2)
    assert counts() == {JobStatus.SUCCEEDED: 4}
    assert kinds() == {"claimed": 4, "succeeded": 4}


def test_jobs_are_held_and_so_renewed_while_their_outcomes_cannot_be_written(bench: Bench) -> None:
    factories.jobs(1)
    exchange = bench.exchange()
    (job,) = claim(exchange, 1)
    with trigger(becomes("succeeded"), raising("40001")):
        exchange.submit(succeed(job))
        exchange.flush()
        assert exchange.held() == {job.id: job.token}
        assert exchange.pending == 1


def backend_of(exchange: Exchange) -> int:
    with exchange._engine.borrowed() as connection:
        return int(connection.connection.info.backend_pid)


def test_a_connection_that_is_cut_is_replaced(bench: Bench, told: Told) -> None:
    factories.jobs(1)
    exchange = bench.exchange()
    (job,) = claim(exchange, 1)
    before = backend_of(exchange)
    scalar("SELECT pg_terminate_backend(%s)", [before])
    wait_until(lambda: not scalar("SELECT count(*) FROM pg_stat_activity WHERE pid=%s", [before]))
    write(exchange, [succeed(job)])
    assert counts() == {JobStatus.SUCCEEDED: 1}
    assert backend_of(exchange) != before
    assert len(told.named("worker.lost_db")) == 1


def test_a_stale_worker_cannot_finish_a_rescued_job(bench: Bench, told: Told) -> None:
    row = factories.job()
    stale, fresh = bench.exchange(name="stale"), bench.exchange(name="fresh")
    (late,) = claim(stale, 1)
    Job.objects.filter(pk=row.pk).update(lease_expires_at="2020-01-01T00:00Z")
    lifecycle.rescue("default", limit=10, worker="fresh")
    lifecycle.run_now("default", row.pk, actor="tests")
    (current,) = claim(fresh, 1)

    write(stale, [values.succeeded(late, '"late"', run_seconds=1.0)])
    row.refresh_from_db()
    assert (row.status, row.lease_token, row.result) == (JobStatus.RUNNING, current.token, None)
    assert [(f["job_id"], f["worker"]) for f in told.named("job.lease_lost")] == [(row.pk, "stale")]
    assert stale.held() == {}

    write(fresh, [values.succeeded(current, '"mine"', run_seconds=1.0)])
    row.refresh_from_db()
    assert (row.status, row.result, row.attempts) == (JobStatus.SUCCEEDED, "mine", 2)
    lost = JobEvent.objects.get(job_id=row.pk, kind="lease_lost")
    assert (lost.worker, lost.lease_token) == ("stale", late.token)
    assert kinds()["succeeded"] == 1


def test_a_thread_that_meets_an_error_of_our_own_leads_no_more_but_nothing_is_lost(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault in the program must not leave the exchange led by nobody."""
    row = factories.job()
    exchange = bench.exchange()
    monkeypatch.setattr(exchange.forecast, "limit", lambda *arguments: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        exchange.swap(None)
    monkeypatch.undo()
    assert not exchange._leading
    bench.drive(exchange, 1)
    wait_for_event(row.pk, "succeeded")


def test_a_row_lock_of_somebody_else_delays_a_batch_and_loses_nothing(bench: Bench) -> None:
    row = factories.job()
    exchange = bench.exchange()
    (job,) = claim(exchange, 1)
    with second_connection() as other:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute("SELECT 1 FROM jobs WHERE id = %s FOR UPDATE", [row.pk])
        with running(lambda: write(exchange, [succeed(job)])) as writer:
            wait_until(lambda: scalar(_WAITING_FOR_ROWS))
            assert exchange.pending == 1
            other.rollback()
            writer.wait()
    assert counts() == {JobStatus.SUCCEEDED: 1}
