"""Jobs of a load test as the database would have them, made by hand to be right or wrong."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from jobs.management.loadtest.facts import Event, JobFacts
from jobs.management.loadtest.plan import PlannedJob
from jobs.tasks import FLAKY, NOOP

RUN = "run-1"
START = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)


def at(seconds: float) -> dt.datetime:
    return START + dt.timedelta(seconds=seconds)


def planned(number: int = 0, **fields: Any) -> PlannedJob:
    values: dict[str, Any] = {
        "number": number,
        "task": FLAKY if fields.get("failures") else NOOP,
        "work_seconds": 0.0,
        "priority": 0,
        "delay_seconds": 0.0,
        "failures": 0,
    }
    return PlannedJob(**values | fields)


def token(attempt: int) -> uuid.UUID:
    return uuid.UUID(int=attempt)


def events(*rows: tuple[str, float, int]) -> list[Event]:
    """Events out of (kind, seconds, attempt), each attempt with a lease of its own."""
    runs = {"succeeded": 0.01, "failed": 0.01}
    return [
        Event(n, kind, at(seconds), attempt, token(attempt) if attempt else None, runs.get(kind))
        for n, (kind, seconds, attempt) in enumerate(rows, 1)
    ]


def facts(plan: PlannedJob, job_id: int = 100, **fields: Any) -> JobFacts:
    """What a faultless queue makes of `plan`: an attempt a second, from the due time on."""
    due = plan.delay_seconds
    rows: list[tuple[str, float, int]] = [("enqueued", 0, 0)]
    for attempt in range(1, plan.attempts + 1):
        failed = attempt <= plan.failures
        rows.append(("claimed", due + attempt, attempt))
        rows.append(("failed" if failed else "succeeded", due + attempt + 0.02, attempt))
    values: dict[str, Any] = {
        "id": job_id,
        "run": RUN,
        "number": plan.number,
        "status": plan.status.value,
        "attempts": plan.attempts,
        "max_attempts": 3,
        "created_at": START,
        "finished_at": at(due + plan.attempts + 0.02),
        "events": events(*rows),
    }
    return JobFacts(**values | fields)
