"""Running jobs in the test's own thread and transaction, one after the other."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final
from unittest import mock

from django.db import connections, transaction

from jobs import lifecycle
from jobs.conf import conf
from jobs.models import Job
from jobs.schedules import sync, tick
from jobs.states import JobStatus, Verb
from jobs.store.claim import everything
from jobs.store.connections import alias
from jobs.store.queues import open_queues
from jobs.store.values import Claimed, NewJob, Outcome
from jobs.testing.clock import time_travel
from jobs.worker.executor import execute
from jobs.worker.runs import Runs

WORKER: Final = "jobs.testing"
_BATCH: Final = 500
# Named otherwise from Django 6.1 on.
_savepoint: Any = getattr(transaction, "savepoint_create", None) or transaction.savepoint


class _Running:
    """Whether a handler is at work. Handlers run in a context of their own, so no context knows."""

    value = False


class JobFailed(AssertionError):
    """An attempt has failed; the text is its traceback."""

    def __init__(self, job: Claimed, outcome: Outcome) -> None:
        trace = outcome.data.get("error", {}).get("traceback") or outcome.error
        super().__init__(f"attempt {job.attempt} of {job.task} #{job.id} failed:\n{trace}")


def run_pending(
    *, queues: Sequence[str] | None = None, max_jobs: int = 1000, raising: bool = False
) -> list[Job]:
    """Run every job that is due, those included that they enqueue; returns them as each attempt
    left them, in the order they ran.

    Everything happens in this thread, on its connection and inside its transaction. A handler
    that leaves the transaction broken loses what it wrote, as it would with one of its own.
    `on_commit` callbacks of a handler run when it ends. `queues` None means all; one that is
    paused is left alone. With `raising` the first failed attempt is raised as JobFailed. Raises
    AssertionError when `max_jobs` have run and more are due.
    """
    using = alias()
    ran: list[Job] = []
    while (job := _next(using, queues)) is not None:
        outcome = _run(using, job)
        ran.append(Job.objects.using(using).get(pk=job.id))
        if raising and outcome.verb is Verb.FAIL:
            raise JobFailed(job, outcome)
        if len(ran) >= max_jobs and _due(using, queues):
            raise _too_many(max_jobs)
    return ran


def _too_many(max_jobs: int) -> AssertionError:
    return AssertionError(f"{max_jobs} jobs have run and more are to come: do they end?")


def drain(
    *, queues: Sequence[str] | None = None, max_jobs: int = 1000, raising: bool = False
) -> list[Job]:
    """As `run_pending`, and on through time: the clock goes to the next job that is scheduled,
    for a delay or for a retry, until none is left. Outside `time_travel` it then goes back.
    """
    using = alias()
    ran: list[Job] = []
    with time_travel() as clock:
        while True:
            ran += run_pending(queues=queues, max_jobs=max_jobs, raising=raising)
            waiting = Job.objects.using(using).filter(status=JobStatus.SCHEDULED)
            if queues is not None:
                waiting = waiting.filter(queue__in=queues)
            at = waiting.order_by("available_at").values_list("available_at", flat=True).first()
            if at is None:
                return ran
            if len(ran) >= max_jobs:
                raise _too_many(max_jobs)
            # SQLite's clock shows thousandths.
            clock.set(at + dt.timedelta(milliseconds=1))


@contextmanager
def inline(*, raising: bool = True) -> Iterator[None]:
    """Run each job as soon as it is enqueued, if it is due then, before `enqueue` returns.

    Jobs that a job enqueues run after it. Steps of workflows, whose submit is no enqueue, and jobs
    that are due later wait for `run_pending`.
    """
    insert = lifecycle.enqueue

    def enqueue(using: str, jobs: Sequence[NewJob]) -> list[Any]:
        answers = insert(using, jobs)
        # What a job enqueues is run by whoever runs that job.
        if not _Running.value:
            run_pending(raising=raising)
        return answers

    with mock.patch.object(lifecycle, "enqueue", enqueue):
        yield


def run_schedules() -> list[Job]:
    """Enqueue what the schedules want at the clock's time, those declared in code included;
    returns the jobs. The first call only learns when each is due next."""
    using = alias()
    newest = Job.objects.using(using).order_by("-pk").values_list("pk", flat=True).first() or 0
    sync.sync(using)
    while tick.run_once(using) == 0.0:
        continue
    return list(Job.objects.using(using).filter(pk__gt=newest).order_by("pk"))


def _next(using: str, queues: Sequence[str] | None) -> Claimed | None:
    while lifecycle.rescue(using, limit=_BATCH, worker=WORKER):
        continue
    while lifecycle.promote(using, limit=_BATCH).count == _BATCH:
        continue
    request = lifecycle.ClaimRequest(
        queues=open_queues(using, tuple(queues or ())),
        limit=1,
        choose=everything,
        token=uuid.uuid4(),
        lease_seconds=conf.LEASE_SECONDS,
    )
    claimed = lifecycle.exchange(using, [], request, worker=WORKER).claimed
    return claimed[0] if claimed else None


def _due(using: str, queues: Sequence[str] | None) -> bool:
    rows = Job.objects.using(using).filter(status=JobStatus.QUEUED)
    return (rows if queues is None else rows.filter(queue__in=queues)).exists()


def _run(using: str, job: Claimed) -> Outcome:
    with mock.patch.object(_Running, "value", True):
        outcome, _ = execute(job, Runs(), _Shared())
    assert outcome is not None  # noqa: S101 - nobody else settles it
    lifecycle.exchange(using, [outcome], None, worker=WORKER)
    return outcome


class _Shared:
    """The test's own connections, which a handler borrows."""

    def __init__(self) -> None:
        self._points: list[tuple[Any, str, int]] = []

    def before_job(self) -> None:
        """A savepoint in each transaction that is open."""
        for connection in connections.all(initialized_only=True):
            if connection.in_atomic_block:
                point = _savepoint(using=connection.alias)
                self._points.append((connection, point, len(connection.run_on_commit)))

    def after_job(self) -> None:
        """What the handler wrote stays, unless it broke the transaction."""
        for connection, point, callbacks in reversed(self._points):
            if _is_broken(connection):
                connection.needs_rollback = False
                transaction.savepoint_rollback(point, using=connection.alias)
                del connection.run_on_commit[callbacks:]
                continue
            transaction.savepoint_commit(point, using=connection.alias)
            while len(connection.run_on_commit) > callbacks:
                _, callback, *_ = connection.run_on_commit.pop(callbacks)
                callback()


def _is_broken(connection: Any) -> bool:
    info = getattr(connection.connection, "info", None)
    # 3: the server refuses everything but a rollback.
    return connection.needs_rollback or getattr(info, "transaction_status", 0) == 3
