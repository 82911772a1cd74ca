"""What a schedule should do at a moment, worked out without a database."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Final

from jobs import timing
from jobs.errors import InvalidInput
from jobs.models import Schedule
from jobs.schedules.definition import timing_of
from jobs.timing import Missed, Overlap

LATE: Final = dt.timedelta(seconds=60)
"""A fire time found later than this was missed; before, the worker was merely busy."""

_MOMENT: Final = dt.timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Plan:
    """Fire times to enqueue now, and when to look again."""

    fires: tuple[dt.datetime, ...]
    next_run_at: dt.datetime
    skipped_at: dt.datetime | None = None
    """The first fire time that gets no job."""
    skip_reason: str = ""


def plan(schedule: Schedule, now: dt.datetime, *, open_job: int | None) -> Plan:
    """The plan of a schedule that is due or new.

    `open_job` is the schedule's previous job if that has not ended. Fire times are those of the
    row as it stands, from `next_run_at` on: one that was edited since fires at no old time. Raises
    InvalidInput for a row that can have no plan.
    """
    fires = timing_of(schedule, now)
    following = fires.after(now)
    if following is None:
        raise InvalidInput("cron", f"{schedule.cron!r} has no fire time after {now:%Y-%m-%d}")
    first = schedule.next_run_at and fires.after(schedule.next_run_at - _MOMENT)
    if first is None or first > now:
        return Plan((), following)
    if schedule.overlap == Overlap.SKIP and open_job is not None:
        return Plan((), following, first, f"overlap: job {open_job} had not ended")
    chosen = _choose(schedule, fires, first, now)
    if chosen and chosen[0] == first:
        return Plan(chosen, following)
    late = (now - first).total_seconds()
    return Plan(chosen, following, first, f"missed: found {late:,.0f} seconds late")


def _choose(
    schedule: Schedule, fires: timing.Timing, first: dt.datetime, now: dt.datetime
) -> tuple[dt.datetime, ...]:
    if schedule.missed == Missed.SKIP and now - first > LATE:
        return ()
    # With overlap `skip` the first job of a batch would be open when the second comes.
    many = schedule.missed == Missed.ALL and schedule.overlap == Overlap.ALLOW
    limit = schedule.missed_limit if many else 1
    return tuple(timing.due(fires, first=first, now=now, limit=limit))


def next_runs(fires: timing.Timing, now: dt.datetime, count: int) -> list[dt.datetime]:
    """The next `count` fire times, in UTC."""
    found: list[dt.datetime] = []
    while len(found) < count and (following := fires.after(now)) is not None:
        found.append(following)
        now = following
    return found
