"""Plain values that cross the layers: what goes into the tables and what comes out."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass, field
from typing import Any

from jobs.states import EventKind, JobStatus, Verb


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


@dataclass(frozen=True, slots=True)
class EnqueuedJob:
    """The answer to an enqueue. `created` is False when the idempotency key had a job already."""

    id: int
    status: JobStatus
    created: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """A job this process now owns, for as long as `token` is the row's lease token."""

    id: int
    token: uuid.UUID
    task: str
    queue: str
    payload: dict[str, Any]
    args: list[Any]
    attempt: int
    max_attempts: int
    timeout_seconds: float | None
    waited_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True)
class Written:
    """An outcome as the database took it."""

    job_id: int
    token: uuid.UUID
    status: JobStatus


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


def succeeded(job: Claimed, result: str | None, *, run_seconds: float) -> Outcome:
    """The handler returned; `result` is JSON text."""
    return Outcome(
        job_id=job.id,
        token=job.token,
        verb=Verb.SUCCEED,
        result=result,
        data={"run_seconds": run_seconds},
    )


def failed(
    job_id: int,
    token: uuid.UUID,
    *,
    error: str,
    delay_seconds: float | None,
    data: dict[str, Any],
    verb: Verb = Verb.FAIL,
) -> Outcome:
    """The attempt failed. `delay_seconds` None means no other attempt could help."""
    return Outcome(
        job_id=job_id,
        token=token,
        verb=verb,
        error=error,
        delay_seconds=float(delay_seconds or 0),
        permanent=delay_seconds is None,
        data=data,
    )


def released(job_id: int, token: uuid.UUID, *, reason: str, delay_seconds: float = 0.0) -> Outcome:
    """The attempt is given back, unspent."""
    return Outcome(
        job_id=job_id,
        token=token,
        verb=Verb.RELEASE,
        delay_seconds=float(delay_seconds),
        data={"reason": reason},
    )


def cancelled(job: Claimed, *, reason: str) -> Outcome:
    """The handler stopped on request."""
    return Outcome(job_id=job.id, token=job.token, verb=Verb.CANCEL, data={"reason": reason})
