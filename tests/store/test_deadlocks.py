"""Everything that writes the tables at once, on the same rows, for some seconds."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from jobs import fingerprint, lifecycle
from jobs.errors import ErrorGroupNotFound, IllegalTransition, JobNotFound
from jobs.fingerprint import Failure
from jobs.models import Job, JobEvent
from jobs.states import TERMINAL, ErrorGroupStatus, EventKind, JobStatus
from jobs.store import enqueue, error_groups, leases, prune
from jobs.store.values import Claimed, Outcome, failed, released, succeeded
from tests.support import factories
from tests.support.factories import USING, new_job
from tests.support.threads import together

pytestmark = [pytest.mark.postgres, pytest.mark.long, pytest.mark.usefixtures("committed_db")]

SECONDS = 8.0
KEYS = 300
FAILURES = [
    fingerprint.of_reason("tests.task", "default", exception=f"E{n}", message="no")
    for n in range(5)
]


def fail(job: Claimed, failure: Failure, delay_seconds: float) -> Outcome:
    return failed(
        job.id, job.token, error="no", delay_seconds=delay_seconds, data={}, failure=failure
    )


class Mill:
    """Threads that share what they claimed, so that many write outcomes of the same attempts."""

    def __init__(self) -> None:
        self.claimed: dict[int, Claimed] = {}
        self.end = time.monotonic() + SECONDS
        self.passes: dict[str, int] = {}

    def run(self, name: str, work: Callable[[random.Random], Any]) -> None:
        rng = random.Random(name)
        while time.monotonic() < self.end:
            work(rng)
            self.passes[name] = self.passes.get(name, 0) + 1

    def some(self, rng: random.Random) -> list[Claimed]:
        held = list(self.claimed.values())
        return rng.sample(held, min(len(held), rng.randint(1, 60)))

    def enqueue(self, rng: random.Random) -> None:
        keys = rng.sample(range(KEYS), 40)
        enqueue.insert(USING, [new_job(idempotency_key=f"k{key}") for key in keys])

    def claim(self, rng: random.Random) -> None:
        queues = rng.choice([None, ["default"], ["default", "other"]])
        for job in factories.claim(rng.randint(1, 60), queues=queues, lease_seconds=0.3):
            self.claimed[job.id] = job

    def finish(self, rng: random.Random) -> None:
        ends = [
            lambda job: succeeded(job, None, run_seconds=0.0),
            lambda job: fail(job, rng.choice(FAILURES), 0.0),
            lambda job: fail(job, rng.choice(FAILURES), 0.05),
            lambda job: released(job.id, job.token, reason="given back"),
        ]
        factories.finish(*[rng.choice(ends)(job) for job in self.some(rng)])

    def renew(self, rng: random.Random) -> None:
        held = {job.id: job.token for job in self.some(rng)}
        leases.renew(USING, held, lease_seconds=0.2)
        leases.save_progress(USING, held, {job_id: {"percent": 5} for job_id in held})

    def rescue(self, rng: random.Random) -> None:
        lifecycle.rescue(USING, limit=rng.randint(1, 40), worker="rescuer")

    def promote(self, rng: random.Random) -> None:
        lifecycle.promote(USING, limit=rng.randint(1, 40))

    def ask(self, rng: random.Random) -> None:
        ids = list(Job.objects.order_by("?").values_list("pk", flat=True)[:10])
        for job_id in ids:
            verb = rng.choice([lifecycle.cancel, lifecycle.retry])
            try:
                verb(USING, job_id, actor="me", reason="")
            except (IllegalTransition, JobNotFound):
                continue

    def decide(self, rng: random.Random) -> None:
        for failure in rng.sample(FAILURES, 3):
            try:
                error_groups.decide(
                    USING, failure.fingerprint, actor="me", status=rng.choice([*ErrorGroupStatus])
                )
            except ErrorGroupNotFound:
                continue

    def prune(self, rng: random.Random) -> None:
        error_groups.prune(USING, age_seconds=0.01, limit=3)
        status = rng.choice(sorted(TERMINAL))
        prune.prune_batch(USING, status, age_seconds=0.2, limit=rng.randint(1, 40))


def test_nothing_that_runs_beside_each_other_deadlocks() -> None:
    mill = Mill()
    crew = {
        "enqueue": 2,
        "claim": 2,
        "finish": 4,
        "renew": 2,
        "rescue": 2,
        "promote": 1,
        "ask": 2,
        "decide": 1,
        "prune": 2,
    }
    # Any error of the database, a deadlock above all, ends the thread and fails the test.
    together(
        [
            partial(mill.run, f"{name} {n}", getattr(mill, name))
            for name, count in crew.items()
            for n in range(count)
        ],
        seconds=SECONDS + 30,
    )
    assert min(mill.passes.values()) > 3, mill.passes
    assert_every_history_is_one_chain()


def assert_every_history_is_one_chain() -> None:
    """Each event starts where the one before ended, and the last ends where the row is."""
    at: dict[int, str] = {}
    # A dropped outcome notes the status as it was seen without a lock, which may have moved on.
    events = JobEvent.objects.exclude(kind=EventKind.LEASE_LOST).order_by("job_id", "id")
    for job_id, start, end in events.values_list("job_id", "from_status", "to_status"):
        assert start == at.get(job_id, ""), f"job {job_id}: {start} after {at.get(job_id)}"
        at[job_id] = end
    assert at == dict(Job.objects.values_list("pk", "status"))
    assert set(at.values()) <= set(JobStatus)
