"""The exchange with real threads on the real database: what is claimed, when, and by how many."""

from __future__ import annotations

from collections import Counter

import pytest

from jobs.models import Job, JobEvent
from jobs.states import JobStatus
from jobs.store import queues
from jobs.store.values import Claimed, Outcome
from tests.support import factories
from tests.support.triggers import becomes, gate
from tests.support.waiting import wait_until
from tests.worker.bench import Bench, counts, succeed, transactions, wait_for_event

pytestmark = pytest.mark.postgres


def test_every_job_is_started_once_and_written_once(bench: Bench) -> None:
    rows = factories.jobs(300)
    started: list[int] = []

    def handle(job: Claimed) -> Outcome:
        started.append(job.id)
        return succeed(job)

    exchange = bench.exchange(drain=True)
    bench.run(exchange, 10, handle)
    assert sorted(started) == [row.pk for row in rows]
    assert counts() == {JobStatus.SUCCEEDED: 300}
    kinds = Counter(JobEvent.objects.values_list("kind", flat=True))
    assert kinds == {"claimed": 300, "succeeded": 300}
    assert (exchange.held(), exchange.pending) == ({}, 0)


def test_batches_grow_under_load(bench: Bench) -> None:
    factories.jobs(400)
    bench.run(bench.exchange(drain=True, batch_size=200), 10)
    assert counts() == {JobStatus.SUCCEEDED: 400}
    # One by one it would be 400 claims and 400 outcomes.
    assert len(transactions("claimed")) <= 40
    assert len(transactions("succeeded")) <= 40


def test_no_batch_is_larger_than_the_option_says(bench: Bench) -> None:
    factories.jobs(60)
    bench.run(bench.exchange(drain=True, batch_size=7), 3)
    events = JobEvent.objects.values_list("transaction_id", "kind")
    assert max(Counter(events).values()) <= 7


def test_a_lone_job_costs_one_exchange(bench: Bench) -> None:
    factories.jobs(5)
    bench.run(bench.exchange(drain=True, prefetch_seconds=0), 1)
    claims, ends = transactions("claimed"), transactions("succeeded")
    # The outcome of a job and the claim of the next share a transaction.
    assert len(claims) == len(ends) == 5
    assert claims[1:] == ends[:-1]


def test_jobs_are_started_in_claim_order(bench: Bench) -> None:
    late, normal, urgent = (factories.job(priority=n) for n in (-1, 0, 1))
    second = factories.job(priority=1)
    started: list[int] = []

    def handle(job: Claimed) -> Outcome:
        started.append(job.id)
        return succeed(job)

    bench.run(bench.exchange(drain=True), 1, handle)
    assert started == [urgent.pk, second.pk, normal.pk, late.pk]


def test_several_queues_are_merged_in_claim_order(bench: Bench) -> None:
    wanted = [
        factories.job(queue=queue, priority=priority).pk
        for queue, priority in (("a", 3), ("b", 2), ("a", 1), ("b", 0))
    ]
    other = factories.job(queue="c", priority=9)
    started: list[int] = []

    def handle(job: Claimed) -> Outcome:
        started.append(job.id)
        return succeed(job)

    bench.run(bench.exchange(drain=True, queues=("b", "a")), 1, handle)
    assert started == wanted
    other.refresh_from_db()
    assert other.status == JobStatus.QUEUED


def test_jobs_of_unknown_length_are_claimed_one_for_each_idle_thread(bench: Bench) -> None:
    factories.jobs(10)
    exchange, held = bench.exchange(), bench.held()
    bench.drive(exchange, 3, held)
    wait_until(lambda: len(held.started) == 3)
    assert counts() == {JobStatus.RUNNING: 3, JobStatus.QUEUED: 7}
    assert set(exchange.held()) == {job.id for job in held.started}
    held.go_on()
    wait_until(lambda: counts() == {JobStatus.SUCCEEDED: 10})


