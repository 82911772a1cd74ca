"""Plain values that cross the layers: what goes into the tables and what comes out.

Nobody changes one. Those made anew for every job are not frozen all the same: a frozen dataclass
takes three times as long to make.
"""

from __future__ import annotations

import datetime as dt
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from jobs.fingerprint import Failure
from jobs.states import EventKind, JobStatus, OnFailure, Verb

UNKNOWN_WORKFLOW: Final = 0
"""Of a job whose row must be asked which workflow it belongs to."""


def time_of(epoch: float | None) -> dt.datetime | None:
    """A time from its seconds since 1970, exact to the microsecond."""
    return None if epoch is None else dt.datetime.fromtimestamp(epoch, dt.UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewJob:
    """A job to insert, checked and encoded. `payload` and `args` are JSON text."""

    task: str
    queue: str
    payload: str
    args: str
    priority: int
    max_attempts: int
    timeout_seconds: float | None = None
    delay_seconds: float | None = None
    available_at: dt.datetime | None = None
    idempotency_key: str | None = None
    idempotency_hash: str = ""
    tasks_backend: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewStep:
    """A step to insert: its job, checked and encoded, and the names of its parents."""

    name: str
    job: NewJob
    after: Sequence[str] = ()
    before: Sequence[str] = ()
    """Steps of a running workflow that must wait for this one too. Only for appended steps."""
    on_failure: OnFailure = OnFailure.CANCEL


@dataclass(frozen=True, slots=True)
class StepRow:
    """A step as it enters the table."""

    step: NewStep
    open_dependencies: int
    kept_from: int | None = None
    """The job whose result a rerun keeps: the step is there as succeeded and does not run."""


@dataclass(frozen=True, slots=True)
class Closed:
    """What the end of some steps has brought about."""

    queues: frozenset[str]
    """Queues in which a step can be claimed now."""
    scheduled: bool
    """Some step is to start at a later time."""


@dataclass(frozen=True, slots=True)
class EnqueuedJob:
    """The answer to an enqueue. `created` is False when the idempotency key had a job already."""

    id: int
    status: JobStatus
    created: bool
    created_at: dt.datetime | None = None
    """Of a job that was created."""
    run_after: dt.datetime | None = None
    """As on the job."""


class InsertedJob(NamedTuple):
    """What the database has made of a new job."""

    id: int
    status: str
    created_epoch: float
    run_after_epoch: float | None


@dataclass(slots=True, kw_only=True)
class Claimed:
    """A job this process now owns, for as long as `token` is the row's lease token."""

    id: int
    token: uuid.UUID
    task: str
    queue: str
    payload_json: str
    args_json: str
    attempt: int
    max_attempts: int
    timeout_seconds: float | None
    waited_seconds: float
    workflow_id: int | None = None
    step_name: str = ""
    priority: int = 0
    worker: str = ""
    """The pool that holds it."""
    tasks_backend: str = ""
    run_after_epoch: float | None = None
    created_epoch: float | None = None
    started_epoch: float | None = None
    """When this attempt was claimed, in seconds since 1970."""

    @property
    def run_after(self) -> dt.datetime | None:
        return time_of(self.run_after_epoch)

    @property
    def created_at(self) -> dt.datetime | None:
        return time_of(self.created_epoch)

    @property
    def started_at(self) -> dt.datetime | None:
        return time_of(self.started_epoch)

    @property
    def payload(self) -> dict[str, Any]:
        """Decoded where the job runs, so that one which cannot be harms no other.

        Raises RecursionError for one nested deeper than Python can read.
        """
        decoded: dict[str, Any] = json.loads(self.payload_json)
        return decoded

    @property
    def args(self) -> list[Any]:
        """Positional arguments; as `payload`."""
        decoded: list[Any] = json.loads(self.args_json)
        return decoded


@dataclass(slots=True, kw_only=True)
class Outcome:
    """How an attempt ended. Made by the constructors below; `store.transitions` writes it."""

    job_id: int
    token: uuid.UUID
    verb: Verb
    result: str | None = None
    """JSON text of the handler's return value."""
    error: str = ""
    delay_seconds: float = 0.0
    permanent: bool = False
    data: dict[str, Any] = field(default_factory=dict)
    """What the event remembers."""
    workflow_id: int | None = UNKNOWN_WORKFLOW
    """The workflow the job is a step of, which is locked before the outcome is written."""
    appended: Sequence[NewStep] = ()
    """Steps that join the workflow if and only if this outcome is written."""
    failure: Failure | None = None
    """What a failed attempt is counted as, in the group of those like it."""

    @property
    def fingerprint(self) -> str:
        return "" if self.failure is None else self.failure.fingerprint


@dataclass(slots=True)
class Written:
    """An outcome as the database took it."""

    job_id: int
    token: uuid.UUID
    status: JobStatus
    workflow_id: int | None = None


@dataclass(frozen=True, slots=True)
class SeenFailures:
    """Failures of one fingerprint that are counted at once."""

    failure: Failure
    """The latest of them."""
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    job_id: int
    kind: EventKind
    from_status: str
    to_status: str
    attempt: int = 0
    worker: str = ""
    lease_token: uuid.UUID | None = None
    data: dict[str, Any] = field(default_factory=dict)


def took(job: Claimed, run_seconds: float) -> dict[str, float]:
    """What the event of an attempt's end remembers of its times."""
    return {"run_seconds": run_seconds, "wait_seconds": round(job.waited_seconds, 6)}


def succeeded(
    job: Claimed, result: str | None, *, run_seconds: float, appended: Sequence[NewStep] = ()
) -> Outcome:
    """The handler returned; `result` is JSON text."""
    return Outcome(
        job_id=job.id,
        token=job.token,
        verb=Verb.SUCCEED,
        result=result,
        data=took(job, run_seconds),
        workflow_id=job.workflow_id,
        appended=appended,
    )


def failed(
    job_id: int,
    token: uuid.UUID,
    *,
    error: str,
    delay_seconds: float | None,
    data: dict[str, Any],
    verb: Verb = Verb.FAIL,
    workflow_id: int | None = UNKNOWN_WORKFLOW,
    failure: Failure | None = None,
) -> Outcome:
    """The attempt failed. `delay_seconds` None means no other attempt could help."""
    if failure is not None:
        data = data | {"error": {**data.get("error", {}), "fingerprint": failure.fingerprint}}
    return Outcome(
        job_id=job_id,
        token=token,
        verb=verb,
        error=error,
        delay_seconds=float(delay_seconds or 0),
        permanent=delay_seconds is None,
        data=data,
        workflow_id=workflow_id,
        failure=failure,
    )


def released(
    job_id: int,
    token: uuid.UUID,
    *,
    reason: str,
    delay_seconds: float = 0.0,
    workflow_id: int | None = UNKNOWN_WORKFLOW,
) -> Outcome:
    """The attempt is given back, unspent."""
    return Outcome(
        job_id=job_id,
        token=token,
        verb=Verb.RELEASE,
        delay_seconds=float(delay_seconds),
        data={"reason": reason},
        workflow_id=workflow_id,
    )


def cancelled(job: Claimed, *, reason: str) -> Outcome:
    """The handler stopped on request."""
    return Outcome(
        job_id=job.id,
        token=job.token,
        verb=Verb.CANCEL,
        data={"reason": reason},
        workflow_id=job.workflow_id,
    )
