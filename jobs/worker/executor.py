"""Running one job on a thread: handler in, outcome out, and nothing else changed in the thread."""

from __future__ import annotations

import contextvars
import time
from typing import Any, Protocol

from asgiref.sync import async_to_sync

from jobs import registry
from jobs.errors import JobTimeout
from jobs.store.values import Claimed, Outcome
from jobs.worker import attempt, failures, handler_connections
from jobs.worker.forks import run_in_parent
from jobs.worker.runs import Run, Runs


class Connections(Protocol):
    """What is done with the thread's own database connections around each job."""

    def before_job(self) -> None: ...

    def after_job(self) -> None: ...


def execute(
    job: Claimed, runs: Runs, connections: Connections = handler_connections
) -> tuple[Outcome | None, float]:
    """Run the job's handler; returns the outcome and the seconds the handler took.

    The outcome is None when the watchdog has settled the run before. Nothing is raised, whatever
    the handler throws.
    """
    task = registry.find(job.task, load=bool(job.tasks_backend))
    if task is None:
        outcome = failures.unknown_task(job)
        attempt.tell(job, outcome, 0.0)
        return outcome, 0.0
    run = Run(job, attempt.context_of(job), task)
    runs.add(run)
    result, error = _call(run, connections)
    first = run.settle()
    seconds = time.monotonic() - run.started
    attempt.conclude(run, result, error, first=first, seconds=seconds)
    # The frames of its traceback hold every local of the handler.
    del error
    runs.remove(run)
    connections.after_job()
    if not first or run.outcome is None:
        return None, seconds
    attempt.tell(job, run.outcome, seconds)
    return run.outcome, seconds


def _call(run: Run, connections: Connections) -> tuple[Any, BaseException | None]:
    """Result or error of the handler, in a context of its own.

    JobTimeout may be thrown into this thread from the moment `enter` is called until `leave` has
    returned, also between the lines below; the second guard catches it there.
    """
    try:
        try:
            run.enter()
            connections.before_job()
            return contextvars.Context().run(run_in_parent, _invoke, run), None
        except BaseException as error:
            return None, error
        finally:
            run.leave()
    except JobTimeout as error:
        run.leave()
        return None, error


def _invoke(run: Run) -> Any:
    payload = attempt.begin(run)
    if run.task.is_async:
        return async_to_sync(attempt.call_async)(run, payload)
    return attempt.call(run, payload)
