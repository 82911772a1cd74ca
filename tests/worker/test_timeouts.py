"""Deadlines: the attempt fails on time, the thread gets JobTimeout, and nobody else does."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Any

import pytest

from jobs import JobContext, client
from jobs.errors import JobTimeout
from jobs.states import Verb
from jobs.store.connections import EngineConnection
from jobs.store.values import Claimed, Outcome
from jobs.worker.exchange import Exchange
from jobs.worker.executor import execute
from jobs.worker.options import PoolOptions
from jobs.worker.runs import Runs
from jobs.worker.watchdog import Watchdog
from tests.support.events import Told
from tests.support.threads import running
from tests.support.waiting import wait_until
from tests.worker.attempts import claimed

Register = Callable[..., client.Task]


class Guarded:
    """A watchdog over the runs of one thread. It touches no database."""

    def __init__(self) -> None:
        self.runs = Runs()
        engine = EngineConnection()
        self.exchange = Exchange(engine, PoolOptions(), name="pool-of-tests")
        self.watchdog = Watchdog(
            engine, self.exchange, self.runs, watched=[engine], stall_seconds=60
        )
        self._over = threading.Event()

    def attempts(self, jobs: Iterable[Claimed], *, seconds: float = 50) -> list[Outcome | None]:
        """Run the jobs in order on one thread, looked after all the time."""

        def watch() -> None:
            # The shortest pause: without one this thread would keep the interpreter to itself.
            while not self._over.wait(0.0002):
                self.watchdog.run_once()

        with running(watch), running(lambda: [execute(job, self.runs)[0] for job in jobs]) as work:
            try:
                return work.wait(seconds)
            finally:
                self._over.set()

    @property
    def submitted(self) -> list[Outcome]:
        """Outcomes that the watchdog decided."""
        return list(self.exchange._ledger.outcomes)


@pytest.fixture
def guarded() -> Guarded:
    return Guarded()


def busy(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def test_a_handler_past_its_deadline_is_stopped_and_its_attempt_fails(
    register: Register, guarded: Guarded, told: Told
) -> None:
    task = register(lambda: busy(20), name="tests.busy")
    job = claimed(task, timeout_seconds=0.05)
    assert guarded.attempts([job]) == [None]
    (outcome,) = guarded.submitted
    assert (outcome.job_id, outcome.token, outcome.verb) == (job.id, job.token, Verb.FAIL)
    assert outcome.error == "jobs.errors.JobTimeout: timed out after 0.05 s"
    assert [fields["error"] for fields in told.named("job.finished")] == [outcome.error]


def test_a_timeout_is_not_swallowed_by_except_exception(
    register: Register, guarded: Guarded
) -> None:
    seen: list[str] = []

    def handler() -> None:
        try:
            busy(20)
        except Exception:
            seen.append("swallowed")

    guarded.attempts([claimed(register(handler), timeout_seconds=0.05)])
    assert seen == []


def test_an_attempt_fails_on_time_even_when_its_thread_does_not_react(
    register: Register, guarded: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    def stubborn() -> None:
        while not go_on.is_set():
            try:
                busy(20)
            except JobTimeout:
                go_on.wait(20)

    monkeypatch.setattr("jobs.worker.watchdog._STUCK_SECONDS", 0.1)
    job = claimed(register(stubborn), timeout_seconds=0.05)
    with running(lambda: guarded.attempts([job])) as thread:
        wait_until(lambda: guarded.submitted)
        wait_until(lambda: guarded.watchdog.stuck == 1)
        assert len(guarded.runs) == 1
        go_on.set()
        assert thread.wait() == [None]
    guarded.watchdog.run_once()
    assert guarded.watchdog.stuck == 0
    assert len(guarded.submitted) == 1


def test_a_handler_that_ends_in_time_is_left_alone(register: Register, guarded: Guarded) -> None:
    task = register(lambda: "done", name="tests.quick")
    (outcome,) = guarded.attempts([claimed(task, timeout_seconds=30.0)])
    assert outcome is not None
    assert (outcome.verb, outcome.result) == (Verb.SUCCEED, '"done"')
    assert guarded.submitted == []


def test_a_coroutine_past_its_deadline_is_cancelled(register: Register, guarded: Guarded) -> None:
    ended: list[str] = []

    async def handler() -> None:
        try:
            await asyncio.sleep(20)
        finally:
            ended.append("cancelled")

    outcomes = guarded.attempts([claimed(register(handler), timeout_seconds=0.05)])
    wait_until(lambda: ended)
    found = [outcome for outcome in outcomes if outcome is not None] + guarded.submitted
    assert [o.error for o in found] == ["jobs.errors.JobTimeout: timed out after 0.05 s"]


def test_a_timeout_that_a_coroutine_had_inside_is_an_error_of_its_own(
    register: Register, guarded: Guarded
) -> None:
    async def handler() -> None:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(20)

    (outcome,) = guarded.attempts([claimed(register(handler), timeout_seconds=30.0)])
    assert outcome is not None
    assert outcome.error == "TimeoutError"


def test_a_job_whose_time_is_over_before_it_begins_is_not_begun(register: Register) -> None:
    begun: list[int] = []
    runs = Runs()
    job = claimed(register(lambda: begun.append(1), name="tests.late"))

    class Settling(Runs):
        def add(self, run: Any) -> None:
            super().add(run)
            run.settle()
            run.interrupt()

    runs = Settling()
    with running(lambda: execute(job, runs)) as thread:
        assert thread.wait()[0] is None
    assert begun == []
    assert len(runs) == 0


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads change places as often as the interpreter allows."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


# Where Python cannot raise, in callbacks of weak references and the like, it says so and goes on.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.usefixtures("hasty")
@pytest.mark.timeout(200)
@pytest.mark.parametrize(
    ("most", "seconds"), [(1_000, 10), pytest.param(50_000, 120, marks=pytest.mark.long)]
)
def test_a_timeout_at_any_moment_neither_escapes_nor_hits_the_next_job(
    register: Register, guarded: Guarded, most: int, seconds: float
) -> None:
    """Deadlines fall around the end of the handler, again and again; every second job has none
    and must come through."""

    def limited(seconds: float, context: JobContext) -> int:
        busy(seconds)
        return context.job_id

    def unlimited(number: int) -> int:
        return number

    short, free = register(limited), register(unlimited)
    jobs: list[Claimed] = []

    def pairs() -> Iterator[Claimed]:
        end = time.monotonic() + seconds
        for number in count():
            if number >= most and len(guarded.submitted) > 20:
                return
            # From well before the deadline to well after it.
            payload = {"seconds": number % 30 * 0.00002}
            jobs.append(claimed(short, payload=payload, timeout_seconds=0.0003))
            jobs.append(claimed(free, payload={"number": number}))
            yield from jobs[-2:]
            if time.monotonic() > end:
                return

    outcomes = guarded.attempts(pairs(), seconds=seconds + 40)

    assert len(outcomes) == len(jobs)
    for number, outcome in enumerate(outcomes[1::2]):
        assert outcome is not None
        assert (outcome.verb, outcome.result) == (Verb.SUCCEED, str(number))
    ended = {o.job_id: o.verb for o in outcomes[::2] if o is not None}
    expired = Counter(o.job_id for o in guarded.submitted)
    assert set(expired.values()) <= {1}
    # One outcome each: the thread's or the watchdog's, and both kinds have come up.
    assert sorted([*ended, *expired]) == [job.id for job in jobs[::2]]
    assert set(ended.values()) == {Verb.SUCCEED}
    assert len(ended) > 20
    assert len(expired) > 20
    assert len(guarded.runs) == 0
