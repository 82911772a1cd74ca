"""What the database knows of the jobs of a load test: their rows and their events."""

from __future__ import annotations

import datetime as dt
import uuid
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from jobs.models import Job, JobEvent
from jobs.states import EventKind

_CHUNK = 1000

ENDS = frozenset(
    {
        EventKind.SUCCEEDED,
        EventKind.FAILED,
        EventKind.RESCUED,
        EventKind.RELEASED,
        EventKind.CANCELLED,
    }
)
"""The events that end an attempt."""


@dataclass(frozen=True, slots=True)
class Event:
    id: int
    kind: str
    at: dt.datetime
    attempt: int
    token: uuid.UUID | None
    run_seconds: float | None
    """How long the handler ran, where the event says so."""


@dataclass(slots=True)
class JobFacts:
    """One job as the database has it; all times are the database's."""

    id: int
    run: str
    number: int
    status: str
    attempts: int
    max_attempts: int
    created_at: dt.datetime
    finished_at: dt.datetime | None
    events: list[Event] = field(default_factory=list)

    def of_kind(self, *kinds: str) -> list[Event]:
        return [event for event in self.events if event.kind in kinds]


def read(using: str, ids: Sequence[int]) -> dict[int, JobFacts]:
    """The jobs of these ids that exist, with their events in the order they were written."""
    found: dict[int, JobFacts] = {}
    for start in range(0, len(ids), _CHUNK):
        chunk = ids[start : start + _CHUNK]
        events = _events(using, chunk)
        for row in (
            Job.objects.using(using)
            .filter(pk__in=chunk)
            .only("status", "attempts", "max_attempts", "created_at", "finished_at", "payload")
        ):
            found[row.pk] = JobFacts(
                id=row.pk,
                run=str(row.payload.get("run")),
                number=row.payload.get("number", -1),
                status=row.status,
                attempts=row.attempts,
                max_attempts=row.max_attempts,
                created_at=row.created_at,
                finished_at=row.finished_at,
                events=events[row.pk],
            )
    return found


def _events(using: str, ids: Sequence[int]) -> dict[int, list[Event]]:
    by_job: dict[int, list[Event]] = defaultdict(list)
    rows = JobEvent.objects.using(using).filter(job_id__in=ids).order_by("job_id", "id")
    columns = ("job_id", "id", "kind", "at", "attempt", "lease_token", "data")
    for job_id, pk, kind, at, attempt, token, data in rows.values_list(*columns):
        by_job[job_id].append(Event(pk, kind, at, attempt, token, _run_seconds(data)))
    return by_job


def _run_seconds(data: Any) -> float | None:
    seconds = data.get("run_seconds") if isinstance(data, dict) else None
    return float(seconds) if isinstance(seconds, int | float) else None
