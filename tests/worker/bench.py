"""An exchange at work without a pool around it: real threads, the real database, no handlers."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from jobs.models import Job, JobEvent
from jobs.store import values
from jobs.store.connections import EngineConnection
from jobs.store.values import Claimed, Outcome
from jobs.worker.exchange import Exchange
from jobs.worker.flush import Flush
from jobs.worker.options import PoolOptions
from jobs.worker.runs import Runs
from tests.support import factories
from tests.support.threads import Worker
from tests.support.waiting import wait_until

Handle = Callable[[Claimed], Outcome]


def succeed(job: Claimed) -> Outcome:
    return values.succeeded(job, None, run_seconds=0.0)


class Held:
    """A handler that waits for the test, and knows what it was given."""

    def __init__(self) -> None:
        self.started: list[Claimed] = []
        self._go_on = threading.Event()

    def __call__(self, job: Claimed) -> Outcome:
        self.started.append(job)
        assert self._go_on.wait(20)
        return succeed(job)

    def go_on(self) -> None:
        self._go_on.set()


class Bench:
    """Makes exchanges, drives them with threads, and cleans up after them."""

    def __init__(self) -> None:
        self._exchanges: list[Exchange] = []
        self._engines: list[EngineConnection] = []
        self._threads: list[Worker] = []
        self._held: list[Held] = []

    def exchange(self, *, name: str = "pool-of-tests", **options: Any) -> Exchange:
        quick: dict[str, Any] = {"poll_seconds": 0.1}
        made = Exchange(self.engine(), PoolOptions(**quick | options), name=name)
        self._exchanges.append(made)
        return made

    def engine(self) -> EngineConnection:
        made = EngineConnection()
        self._engines.append(made)
        return made

    def held(self) -> Held:
        made = Held()
        self._held.append(made)
        return made

    def flush(self, exchange: Exchange) -> Flush:
        return Flush(exchange._engine, exchange, Runs())

    def drive(self, exchange: Exchange, threads: int, handle: Handle = succeed) -> list[Worker]:
        """Threads that swap outcomes for jobs until the exchange sends them home."""

        def work() -> None:
            outcome = None
            while (job := exchange.swap(outcome)) is not None:
                started = time.monotonic()
                outcome = handle(job)
                exchange.forecast.observe(job.task, time.monotonic() - started)

        workers = [Worker(work) for _ in range(threads)]
        self._threads += workers
        for worker in workers:
            worker.start()
        return workers

    def run(self, exchange: Exchange, threads: int, handle: Handle = succeed) -> None:
        """Drive an exchange that ends by itself to its end."""
        for thread in self.drive(exchange, threads, handle):
            thread.wait()

    def close(self) -> None:
        for held in self._held:
            held.go_on()
        for exchange in self._exchanges:
            exchange.stop_claiming("the test is over")
        for thread in self._threads:
            thread.wait()
        for engine in self._engines:
            engine.close()


def transactions(kind: str) -> list[int]:
    """The transactions that wrote events of this kind, in order, each once."""
    events = JobEvent.objects.filter(kind=kind).order_by("id")
    return list(dict.fromkeys(events.values_list("transaction_id", flat=True)))


def wait_for_event(job_id: int, kind: str, *, seconds: float = 10.0) -> JobEvent:
    """The job's last event of this kind, as soon as there is one."""
    events = JobEvent.objects.filter(job_id=job_id, kind=kind).order_by("-id")
    return wait_until(events.first, seconds=seconds)


def counts() -> dict[str, int]:
    """How many jobs there are in each status."""
    return Counter(Job.objects.values_list("status", flat=True))


def kinds() -> dict[str, int]:
    """How many events there are of each kind."""
    return Counter(JobEvent.objects.values_list("kind", flat=True))


def claim(exchange: Exchange, count: int) -> list[Claimed]:
    """Claim so many jobs, as threads that are all idle at once would."""
    if count > 1:
        exchange.forecast.observe(factories.TASK, 0.0001)
    first = exchange.swap(None)
    assert first is not None
    rest = exchange._ledger.pull(lambda job: True)
    assert len(rest) == count - 1
    return [first, *rest]


def write(exchange: Exchange, outcomes: list[Outcome]) -> None:
    """Have the outcomes written in one batch, as far as they will go."""
    for outcome in outcomes:
        exchange._ledger.hand_in(outcome)

    def flushed() -> bool:
        exchange.flush()
        return not exchange.pending

    wait_until(flushed)
