from __future__ import annotations

import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator

import pytest

from jobs.states import JobStatus
from jobs.store import values
from jobs.store.values import Claimed, Outcome, Written
from jobs.worker.ledger import Ledger
from tests.support.threads import running
from tests.support.waiting import wait_until
from tests.worker.attempts import claimed


def jobs(count: int) -> list[Claimed]:
    return [claimed("tests.any") for _ in range(count)]


def outcome(job: Claimed) -> Outcome:
    return values.succeeded(job, None, run_seconds=0.0)


def written(job: Claimed) -> Written:
    return Written(job.id, job.token, JobStatus.SUCCEEDED)


def test_a_claimed_job_is_held_and_ready() -> None:
    ledger = Ledger()
    first, second = jobs(2)
    ledger.take_in([first])
    ledger.take_in([second])
    assert list(ledger.ready) == [first, second]
    assert ledger.held == {first.id: first.token, second.id: second.token}


def test_a_claim_that_found_nothing_does_not_make_waiting_jobs_younger() -> None:
    ledger = Ledger()
    ledger.take_in(jobs(1))
    ledger.ready.claimed_at -= 60
    before = ledger.ready.claimed_at
    ledger.take_in([])
    assert ledger.ready.claimed_at == before


def test_an_attempt_is_held_until_its_outcome_is_answered() -> None:
    ledger = Ledger()
    (job,) = jobs(1)
    ledger.take_in([job])
    ledger.ready.clear()
    ledger.hand_in(outcome(job))
    taken = ledger.take_outcomes(10)
    assert (ledger.held, ledger.in_flight) == ({job.id: job.token}, 1)
    assert ledger.settle(taken, [written(job)]) == []
    assert (ledger.held, ledger.in_flight) == ({}, 0)


def test_an_outcome_that_was_not_written_had_lost_its_lease() -> None:
    ledger = Ledger()
    kept, lost = jobs(2)
    ledger.take_in([kept, lost])
    assert ledger.settle([outcome(kept), outcome(lost)], [written(kept)]) == [lost.id]
    assert ledger.held == {}


def test_a_newer_attempt_of_the_same_job_stays_held() -> None:
    ledger = Ledger()
    (job,) = jobs(1)
    newer = uuid.uuid4()
    ledger.held[job.id] = newer
    ledger.settle([outcome(job)], [])
    ledger.forget((job.id, job.token))
    assert ledger.held == {job.id: newer}


def test_outcomes_are_taken_oldest_first_and_no_more_than_a_batch() -> None:
    ledger = Ledger()
    all_jobs = jobs(5)
    for job in all_jobs:
        ledger.hand_in(outcome(job))
    assert [o.job_id for o in ledger.take_outcomes(3)] == [job.id for job in all_jobs[:3]]
    assert [o.job_id for o in ledger.take_outcomes(3)] == [job.id for job in all_jobs[3:]]
    assert ledger.take_outcomes(3) == []


def test_outcomes_put_back_are_unsure_and_come_first_in_their_order() -> None:
    ledger = Ledger()
    a, b, c = jobs(3)
    ledger.hand_in(outcome(a))
    ledger.hand_in(outcome(b))
    taken = ledger.take_outcomes(10)
    ledger.hand_in(outcome(c))
    token = uuid.uuid4()
    ledger.put_back(taken, token)
    assert [o.job_id for o in ledger.outcomes] == [a.id, b.id, c.id]
    assert ledger.unsure == {(a.id, a.token), (b.id, b.token)}
    assert (list(ledger.unanswered), ledger.in_flight) == ([token], 0)
    ledger.settle(ledger.take_outcomes(10), [written(job) for job in (a, b, c)])
    assert ledger.unsure == set()


def test_an_unanswered_claim_is_asked_after_for_the_length_of_a_lease() -> None:
    ledger = Ledger()
    old, young = uuid.uuid4(), uuid.uuid4()
    ledger.unanswered = {old: time.monotonic() - 31, young: time.monotonic() - 29}
    ledger.expire_unanswered(30)
    assert list(ledger.unanswered) == [young]


def test_the_time_of_the_oldest_outcome_counts() -> None:
    ledger = Ledger()
    assert ledger.waiting_seconds() == 0
    first, second = jobs(2)
    ledger.hand_in(outcome(first))
    assert ledger.handed_in_at is not None
    ledger.handed_in_at -= 60
    ledger.hand_in(outcome(second))
    assert ledger.waiting_seconds() == pytest.approx(60, abs=1)
    ledger.take_outcomes(10)
    assert ledger.waiting_seconds() == 0


def test_an_outcome_that_came_as_a_leader_took_the_others_is_not_overlooked() -> None:
    ledger = Ledger()
    (job,) = jobs(1)
    # Between the look at the time and the append the leader has emptied the list.
    ledger.handed_in_at = None
    ledger.outcomes.append(outcome(job))
    ledger.waiting_seconds()
    assert ledger.handed_in_at is not None
    ledger.handed_in_at -= 1
    assert ledger.waiting_seconds() >= 1


def test_jobs_that_were_not_started_are_pulled_and_the_others_keep_their_order() -> None:
    ledger = Ledger()
    waiting = jobs(6)
    ledger.take_in(waiting)
    assert ledger.pull(lambda job: job.id % 2 == waiting[0].id % 2) == waiting[::2]
    assert list(ledger.ready) == waiting[1::2]
    assert ledger.pull(lambda job: True) == waiting[1::2]
    assert ledger.pull(lambda job: True) == []


def test_a_ready_job_whose_lease_is_lost_is_forgotten() -> None:
    ledger = Ledger()
    kept, lost, renewed = jobs(3)
    ledger.take_in([kept, lost, renewed])
    found = ledger.drop_unstarted({lost.id: lost.token, renewed.id: uuid.uuid4()})
    assert found == [lost.id]
    assert list(ledger.ready) == [kept, renewed]
    assert set(ledger.held) == {kept.id, renewed.id}


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads change places as often as the interpreter allows."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("hasty")
def test_a_job_is_either_started_or_pulled_and_never_both() -> None:
    """Threads take jobs without the lock while others are pulled."""
    ledger = Ledger()
    over = threading.Event()
    started: list[Claimed] = []

    def start() -> None:
        while not over.is_set():
            try:
                started.append(ledger.ready.popleft())
            except IndexError:
                over.wait(0.0001)

    pulled: list[Claimed] = []
    all_jobs = jobs(5)
    with running(start), running(start):
        # However the threads are scheduled later, they start this round.
        ledger.take_in(all_jobs)
        wait_until(lambda: not ledger.ready)
        for round_number in range(2_000):
            ledger.take_in(all_jobs)
            if round_number % 2:
                pulled += ledger.pull(lambda job: True)
            else:
                pulled += ledger.pull(lambda job: job.id % 2 == 0)
        over.set()
    counted = Counter(job.id for job in [*started, *pulled, *ledger.ready])
    assert counted == {job.id: 2_001 for job in all_jobs}
    assert started
    assert pulled
