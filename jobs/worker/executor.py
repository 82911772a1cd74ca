"""Running one job: handler in, outcome out, and nothing else changed in the thread."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import time
from typing import Any, Protocol

from asgiref.sync import async_to_sync

from jobs import instrument, registry
from jobs.conf import conf
from jobs.context import JobContext
from jobs.errors import InvalidInput, JobTimeout
from jobs.payload import encode, normalise
from jobs.store import values
from jobs.store.values import Claimed, Outcome
from jobs.worker import failures, handler_connections
from jobs.worker.forks import run_in_parent
from jobs.worker.runs import Run, Runs
from jobs.workflows.running import RunningStep

_logger = logging.getLogger("jobs.worker")


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
        tell(job, outcome, 0.0)
        return outcome, 0.0
    run = Run(job, _context(job), task)
    runs.add(run)
    result, error = _call(run, connections)
    first = run.settle()
    seconds = time.monotonic() - run.started
    if first:
        run.outcome, error = _outcome(run, result, error, seconds)
    _tell_task(run, error)
    # The frames of its traceback hold every local of the handler.
    del error
    runs.remove(run)
    connections.after_job()
    if not first or run.outcome is None:
        return None, seconds
    tell(job, run.outcome, seconds)
    return run.outcome, seconds


def _context(job: Claimed) -> JobContext:
    return JobContext(
        job_id=job.id,
        task=job.task,
        queue=job.queue,
        attempt=job.attempt,
        max_attempts=job.max_attempts,
        timeout_seconds=job.timeout_seconds,
        workflow_id=job.workflow_id,
        step=job.step_name,
        _workflow=None if job.workflow_id is None else RunningStep(job),
    )


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
    job, step = run.job, run.context._workflow
    run.task = task = run.task.begin(job)
    payload = job.payload if step is None else step.payload()
    if not task.is_async:
        return task.invoke(run.context, job.args, payload)

    if step is not None and task.takes_context:
        # Inside the event loop nothing may be read any more.
        step.parents()

    async def bounded() -> Any:
        try:
            async with asyncio.timeout(run.context.deadline_seconds):
                return await task.invoke(run.context, job.args, payload)
        except TimeoutError:
            if run.context.deadline_seconds == 0:
                raise JobTimeout from None
            raise

    return async_to_sync(bounded)()


def _outcome(
    run: Run, result: Any, error: BaseException | None, seconds: float
) -> tuple[Outcome, BaseException | None]:
    """The outcome, and the error that explains it."""
    job, task, step = run.job, run.task, run.context._workflow
    if error is not None:
        return failures.outcome_of(job, task, error, seconds), error
    try:
        # Most handlers return nothing, and nothing needs no checks.
        text = None if result is None else _encoded(task.plain(result))
    except InvalidInput as unfit:
        return failures.unfit_result(job, unfit, seconds), unfit
    except BaseException as broken:
        # What was returned may bring methods of its own, and those may raise anything.
        return failures.outcome_of(job, task, broken, seconds), broken
    appended = () if step is None else step.appended
    return values.succeeded(job, text, run_seconds=seconds, appended=appended), None


def _tell_task(run: Run, error: BaseException | None) -> None:
    """Tell the task how its attempt ended, with the error as the one that is being handled."""
    if run.outcome is None:
        return
    stopping = run.context.cancel_requested
    try:
        if error is None:
            run.task.ended(run.outcome, stopping=stopping)
            return
        trace = error.__traceback__
        try:
            raise error
        except BaseException:
            run.task.ended(run.outcome, stopping=stopping)
        finally:
            error.__traceback__ = trace
    except BaseException:
        _logger.exception("job %s: its task could not be told of the end", run.job.id)


def _encoded(result: Any) -> str:
    plain = normalise(result, "result", max_depth=conf.PAYLOAD_MAX_DEPTH)
    return encode(plain, "result", max_bytes=conf.RESULT_MAX_BYTES)


def tell(job: Claimed, outcome: Outcome, seconds: float) -> None:
    """Say how an attempt ended, to whoever listens."""
    instrument.emit(
        "job.finished",
        job_id=job.id,
        task=job.task,
        queue=job.queue,
        attempt=job.attempt,
        max_attempts=job.max_attempts,
        verb=outcome.verb.value,
        permanent=outcome.permanent,
        delay_seconds=outcome.delay_seconds,
        error=outcome.error,
        wait_seconds=job.waited_seconds,
        run_seconds=seconds,
    )
