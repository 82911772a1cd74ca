"""The tasks of `manage.py jobs loadtest`.

Found like every app's tasks, so that the web server accepts them and the workers know them in any
project. They touch nothing outside their own job.
"""

from __future__ import annotations

from jobs.backoff import RetryPolicy
from jobs.client import task
from jobs.context import JobContext
from jobs.errors import PermanentError

NOOP = "qforge.loadtest.noop"
FLAKY = "qforge.loadtest.flaky"
MAX_SECONDS = 60.0


class PlannedFailure(Exception):
    """An attempt that the load test planned to fail."""


@task(name=NOOP)
def noop(run: str, number: int, context: JobContext, seconds: float = 0) -> int:
    """Wait `seconds`, 0 to 60, and return `number`. `run` tells one load test from another."""
    _pause(context, seconds)
    return number


@task(name=FLAKY, max_attempts=3, backoff=RetryPolicy(base_seconds=0.5, cap_seconds=2, jitter=0.2))
def flaky(run: str, number: int, failures: int, context: JobContext, seconds: float = 0) -> int:
    """As `noop`, but attempts 1 to `failures` fail."""
    _pause(context, seconds)
    if context.attempt <= failures:
        raise PlannedFailure(f"attempt {context.attempt} of {context.max_attempts}, as planned")
    return number


def _pause(context: JobContext, seconds: float) -> None:
    if not isinstance(seconds, int | float) or not 0 <= seconds <= MAX_SECONDS:
        raise PermanentError(f"seconds: must be from 0 to {MAX_SECONDS:g}, not {seconds!r:.80}")
    if seconds:
        context.sleep(seconds)
