"""The tasks that tests enqueue: well-behaved ones, and ones that fail, die or stop early."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import time
from typing import Any

from django.db import connection, transaction

from jobs import JobContext, RetryPolicy, Step, enqueue, task
from tests.support import evidence

QUICK = RetryPolicy(base_seconds=0.1, cap_seconds=1.0, jitter=0.5)
SLOW = RetryPolicy(base_seconds=1.0, cap_seconds=60.0, jitter=0.0)


@task(name="check.mark", backoff=QUICK)
def mark(key: str, context: JobContext, seconds: float = 0.0) -> str:
    """Leaves its mark at the start and at the end."""
    with evidence.run(context, key):
        if seconds:
            time.sleep(seconds)
    return key


@task(name="check.held", backoff=QUICK)
def held(key: str, context: JobContext, until: str = "") -> str:
    """Leaves its marks, and between them waits until the test lets `until`, or its key, go.

    Says so when it is told that its lease is lost, and ends then.
    """
    with evidence.run(context, key):
        while not evidence.let_go(until or key):
            if context.lease_lost:
                evidence.note("lost", context, key=key)
                break
            time.sleep(0.02)
    return key


@task(name="check.slow_first", backoff=QUICK)
def slow_first(key: str, context: JobContext, seconds: float) -> int:
    """Takes its time in the first attempt only; returns the attempt's number."""
    with evidence.run(context, key):
        if context.attempt == 1:
            time.sleep(seconds)
    return context.attempt


@task(name="check.wait_first", backoff=QUICK)
async def wait_first(key: str, context: JobContext, seconds: float) -> int:
    """Waits in the first attempt only, on the event loop; returns the attempt's number."""
    with evidence.run(context, key):
        if context.attempt == 1:
            await asyncio.sleep(seconds)
    return context.attempt


@task(name="check.block")
async def block(key: str, context: JobContext, seconds: float) -> None:
    """Keeps the event loop to itself."""
    with evidence.run(context, key):
        time.sleep(seconds)


@task(name="check.burn", backoff=QUICK)
def burn(key: str, context: JobContext, seconds: int) -> None:
    """Keeps the interpreter's lock for so long, in one call of C code."""
    with evidence.run(context, key):
        ctypes.PyDLL(None).sleep(seconds)


@task(name="check.noop")
def noop() -> None:
    """Does nothing."""


@task(name="check.raises")
def raises() -> None:
    """Raises, with something large in the frame that its traceback holds."""
    large = bytearray(100_000)
    raise RuntimeError(f"{len(large):,} bytes")


@task(name="check.patient", backoff=QUICK)
def patient(key: str, context: JobContext, seconds: float) -> str:
    """As `mark`, but stops when it is asked to."""
    with evidence.run(context, key):
        context.sleep(seconds)
    return key


@task(name="check.fail", backoff=QUICK)
def fail(key: str, context: JobContext, times: int, message: str = "on purpose") -> str:
    """Raises in its first `times` attempts."""
    with evidence.run(context, key):
        if context.attempt <= times:
            raise RuntimeError(message)
    return key


@task(name="check.fail_held", backoff=QUICK)
def fail_held(key: str, context: JobContext, until: str) -> None:
    """Waits until the test lets `until` go, then raises."""
    with evidence.run(context, key):
        while not evidence.let_go(until):
            time.sleep(0.02)
        raise RuntimeError("on purpose")


@task(name="check.fail_slowly", backoff=SLOW)
def fail_slowly(key: str, context: JobContext, times: int) -> str:
    """As `fail`, with a second of backoff."""
    with evidence.run(context, key):
        if context.attempt <= times:
            raise RuntimeError("on purpose")
    return key


@task(name="check.suicide", backoff=QUICK)
def suicide(key: str, context: JobContext) -> None:
    """Kills its own process."""
    with evidence.run(context, key):
        pass
    os.kill(os.getpid(), signal.SIGKILL)


@task(name="check.deaf", backoff=QUICK)
def deaf(key: str, context: JobContext, seconds: float) -> str:
    """As `mark`, but nothing thrown into its thread ends it early."""
    with evidence.run(context, key):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                time.sleep(end - time.monotonic())
            except BaseException:
                evidence.note("ignored", context, key=key)
    return key


@task(name="check.orm", backoff=QUICK)
def orm(key: str, context: JobContext, seconds: float = 0.0) -> int:
    """Queries the database, then takes its time; returns its backend's process id."""
    with evidence.run(context, key):
        backend = _backend()
        if seconds:
            time.sleep(seconds)
    return backend


@task(name="check.orm_around", backoff=QUICK)
def orm_around(key: str, context: JobContext, until: str) -> int:
    """Queries the database, waits until the test lets `until` go, and queries it again."""
    with evidence.run(context, key):
        _backend()
        evidence.note("connected", context, key=key)
        while not evidence.let_go(until):
            time.sleep(0.02)
        return _backend()


@task(name="check.enqueue_inside", backoff=QUICK)
def enqueue_inside(key: str, context: JobContext) -> int:
    """Enqueues another job inside a transaction; returns its id."""
    with evidence.run(context, key), transaction.atomic():
        _backend()
        return enqueue("check.mark", {"key": f"inside-{key}"}).id


@task(name="check.fan_out", backoff=QUICK)
def fan_out(key: str, context: JobContext, count: int) -> str:
    """Adds so many steps to its workflow, which `gather` waits for."""
    with evidence.run(context, key):
        for n in range(count):
            name = f"{key} {n}"
            context.append_steps(Step(name, "check.mark", {"key": name}, before="gather"))
    return key


@task(name="check.gather")
def gather(context: JobContext) -> dict[str, Any]:
    """Returns what its parents returned."""
    with evidence.run(context, "gather"):
        return dict(context.results)


def _backend() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        row: tuple[Any, ...] = cursor.fetchone()
    return int(row[0])


if os.environ.get("TEST_NEXT_RELEASE"):

    @task(name="check.of_next_release")
    def of_next_release(key: str, context: JobContext) -> str:
        """A task that only some workers know."""
        with evidence.run(context, key):
            return key