def test_short_jobs_are_claimed_ahead_but_a_long_one_behind_them_is_not(bench: Bench) -> None:
    factories.jobs(3, task="tests.short")
    long = factories.job(task="tests.long")
    factories.jobs(3, task="tests.short")
    exchange, held = bench.exchange(prefetch_seconds=0.05), bench.held()
    exchange.forecast.observe("tests.long", 60.0)
    for _ in range(60):
        exchange.forecast.observe("tests.short", 0.001)
    bench.drive(exchange, 1, held)
    wait_until(lambda: held.started)
    assert counts() == {JobStatus.RUNNING: 3, JobStatus.QUEUED: 4}
    long.refresh_from_db()
    assert long.status == JobStatus.QUEUED
    held.go_on()


def test_an_idle_pool_starts_a_new_job_when_it_is_told(bench: Bench) -> None:
    exchange = bench.exchange(poll_seconds=60)
    bench.drive(exchange, 2)
    wait_until(lambda: exchange._pacer.next_poll > 0)
    with exchange._cv:
        exchange._pacer._pause = 60.0
        exchange._pacer.next_poll += 60.0
    row = factories.job()
    exchange.wake()
    wait_for_event(row.pk, "succeeded", seconds=5)


def test_a_wake_up_during_an_exchange_is_not_missed(bench: Bench) -> None:
    factories.job()
    exchange = bench.exchange(poll_seconds=60, prefetch_seconds=0)
    with gate(becomes("succeeded"), at_commit=True) as closed:
        bench.drive(exchange, 1)
        # The exchange has looked for jobs, found none, and is about to commit.
        closed.wait_for_somebody()
        with exchange._cv:
            exchange._pacer._pause = 60.0
        second = factories.job()
        exchange.wake()
        with exchange._cv:
            exchange._pacer._pause = 60.0
        closed.open()
    wait_for_event(second.pk, "succeeded", seconds=5)
    assert counts() == {JobStatus.SUCCEEDED: 2}


def test_a_pool_that_drains_ends_when_nothing_is_ready(bench: Bench) -> None:
    factories.jobs(7)
    factories.job(JobStatus.SCHEDULED)
    bench.run(bench.exchange(drain=True), 3)
    assert counts() == {JobStatus.SUCCEEDED: 7, JobStatus.SCHEDULED: 1}


def test_a_pool_that_drains_waits_for_what_still_runs(bench: Bench) -> None:
    factories.jobs(1)
    exchange, held = bench.exchange(drain=True), bench.held()
    threads = bench.drive(exchange, 3, held)
    wait_until(lambda: held.started)
    # A running job may enqueue another; the idle threads look on.
    looks = exchange._pacer.next_poll
    wait_until(lambda: exchange._pacer.next_poll > looks + 0.15)
    assert all(thread.is_alive() for thread in threads)
    row = factories.job()
    wait_until(lambda: len(held.started) == 2)
    held.go_on()
    for thread in threads:
        thread.wait()
    row.refresh_from_db()
    assert row.status == JobStatus.SUCCEEDED


@pytest.mark.parametrize("threads", [1, 4])
def test_no_more_jobs_are_claimed_than_the_number_asked_for(bench: Bench, threads: int) -> None:
    factories.jobs(10)
    exchange = bench.exchange(max_jobs=3)
    exchange.forecast.observe(factories.TASK, 0.0001)
    bench.run(exchange, threads)
    assert counts() == {JobStatus.SUCCEEDED: 3, JobStatus.QUEUED: 7}
    assert JobEvent.objects.filter(kind="claimed").count() == 3


def test_a_stop_gives_prefetched_jobs_back_with_their_attempt(bench: Bench) -> None:
    factories.jobs(5)
    exchange, held = bench.exchange(), bench.held()
    exchange.forecast.observe(factories.TASK, 0.0001)
    threads = bench.drive(exchange, 1, held)
    wait_until(lambda: held.started)
    assert counts() == {JobStatus.RUNNING: 5}
    exchange.stop_claiming("a reason")
    exchange.flush()
    assert counts() == {JobStatus.RUNNING: 1, JobStatus.QUEUED: 4}
    held.go_on()
    for thread in threads:
        thread.wait()
    assert counts() == {JobStatus.SUCCEEDED: 1, JobStatus.QUEUED: 4}
    given_back = Job.objects.filter(status=JobStatus.QUEUED)
    assert set(given_back.values_list("attempts", flat=True)) == {0}
    released = JobEvent.objects.filter(kind="released")
    assert [event.data["reason"] for event in released] == ["a reason"] * 4
    assert (exchange.held(), exchange.pending) == ({}, 0)


