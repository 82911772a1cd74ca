"""What every attempt has in common, on a thread or on the event loop: context, end and outcome."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from jobs import instrument
from jobs.conf import conf
from jobs.context import JobContext
from jobs.errors import InvalidInput, JobTimeout
from jobs.payload import encode, normalise
from jobs.store import values
from jobs.store.values import Claimed, Outcome
from jobs.worker import failures
from jobs.worker.forks import StepsInParent
from jobs.worker.runs import Run
from jobs.workflows.running import RunningStep

_logger = logging.getLogger("jobs.worker")


def context_of(job: Claimed) -> JobContext:
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


def begin(run: Run) -> Mapping[str, Any]:
    """Ready the task for this attempt, and read what its handler needs; returns the payload."""
    job, step = run.job, run.context._workflow
    run.task = run.task.begin(job)
    payload = job.payload if step is None else step.payload()
    if step is not None and run.task.is_async and run.task.takes_context:
        # Inside the event loop nothing may be read any more.
        step.parents()
    return payload


def call(run: Run, payload: Mapping[str, Any]) -> Any:
    """Call a handler that is not async."""
    with instrument.surrounded(run.job):
        return run.task.invoke(run.context, run.job.args, payload)


async def call_async(run: Run, payload: Mapping[str, Any]) -> Any:
    """Call an async handler. Raises JobTimeout, and cancels the handler, at the deadline."""
    with instrument.surrounded(run.job):
        try:
            async with asyncio.timeout(run.context.deadline_seconds):
                return await StepsInParent(run.task.invoke(run.context, run.job.args, payload))
        except TimeoutError:
            if run.context.deadline_seconds == 0:
                raise JobTimeout from None
            raise


def conclude(
    run: Run, result: Any, error: BaseException | None, *, first: bool, seconds: float
) -> None:
    """Decide on the outcome, if the handler was the `first` to settle the run; tell its task."""
    if first:
        run.outcome, error = _outcome(run, result, error, seconds)
    _tell_task(run, error)


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
