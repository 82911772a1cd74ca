"""The state table: every status, every legal arrow, and the shape of a row in each status.

The guard in the store, the check constraints, the diagram in the docs and the tests are all
built from the data below; nothing else in the project says what may follow what.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class JobStatus(StrEnum):
    BLOCKED = "blocked"
    SCHEDULED = "scheduled"
    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Verb(StrEnum):
    ENQUEUE = "enqueue"
    UNBLOCK = "unblock"
    PROMOTE = "promote"
    CLAIM = "claim"
    SUCCEED = "succeed"
    FAIL = "fail"
    RESCUE = "rescue"
    RELEASE = "release"
    CANCEL = "cancel"
    RETRY = "retry"


class EventKind(StrEnum):
    """The past tense of each verb, then the notes that change no status."""

    ENQUEUED = "enqueued"
    UNBLOCKED = "unblocked"
    PROMOTED = "promoted"
    CLAIMED = "claimed"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    RESCUED = "rescued"
    RELEASED = "released"
    CANCELLED = "cancelled"
    RETRIED = "retried"
    CANCEL_REQUESTED = "cancel_requested"
    LEASE_LOST = "lease_lost"


@dataclass(frozen=True, slots=True)
class Arrow:
    """One row of the state table. An empty `sources` means the job is new."""

    verb: Verb
    event: EventKind
    sources: frozenset[JobStatus]
    targets: frozenset[JobStatus]
    when: str


@dataclass(frozen=True, slots=True)
class Shape:
    """What a row must look like in one status."""

    leased: bool
    finished: bool


def _set(*statuses: JobStatus) -> frozenset[JobStatus]:
    return frozenset(statuses)


_B, _SC, _Q, _R = JobStatus.BLOCKED, JobStatus.SCHEDULED, JobStatus.QUEUED, JobStatus.RUNNING
_OK, _F, _X = JobStatus.SUCCEEDED, JobStatus.FAILED, JobStatus.CANCELLED

TRANSITIONS: Final[tuple[Arrow, ...]] = (
    Arrow(
        Verb.ENQUEUE,
        EventKind.ENQUEUED,
        _set(),
        _set(_Q, _SC, _B, _OK),
        "asked for; succeeded when a rerun keeps its result",
    ),
    Arrow(Verb.UNBLOCK, EventKind.UNBLOCKED, _set(_B), _set(_Q, _SC), "last dependency closed"),
    Arrow(Verb.PROMOTE, EventKind.PROMOTED, _set(_SC), _set(_Q), "due, or told to run now"),
    Arrow(Verb.CLAIM, EventKind.CLAIMED, _set(_Q), _set(_R), "taken by a worker"),
    Arrow(Verb.SUCCEED, EventKind.SUCCEEDED, _set(_R), _set(_OK), "handler returned"),
    Arrow(
        Verb.FAIL, EventKind.FAILED, _set(_R), _set(_SC, _Q, _F, _X), "handler raised or timed out"
    ),
    Arrow(Verb.RESCUE, EventKind.RESCUED, _set(_R), _set(_SC, _Q, _F, _X), "lease expired"),
    Arrow(Verb.RELEASE, EventKind.RELEASED, _set(_R), _set(_Q, _SC, _X), "shutdown or snooze"),
    Arrow(Verb.CANCEL, EventKind.CANCELLED, _set(_R, _B, _SC, _Q), _set(_X), "stopped on purpose"),
    Arrow(
        Verb.RETRY,
        EventKind.RETRIED,
        _set(_F, _X),
        _set(_Q, _B),
        "asked to try again; blocked while a dependency is open",
    ),
)

ARROWS: Final[dict[Verb, Arrow]] = {arrow.verb: arrow for arrow in TRANSITIONS}

SHAPE: Final[dict[JobStatus, Shape]] = {
    _B: Shape(leased=False, finished=False),
    _SC: Shape(leased=False, finished=False),
    _Q: Shape(leased=False, finished=False),
    _R: Shape(leased=True, finished=False),
    _OK: Shape(leased=False, finished=True),
    _F: Shape(leased=False, finished=True),
    _X: Shape(leased=False, finished=True),
}

WAITING: Final = _set(_B, _SC, _Q)
TERMINAL: Final = frozenset(status for status, shape in SHAPE.items() if shape.finished)


class WorkflowStatus(StrEnum):
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


class ErrorGroupStatus(StrEnum):
    """What people have decided about failures that are alike."""

    OPEN = "open"
    IGNORED = "ignored"
    RESOLVED = "resolved"
    """Until it is seen again."""


class OnFailure(StrEnum):
    """What becomes of the steps below one that ended failed or cancelled."""

    CANCEL = "cancel"
    CONTINUE = "continue"


def ended_as(
    *, failed: int, cancelled: int, tolerated_failures: int, tolerated_cancels: int, stopped: bool
) -> WorkflowStatus:
    """The status of a workflow none of whose steps is open, from how many ended in which way.

    Tolerated are steps whose `on_failure` is `continue`; they are counted in both numbers.
    `stopped` says that somebody cancelled the whole workflow.
    """
    if stopped and cancelled:
        return WorkflowStatus.CANCELLED
    if failed > tolerated_failures:
        return WorkflowStatus.FAILED
    if cancelled > tolerated_cancels:
        return WorkflowStatus.CANCELLED
    return WorkflowStatus.SUCCEEDED


class OperationStatus(StrEnum):
    """Of an action on many jobs."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    CANCELLED = "cancelled"
    FAILED = "failed"


class BulkAction(StrEnum):
    """What may be done to many jobs at once, in the words of the paths of the API."""

    RETRY = "retry"
    CANCEL = "cancel"
    RUN_NOW = "run-now"
    DELETE = "delete"


VERB_OF: Final[dict[BulkAction, Verb]] = {
    BulkAction.RETRY: Verb.RETRY,
    BulkAction.CANCEL: Verb.CANCEL,
    BulkAction.RUN_NOW: Verb.PROMOTE,
}
"""The verb behind an action; a delete has none, since it leaves no job to be in a status."""


def open_to(action: BulkAction) -> list[JobStatus]:
    """The statuses of jobs an action may be done to, in the order of the enum."""
    if action is BulkAction.DELETE:
        return [status for status in JobStatus if status in TERMINAL]
    return sources(VERB_OF[action])


def sources(verb: Verb) -> list[JobStatus]:
    """The statuses `verb` may start from, in the order of the enum."""
    return [status for status in JobStatus if status in ARROWS[verb].sources]


def allowed_verbs(status: JobStatus) -> list[Verb]:
    """The verbs the table allows from `status`, in the order of the enum."""
    return [verb for verb in Verb if status in ARROWS[verb].sources]
