"""Every error QForge raises, and the exceptions a handler may raise to steer its own job."""

from __future__ import annotations


def shown(value: object, longest: int = 80) -> str:
    """A value in a message: `repr`, bounded, and an error of its own for no value."""
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= longest else text[: longest - 1] + "…"


class JobsError(Exception):
    """Base class of the errors of this package."""


class InvalidInput(JobsError, ValueError):
    """A value that may not enter the queue.

    `field` is the path of the offending value (`payload.items[3].price`), `code` a stable word
    for programs, and the message names the bound that was broken.
    """

    def __init__(self, field: str, message: str, *, code: str = "invalid") -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message
        self.code = code


class UnknownTask(InvalidInput):
    """No task of this name is registered in this process."""

    def __init__(self, name: str, *, hint: str = "") -> None:
        message = f"no task named {shown(name)} is registered{hint}"
        super().__init__("task", message, code="unknown-task")
        self.name = name


class IdempotencyConflict(InvalidInput):
    """The idempotency key is taken by a job or workflow that was asked for in other words."""

    def __init__(self, key: str, owner_id: int, *, noun: str = "job") -> None:
        super().__init__(
            "idempotency_key",
            f"{shown(key)} belongs to {noun} {owner_id}, which was created by a different request",
            code="idempotency-conflict",
        )
        self.key = key
        self.noun = noun
        self.owner_id = owner_id


class JobNotFound(JobsError):
    """The job does not exist, or retention has pruned it."""

    def __init__(self, job_id: int) -> None:
        super().__init__(f"job {job_id} does not exist")
        self.job_id = job_id


class IllegalTransition(JobsError):
    """The state table has no arrow for this verb from the job's current status."""

    def __init__(self, job_id: int, verb: str, status: str, allowed: tuple[str, ...] = ()) -> None:
        super().__init__(f"job {job_id} is {status}; it cannot {verb}")
        self.job_id = job_id
        self.verb = verb
        self.status = status
        self.allowed = allowed


class ScheduleNotFound(JobsError):
    """The schedule does not exist."""

    def __init__(self, schedule_id: int) -> None:
        super().__init__(f"schedule {schedule_id} does not exist")
        self.schedule_id = schedule_id


class ScheduleConflict(JobsError):
    """The schedule is not in a state that allows this; `code` is a stable word for programs."""

    def __init__(self, schedule_id: int, message: str, *, code: str) -> None:
        super().__init__(message)
        self.schedule_id = schedule_id
        self.code = code


class OperationNotFound(JobsError):
    """The operation does not exist, or has been pruned."""

    def __init__(self, operation_id: int) -> None:
        super().__init__(f"operation {operation_id} does not exist")
        self.operation_id = operation_id


class OperationEnded(JobsError):
    """There is nothing left of the operation to cancel."""

    def __init__(self, operation_id: int, status: str) -> None:
        super().__init__(f"operation {operation_id} is {status}; it cannot cancel")
        self.operation_id = operation_id
        self.status = status


class CountMismatch(JobsError):
    """An operation would touch more jobs than its caller expected; none was touched."""

    def __init__(self, expected: int) -> None:
        super().__init__(f"more than the expected {expected:,} jobs match; look again")
        self.expected = expected


class StepConflict(IllegalTransition):
    """The state table has the arrow, but the other steps of the workflow stand against it."""

    def __init__(self, job_id: int, verb: str, status: str, reason: str) -> None:
        super().__init__(job_id, verb, status)
        self.args = (f"job {job_id} cannot {verb}: {reason}",)


class WorkflowNotFound(JobsError):
    """The workflow does not exist, or retention has pruned it."""

    def __init__(self, workflow_id: int) -> None:
        super().__init__(f"workflow {workflow_id} does not exist")
        self.workflow_id = workflow_id


class WorkflowConflict(JobsError):
    """The workflow, in the status it has, does not allow what was asked for."""

    def __init__(self, workflow_id: int, verb: str, status: str, reason: str = "") -> None:
        super().__init__(f"workflow {workflow_id} is {reason or status}; it cannot {verb}")
        self.workflow_id = workflow_id
        self.verb = verb
        self.status = status


class ErrorGroupNotFound(JobsError):
    """No failure has this fingerprint, or retention has pruned their group."""

    def __init__(self, fingerprint: str) -> None:
        super().__init__(f"no group of failures has the fingerprint {shown(fingerprint)}")
        self.fingerprint = fingerprint


class Retry(Exception):
    """Raised by a handler: this attempt failed, try again `after` seconds from now.

    Without `after` the task's own backoff decides. The attempt counts.
    """

    def __init__(
        self, reason: str = "retry asked for by the handler", *, after: float | None = None
    ) -> None:
        super().__init__(reason)
        self.after = after


class Snooze(Exception):
    """Raised by a handler: not now, run again in `seconds`. The attempt does not count."""

    def __init__(self, seconds: float, reason: str = "snoozed by the handler") -> None:
        super().__init__(reason)
        self.seconds = seconds


class Cancel(Exception):
    """Raised by a handler: stop this job for good, as `cancelled`."""

    def __init__(self, reason: str = "cancelled by the handler") -> None:
        super().__init__(reason)


class PermanentError(Exception):
    """Raised by a handler: this attempt failed and no other will do better."""


class MissingExtra(JobsError):
    """Something was asked for that needs packages which are not installed."""

    def __init__(self, extra: str) -> None:
        super().__init__(f"this needs packages of an extra: pip install 'django-qforge[{extra}]'")
        self.extra = extra


class LeaseExpired(JobsError):
    """Stands in a task's history for an attempt whose worker was lost."""


class JobTimeout(BaseException):
    """Thrown into a handler's thread when its job has passed its deadline.

    Not an `Exception`, so that a handler's `except Exception` does not swallow it.
    """
