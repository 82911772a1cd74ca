"""Running one job: handler in, outcome out, and nothing else changed in the thread."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import time
from typing import Any

from asgiref.sync import async_to_sync

from jobs import instrument, registry
from jobs.conf import conf
from jobs.context import JobContext
from jobs.errors import InvalidInput, JobTimeout
from jobs.payload import encode, normalise
from jobs.registry import Task
from jobs.store import values
from jobs.store.values import Claimed, Outcome
from jobs.worker import failures, handler_connections
from jobs.worker.forks import run_in_parent
from jobs.worker.runs import Run, Runs
from jobs.workflows.running import RunningStep

_logger = logging.getLogger("jobs.task")


def execute(job: Claimed, runs: Runs) -> tuple[Outcome | None, float]:
    """Run the job's handler; returns the outcome and the seconds the handler took.

    The outcome is None when the watchdog has settled the run before. Nothing is raised, whatever
    the handler throws.
    """
    task = registry.find(job.task)
    if task is None:
        outcome = failures.unknown_task(job)
        tell(job, outcome, 0.0)
        return outcome, 0.0
    run = Run(job, _context(job))
    runs.add(run)
    result, error = _call(task, run)
    runs.remove(run)
    seconds = time.monotonic() - run.started
    handler_connections.after_job()
    if not run.settle():
        return None, seconds
    outcome = _outcome(run, task, result, error, seconds)
    # The frames of its traceback hold every local of the handler.
    del error
    tell(job, outcome, seconds)
    return outcome, seconds


def _context(job: Claimed) -> JobContext:
    return JobContext(
        job_id=job.id,
        task=job.task,
        queue=job.queue,
        attempt=job.attempt,
        max_attempts=job.max_attempts,
        timeout_seconds=job.timeout_seconds,
        logger=logging.LoggerAdapter(
            _logger.getChild(job.task), {"job_id": job.id, "attempt": job.attempt}
        ),
        workflow_id=job.workflow_id,
        step=job.step_name,
        _workflow=None if job.workflow_id is None else RunningStep(job),
    )


def _call(task: Task, run: Run) -> tuple[Any, BaseException | None]:
    """Result or error of the handler, in a context of its own.

    JobTimeout may be thrown into this thread from the moment `enter` is called until `leave` has
    returned, also between the lines below; the second guard catches it there.
    """
    try:
        try:
            run.enter()
            handler_connections.before_job()
            return contextvars.Context().run(run_in_parent, _invoke, task, run), None
        except BaseException as error:
            return None, error
        finally:
            run.leave()
    except JobTimeout as error:
        run.leave()
        return None, error


def _invoke(task: Task, run: Run) -> Any:
    job, step = run.job, run.context._workflow
    payload = job.payload if step is None else step.payload()
    keywords = payload | {"context": run.context} if task.takes_context else payload
    if not task.is_async:
        return task.handler(*job.args, **keywords)

    if step is not None and task.takes_context:
        # Inside the event loop nothing may be read any more.
        step.parents()

    async def bounded() -> Any:
        try:
            async with asyncio.timeout(run.context.deadline_seconds):
                return await task.handler(*job.args, **keywords)
        except TimeoutError:
            if run.context.deadline_seconds == 0:
                raise JobTimeout from None
            raise

    return async_to_sync(bounded)()


def _outcome(
    run: Run, task: Task, result: Any, error: BaseException | None, seconds: float
) -> Outcome:
    job, step = run.job, run.context._workflow
    if error is not None:
        return failures.outcome_of(job, task, error, seconds)
    try:
        # Most handlers return nothing, and nothing needs no checks.
        text = None if result is None else _encoded(result)
    except InvalidInput as unfit:
        return failures.unfit_result(job, unfit, seconds)
    except BaseException as broken:
        # What was returned may bring methods of its own, and those may raise anything.
        return failures.outcome_of(job, task, broken, seconds)
    appended = () if step is None else step.appended
    return values.succeeded(job, text, run_seconds=seconds, appended=appended)


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
