"""What a load test enqueues: drawn from a seed, so that a run can be repeated."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Final

from jobs.states import JobStatus
from jobs.tasks import FLAKY, NOOP

MAX_ATTEMPTS: Final = 3
DELAY_SECONDS: Final = (1.0, 5.0)
WORK_SECONDS: Final = (0.002, 0.05)
PRIORITIES: Final = (-10, 0, 0, 10)
# Of the flaky jobs: most recover after one failure, some after two, and some use up their attempts.
FAILURES: Final = (1, 1, 1, 2, 2, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedJob:
    """A job to enqueue, and what must come of it."""

    number: int
    task: str
    work_seconds: float
    priority: int
    delay_seconds: float
    """0 for a job that may run at once."""
    failures: int
    """How many attempts fail: the first ones."""

    @property
    def status(self) -> JobStatus:
        """The status it must end in."""
        return JobStatus.SUCCEEDED if self.failures < MAX_ATTEMPTS else JobStatus.FAILED

    @property
    def attempts(self) -> int:
        return min(self.failures + 1, MAX_ATTEMPTS)

    def document(self, run: str, queue: str) -> dict[str, Any]:
        """What is posted to the API."""
        payload: dict[str, Any] = {"run": run, "number": self.number}
        if self.work_seconds:
            payload["seconds"] = self.work_seconds
        if self.task == FLAKY:
            payload["failures"] = self.failures
        document: dict[str, Any] = {
            "task": self.task,
            "payload": payload,
            "queue": queue,
            "priority": self.priority,
            "max_attempts": MAX_ATTEMPTS,
            # A request whose answer was lost is sent again and must not make a second job.
            "idempotency_key": f"loadtest:{run}:{self.number}",
        }
        if self.delay_seconds:
            document["delay_seconds"] = self.delay_seconds
        return document


def make(jobs: int, *, delayed: float, flaky: float, seed: int) -> list[PlannedJob]:
    """A shuffled load of `jobs` jobs; `delayed` and `flaky` are shares from 0 to 1."""
    rng = random.Random(seed)  # noqa: S311 - a load to repeat, not a secret
    delayed_numbers = set(rng.sample(range(jobs), round(jobs * delayed)))
    flaky_numbers = rng.sample(range(jobs), round(jobs * flaky))
    failures = {number: FAILURES[n % len(FAILURES)] for n, number in enumerate(flaky_numbers)}
    return [
        PlannedJob(
            number=number,
            task=FLAKY if number in failures else NOOP,
            # Half of the jobs do nothing, so that the queue's own cost shows.
            work_seconds=round(rng.uniform(*WORK_SECONDS), 4) if rng.random() < 0.5 else 0.0,
            priority=rng.choice(PRIORITIES),
            delay_seconds=(
                round(rng.uniform(*DELAY_SECONDS), 3) if number in delayed_numbers else 0.0
            ),
            failures=failures.get(number, 0),
        )
        for number in range(jobs)
    ]
