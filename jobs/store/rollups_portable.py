"""The sums on any other database, an event at a time: what `rollups` does in one statement."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from django.utils import timezone

from jobs.conf import conf
from jobs.histogram import bucket
from jobs.models import JobEvent, Rollup, TaskRollup
from jobs.models.rollup import MAXIMA, SPANS_SECONDS, SUMS, RollupOutcome
from jobs.states import TERMINAL, EventKind

_HOUR = 3600
_ASKED = (EventKind.ENQUEUED, EventKind.RETRIED)
_ENDED = (EventKind.FAILED, EventKind.RESCUED)


class _Event(NamedTuple):
    at: dt.datetime
    task: str
    queue: str
    outcome: str
    wait: float | None
    run: float | None


def add(using: str, event_ids: Sequence[int]) -> None:
    now = timezone.now()
    by_queue = now - dt.timedelta(seconds=conf.ROLLUP_RETENTION_SECONDS)
    by_task = now - dt.timedelta(seconds=conf.ROLLUP_TASK_RETENTION_SECONDS)
    for event in _events(using, event_ids):
        if event.at > by_queue:
            for span in SPANS_SECONDS:
                key = {"span_seconds": span, "at": _begin(event.at, span), "queue": event.queue}
                _count(Rollup.objects.using(using), key, event)
        if event.at > by_task:
            key = {"at": _begin(event.at, _HOUR), "task": event.task}
            _count(TaskRollup.objects.using(using), key, event)


def _events(using: str, event_ids: Sequence[int]) -> Iterator[_Event]:
    names = ("kind", "at", "from_status", "to_status", "data", "job__task", "job__queue")
    rows = JobEvent.objects.using(using).filter(pk__in=event_ids).order_by("pk")
    for kind, at, before, after, data, task, queue in rows.values_list(*names):
        outcome = _outcome(kind, before, after)
        if outcome is not None:
            times = (_seconds(data, "wait_seconds"), _seconds(data, "run_seconds"))
            yield _Event(at, task, queue, outcome, *times)


def _outcome(kind: str, before: str, after: str) -> str | None:
    if kind in _ASKED:
        return None if after in TERMINAL else RollupOutcome.ENQUEUED.value
    if after in TERMINAL:
        return after if before not in ("", after) else None
    return RollupOutcome.RETRYING.value if kind in _ENDED else None


def _seconds(data: Any, key: str) -> float | None:
    value = data.get(key) if isinstance(data, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return max(float(value), 0.0)


def _begin(at: dt.datetime, span_seconds: int) -> dt.datetime:
    return dt.datetime.fromtimestamp(at.timestamp() // span_seconds * span_seconds, dt.UTC)


def _count(rows: Any, key: dict[str, Any], event: _Event) -> None:
    one: dict[str, float] = {"jobs": 1}
    for name, seconds in (("wait", event.wait), ("run", event.run)):
        if seconds is not None:
            one |= {f"{name}_sum": seconds, f"{name}_max": seconds}
            one[f"{name}_{bucket(seconds)}"] = 1
    row, created = rows.get_or_create(**key, outcome=event.outcome, defaults=one)
    if created:
        return
    for column in SUMS:
        setattr(row, column, getattr(row, column) + one.get(column, 0))
    for column in MAXIMA:
        setattr(row, column, max(getattr(row, column), one.get(column, 0.0)))
    row.save()
