"""The tick: one job for each fire time, whatever the number of pools that tick.

Each schedule is its own transaction: the row is locked, passed over by whoever finds it locked,
its jobs are inserted under keys made of the fire time, and the row moves on to the next one. The
lock spares the work, the key is the guarantee. The one clock is the database's, read by the
statement that locks the row.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any, Final

from django.db import connections, transaction
from django.db.models import Q
from django.db.models.functions import Now

from jobs import instrument, lifecycle, registry
from jobs.errors import InvalidInput
from jobs.models import Schedule
from jobs.payload import clean_text
from jobs.schedules.actions import open_job
from jobs.schedules.definition import job_of, keyed
from jobs.schedules.plan import Plan, plan
from jobs.store import clock
from jobs.timing import Overlap

BATCH: Final = 10
"""A pass holds the connection that the pool's threads claim with, so it is kept short."""
BROKEN: Final = "broken: "
"""Begins the reason of a schedule that has disabled itself."""

UNKNOWN_TASK_PATIENCE: Final = dt.timedelta(seconds=300)
"""While a release is rolled out, old pools do not know the tasks of new schedules and must leave
those to the new pools. After this time nobody seems to know them."""

_REASON_CHARS: Final = 1000


@dataclass(frozen=True, slots=True)
class _Told:
    event: str
    fields: dict[str, Any]


def run_once(using: str, *, limit: int = BATCH) -> float | None:
    """Serve up to `limit` schedules that are due.

    Returns the seconds until another is, by the database's clock: 0 when there may be more now,
    None when no enabled schedule has a time to come. A schedule that is wrong disables itself and
    one the database refuses is put aside; neither stops the others. Raises what the database
    raises when it cannot be reached.
    """
    started = clock.now(using)
    known = [task.name for task in registry.all_tasks()]
    aside: list[int] = []
    served = 0
    while served < limit:
        told = _serve_next(using, known, aside)
        if told is None:
            return _seconds_to_next(using, started)
        instrument.emit(told.event, **told.fields)
        served += told.event != "schedule.failed"
    return 0.0


def _serve_next(using: str, known: list[str], aside: list[int]) -> _Told | None:
    row, session = None, connections[using].connection
    try:
        with transaction.atomic(using=using):
            row = _lock_due(using, known, aside)
            return None if row is None else _serve(using, row)
    except Exception as error:
        # Django may have opened another connection by now: then it was not the row's fault.
        if row is None or connections[using].connection is not session:
            raise
        aside.append(row.pk)
        return _Told("schedule.failed", {"schedule": row.name, "error": str(error)})


def _lock_due(using: str, known: list[str], aside: list[int]) -> Any:
    """The schedule that is due for longest, locked, with the time of this statement as `clock`."""
    rows = (
        Schedule.objects.using(using)
        .filter(enabled=True)
        .filter(Q(next_run_at__isnull=True) | Q(next_run_at__lte=Now()))
        .filter(
            Q(task__in=known)
            | Q(next_run_at__isnull=True)
            | Q(next_run_at__lte=Now() - UNKNOWN_TASK_PATIENCE)
        )
        .exclude(pk__in=aside)
        .annotate(clock=Now())
        .order_by("next_run_at", "pk")
    )
    if connections[using].features.has_select_for_update_skip_locked:
        rows = rows.select_for_update(skip_locked=True)
    return rows.first()


def _serve(using: str, row: Any) -> _Told:
    previous = open_job(using, row) if row.overlap == Overlap.SKIP else None
    try:
        planned = plan(row, row.clock, open_job=previous)
        # Checked even when no job is wanted now: what is wrong should show at the first fire time.
        job = None if row.next_run_at is None else job_of(row)
    except Exception as error:
        return _disable(using, row, error)
    values: dict[str, Any] = {"next_run_at": planned.next_run_at}
    enqueued = []
    if planned.fires and job is not None:
        wanted = [keyed(job, row.pk, _stamp(at)) for at in planned.fires]
        enqueued = [answer.id for answer in lifecycle.enqueue(using, wanted)]
        values |= {"last_run_at": planned.fires[-1], "last_job_id": enqueued[-1]}
    if planned.skipped_at is not None:
        values |= {
            "last_skipped_at": planned.skipped_at,
            "last_skip_reason": planned.skip_reason,
        }
    Schedule.objects.using(using).filter(pk=row.pk).update(**values)
    return _told(row, planned, enqueued)


def _stamp(at: dt.datetime) -> str:
    return at.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _disable(using: str, row: Any, error: Exception) -> _Told:
    text = str(error) if isinstance(error, InvalidInput) else f"{type(error).__name__}: {error}"
    reason = clean_text(BROKEN + text, _REASON_CHARS)
    Schedule.objects.using(using).filter(pk=row.pk).update(
        enabled=False, disabled_reason=reason, next_run_at=None, updated_at=Now()
    )
    return _Told("schedule.disabled", {"schedule": row.name, "reason": reason})


def _told(row: Any, planned: Plan, enqueued: list[int]) -> _Told:
    fields = {
        "schedule": row.name,
        "jobs": enqueued,
        "fire_times": [_stamp(at) for at in planned.fires],
        "skip_reason": planned.skip_reason,
        "next_run_at": _stamp(planned.next_run_at),
    }
    if enqueued:
        return _Told("schedule.enqueued", fields)
    return _Told("schedule.skipped" if planned.skip_reason else "schedule.planned", fields)


def _seconds_to_next(using: str, started: dt.datetime) -> float | None:
    # From the start of the pass, so that what became due since is not passed over; not from
    # before, since what another pool has locked or this one put aside would keep it spinning.
    following = (
        Schedule.objects.using(using)
        .filter(enabled=True, next_run_at__gt=started)
        .order_by("next_run_at")
        .values_list("next_run_at", flat=True)
        .first()
    )
    if following is None:
        return None
    return max((following - clock.now(using)).total_seconds(), 0.0)