def test_a_claim_that_is_under_way_at_the_stop_is_given_back(bench: Bench) -> None:
    rows = factories.jobs(2)
    exchange, held = bench.exchange(), bench.held()
    with gate(becomes("running"), at_commit=True) as closed:
        threads = bench.drive(exchange, 2, held)
        closed.wait_for_somebody()
        exchange.stop_claiming("shutdown")
        closed.open()
        for thread in threads:
            thread.wait()
    assert held.started == []
    assert counts() == {JobStatus.QUEUED: 2}
    assert set(Job.objects.values_list("attempts", flat=True)) == {0}
    assert factories.history(rows[0].pk)[-1] == ("released", "running", "queued")
    assert exchange.held() == {}


def test_after_a_stop_nothing_is_claimed(bench: Bench) -> None:
    exchange = bench.exchange()
    threads = bench.drive(exchange, 4)
    wait_until(lambda: exchange._pacer.next_poll > 0)
    exchange.stop_claiming("shutdown")
    for thread in threads:
        thread.wait()
    factories.job()
    exchange.wake()
    assert exchange.swap(None) is None
    assert counts() == {JobStatus.QUEUED: 1}
    assert not exchange.claiming


def pause(name: str) -> None:
    queues.pause("default", name, by="ann", reason="")


def test_a_pause_is_respected_within_a_second_although_nobody_tells(bench: Bench) -> None:
    exchange = bench.exchange(poll_seconds=0.05)
    bench.drive(exchange, 1)
    wait_until(lambda: exchange._controls_read > 0)
    pause("mail")
    wait_until(lambda: exchange._open_queues is not None, seconds=2)
    stopped, other = factories.job(queue="mail"), factories.job(queue="other")
    wait_for_event(other.pk, "succeeded")
    queues.resume("default", "mail")
    wait_for_event(stopped.pk, "succeeded", seconds=3)
    claims = JobEvent.objects.filter(kind="claimed").order_by("id")
    assert list(claims.values_list("job_id", flat=True)) == [other.pk, stopped.pk]


def test_a_pause_is_respected_at_once_when_it_is_told(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jobs.worker.exchange._CONTROLS_SECONDS", 3600.0)
    exchange = bench.exchange(poll_seconds=0.05, queues=("mail", "other"))
    bench.drive(exchange, 1)
    wait_until(lambda: exchange._controls_read > 0)
    pause("mail")
    exchange.wake(controls=True)
    wait_until(lambda: exchange._open_queues == ["other"], seconds=2)
    stopped, other = factories.job(queue="mail"), factories.job(queue="other")
    wait_for_event(other.pk, "succeeded")
    stopped.refresh_from_db()
    assert stopped.status == JobStatus.QUEUED
    queues.resume("default", "mail")
    exchange.wake(controls=True)
    wait_for_event(stopped.pk, "succeeded", seconds=2)


def test_a_new_queue_is_found_while_another_is_paused(bench: Bench) -> None:
    pause("mail")
    exchange = bench.exchange(poll_seconds=0.05)
    bench.drive(exchange, 1)
    wait_until(lambda: exchange._open_queues == [])
    row = factories.job(queue="fresh")
    wait_for_event(row.pk, "succeeded", seconds=3)


@pytest.mark.parametrize("locking", [True, False], ids=["with row locks", "by the guard alone"])
def test_two_pools_never_start_the_same_job(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, locking: bool
) -> None:
    if not locking:
        monkeypatch.setattr(
            "django.db.models.query.QuerySet.select_for_update", lambda rows, **how: rows
        )
    rows = factories.jobs(60)
    exchanges = [bench.exchange(name=f"pool-{n}", drain=True, batch_size=5) for n in range(3)]
    threads = [t for exchange in exchanges for t in bench.drive(exchange, 3)]
    for thread in threads:
        thread.wait()
    claims = Counter(JobEvent.objects.filter(kind="claimed").values_list("job_id", flat=True))
    assert claims == {row.pk: 1 for row in rows}
    assert counts() == {JobStatus.SUCCEEDED: 60}
    assert set(Job.objects.values_list("attempts", flat=True)) == {1}
