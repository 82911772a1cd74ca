"""A workflow on a time axis: for each step the stretches of its life, made of its events."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any, Final

from django.db.models import F

from jobs.api.fields import utc_text
from jobs.models import Job, JobEvent
from jobs.states import TERMINAL, EventKind, JobStatus
from jobs.store import clock
from jobs.workflows.critical import critical_path

DEFAULT_LIMIT: Final = 200
MAX_LIMIT: Final = 500
MAX_SPANS: Final = 100
"""Of one step; the latest are shown."""
_MAX_EVENTS: Final = 50_000
_JOB: Final = ("id", "step_name", "task", "status", "attempts", "started_at", "finished_at")
_EVENT: Final = ("job_id", "kind", "at", "from_status", "to_status", "attempt", "worker")

Event = Mapping[str, Any]


def document(using: str, workflow_id: int, steps: int, offset: int, limit: int) -> dict[str, Any]:
    """Steps `offset` to `offset + limit` in the order in which they started, ready to be sent.

    A workflow's steps are bounded, and they are read by its own index, so an offset is cheap.
    """
    found = (
        Job.objects.using(using)
        .filter(workflow_id=workflow_id)
        .order_by(F("started_at").asc(nulls_last=True), "id")
        .values(*_JOB)[offset : offset + limit]
    )
    rows = list(found)
    events = _events(using, [row["id"] for row in rows])
    end = offset + len(rows)
    return {
        "steps": steps,
        "now": utc_text(clock.now(using)),
        "critical_path": critical_path(using, workflow_id),
        "results": [_row(row, events.get(row["id"], [])) for row in rows],
        "next_offset": end if rows and end < steps else None,
    }


def _events(using: str, ids: Sequence[int]) -> dict[int, list[Event]]:
    found = JobEvent.objects.using(using).filter(job_id__in=ids).order_by("job_id", "id")
    rows = found.values(*_EVENT)[:_MAX_EVENTS]
    return {job: list(own) for job, own in groupby(rows, key=itemgetter("job_id"))}


def _row(row: Mapping[str, Any], events: Iterable[Event]) -> dict[str, Any]:
    found = spans(events)
    return {
        "job": row["id"],
        "step": row["step_name"],
        "task": row["task"],
        "status": row["status"],
        "attempts": row["attempts"],
        "finished_at": row["finished_at"] and utc_text(row["finished_at"]),
        "spans": found[-MAX_SPANS:],
        "spans_left_out": max(len(found) - MAX_SPANS, 0),
    }


def spans(events: Iterable[Event]) -> list[dict[str, Any]]:
    """The stretches between the events that changed the status, which are in their order.

    `to` is None for the one that goes on. None is negative, even when the clock went back.
    """
    changes = [
        event
        for event in events
        if event["from_status"] != event["to_status"] or event["kind"] == EventKind.RETRIED
    ]
    following: list[tuple[Event, Event | None]] = [*pairwise(changes)]
    if changes:
        following.append((changes[-1], None))
    return [_span(event, end) for event, end in following if event["to_status"] not in TERMINAL]


def _span(event: Event, end: Event | None) -> dict[str, Any]:
    running = event["to_status"] == JobStatus.RUNNING
    begin: dt.datetime = event["at"]
    return {
        "status": event["to_status"],
        "retry": event["to_status"] == JobStatus.SCHEDULED
        and event["attempt"] > 0
        and event["kind"] != EventKind.RELEASED,
        "attempt": event["attempt"],
        "worker": event["worker"] if running else "",
        "from": utc_text(begin),
        "to": None if end is None else utc_text(max(end["at"], begin)),
        "ended_by": end["kind"] if running and end is not None else None,
        "ended_as": end["to_status"] if running and end is not None else None,
    }
