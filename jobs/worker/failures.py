"""Turning whatever a handler throws into an outcome that can be stored."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from jobs import fingerprint
from jobs.backoff import MAX_DELAY_SECONDS
from jobs.conf import conf
from jobs.errors import Cancel, InvalidInput, JobTimeout, PermanentError, Retry, Snooze
from jobs.fingerprint import Failure
from jobs.payload import clean_text
from jobs.registry import Task, default_policy
from jobs.store import values
from jobs.store.values import Claimed, Outcome

_MESSAGE_CHARS = 2000
_PACKAGE: Final = Path(__file__).parent.parent
_ENGINE: Final = tuple(str(_PACKAGE / name) for name in ("worker", "tasks_backend", "registry.py"))


def outcome_of(
    job: Claimed, task: Task | None, error: BaseException, run_seconds: float
) -> Outcome:
    """The outcome of an attempt that ended with `error`, `SystemExit` and its like included."""
    if isinstance(error, Cancel):
        return values.cancelled(job, reason=describe(error)["message"])
    if isinstance(error, Snooze) and (seconds := _seconds(error.seconds)) is not None:
        reason = describe(error)["message"]
        return values.released(job.id, job.token, reason=reason, delay_seconds=seconds)
    told = describe(error)
    late = isinstance(error, JobTimeout) and job.timeout_seconds is not None
    if late:
        told["message"] = f"timed out after {job.timeout_seconds:g} s"
    # Where a deadline meets a handler is chance, and the watchdog does not know it.
    failure = _for_a_reason(job, told) if late else _raised(job, error, told)
    return values.failed(
        job.id,
        job.token,
        workflow_id=job.workflow_id,
        error=f"{told['type']}: {told['message']}" if told["message"] else told["type"],
        delay_seconds=_delay(job, task, error),
        data={"error": told, **values.took(job, run_seconds)},
        failure=failure,
    )


def _raised(job: Claimed, error: BaseException, told: dict[str, str]) -> Failure:
    return fingerprint.of_exception(
        job.task, job.queue, error, exception=told["type"], message=told["message"]
    )


def _for_a_reason(job: Claimed, told: dict[str, str]) -> Failure:
    return fingerprint.of_reason(
        job.task, job.queue, exception=told["type"], message=told["message"]
    )


def _delay(job: Claimed, task: Task | None, error: BaseException) -> float | None:
    """Seconds until the next attempt; None when there must be none."""
    if isinstance(error, PermanentError):
        return None
    if (
        isinstance(error, Retry)
        and error.after is not None
        and (after := _seconds(error.after)) is not None
    ):
        return after
    if task is not None:
        try:
            wanted = task.retry_after(job.attempt, error)
        except BaseException:
            # A broken backoff function must not cost the job its other attempts, nor the worker
            # its thread.
            wanted = -1.0
        if wanted is None:
            return None
        if (seconds := _seconds(wanted)) is not None:
            return seconds
    return default_policy().delay_seconds(job.attempt)


def _seconds(value: Any) -> float | None:
    """A wait as a float, capped; None for what is not one."""
    # NaN fails the comparison; a whole number may be too large for a float.
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        return None
    return float(min(value, MAX_DELAY_SECONDS))


def describe(error: BaseException) -> dict[str, str]:
    """Type, message and traceback as text; no step of it can raise or grow without bound."""
    return {
        "type": clean_text(_guarded(_name, error), 255) or "Exception",
        "message": clean_text(_guarded(str, error), _MESSAGE_CHARS),
        "traceback": clean_text(_guarded(_trace, error), conf.ERROR_MAX_CHARS),
    }


def _guarded(make: Callable[[BaseException], str], error: BaseException) -> str:
    try:
        # Of a subclass of str the characters count, and not what its methods may do.
        return str.__str__(make(error))
    except BaseException:
        return "(could not be made: the exception's own code failed)"


def _name(error: BaseException) -> str:
    kind = type(error)
    if kind.__module__ == "builtins":
        return kind.__qualname__
    return f"{kind.__module__}.{kind.__qualname__}"


def _trace(error: BaseException) -> str:
    kind, trace = type(error), _of_handler(error.__traceback__)
    try:
        return "".join(traceback.format_exception(kind, error, trace, limit=-50))
    except BaseException:
        return "".join(traceback.format_tb(trace, limit=-50))


def _of_handler(trace: TracebackType | None) -> TracebackType | None:
    """Without the engine's way to the handler; whole where the engine itself raised."""
    start, frame = trace, trace
    while frame is not None:
        ours = frame.tb_frame.f_code.co_filename.startswith(_ENGINE)
        frame = frame.tb_next
        if ours:
            start = frame
    return start or trace


def unknown_task(job: Claimed) -> Outcome:
    """Nothing here is registered under the job's task. Another worker, or the next release, may
    know it: the attempt counts and the backoff is the usual one."""
    message = f"no task named {job.task!r} is registered in this worker"
    told = {"type": "jobs.errors.UnknownTask", "message": message, "traceback": ""}
    return values.failed(
        job.id,
        job.token,
        workflow_id=job.workflow_id,
        error=f"UnknownTask: {message}",
        delay_seconds=default_policy().delay_seconds(job.attempt),
        data={"error": told},
        failure=_for_a_reason(job, told),
    )


def unfit_result(job: Claimed, error: InvalidInput, run_seconds: float) -> Outcome:
    """The handler returned something that cannot be stored. Running it again would not help."""
    told = describe(error)
    return values.failed(
        job.id,
        job.token,
        workflow_id=job.workflow_id,
        error=f"InvalidInput: {clean_text(str(error), _MESSAGE_CHARS)}",
        delay_seconds=None,
        data={"error": told, **values.took(job, run_seconds)},
        failure=_for_a_reason(job, told),
    )
