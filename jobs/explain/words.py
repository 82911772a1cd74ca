"""What a reason is, and the words they share."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from jobs.explain.facts import Facts


class Code(StrEnum):
    """What holds a job up, a stable word for programs."""

    QUEUE_PAUSED = "queue-paused"
    NO_LIVE_WORKER = "no-live-worker"
    TASK_NOT_REGISTERED = "task-not-registered"
    WAITING_FOR_STEPS = "waiting-for-steps"
    AVAILABLE_LATER = "available-later"
    NEXT_TRY_LATER = "next-try-later"
    GIVEN_BACK = "given-back"
    JOBS_AHEAD = "jobs-ahead"
    NEXT_IN_LINE = "next-in-line"
    RUNNING = "running"
    CANCEL_REQUESTED = "cancel-requested"
    LEASE_EXPIRED = "lease-expired"
    SUCCEEDED = "succeeded"
    ATTEMPTS_SPENT = "attempts-spent"
    PERMANENT_ERROR = "permanent-error"
    CANCELLED = "cancelled"


_UNITS: Final = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason. `summary` is a sentence for people, `facts` are its parts for programs."""

    code: Code
    summary: str
    facts: dict[str, Any]


def since(facts: Facts, at: dt.datetime | None) -> float:
    return max((facts.now - at).total_seconds(), 0.0) if at is not None else 0.0


def spoken(seconds: float) -> str:
    """A time span in its largest unit and the next: `14 s`, `3 min 5 s`, `2 h`, `5 d 1 h`."""
    left, parts = round(seconds), list[str]()
    for size, unit in _UNITS:
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count} {unit}")
        if parts and (not count or len(parts) == 2):
            break
    return " ".join(parts) or "0 s"


def number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def because(words: str) -> str:
    # The sentence brings its own full stop.
    return f": {words.rstrip('.')}" if words else ""


def by(name: str) -> str:
    return f" by {name}" if name else ""
