"""Schedules for tests, and what became of them."""

from __future__ import annotations

import datetime as dt
from typing import Any

from jobs.models import Job, Schedule
from jobs.schedules import actions, tick
from jobs.schedules.definition import Definition

USING = "default"


def made(name: str = "nightly", **fields: Any) -> Schedule:
    """A schedule added as the API adds it; every minute unless `fields` say otherwise."""
    if "interval_seconds" not in fields:
        fields.setdefault("cron", "* * * * *")
    fields.setdefault("timezone", "UTC")
    fields.setdefault("task", "tests.report")
    return actions.create(USING, Definition(name=name, **fields))


def ticked() -> float | None:
    """One pass that serves all that is due."""
    return tick.run_once(USING, limit=1000)


def fired(schedule: Schedule) -> list[str]:
    """The fire times that got a job, in the order of the jobs, as `01 12:00:00`."""
    prefix = f"schedule:{schedule.pk}:"
    keys = Job.objects.order_by("pk").values_list("idempotency_key", flat=True)
    stamps = [key.removeprefix(prefix) for key in keys if key and key.startswith(prefix)]
    times = [dt.datetime.fromisoformat(stamp) for stamp in stamps if not stamp.startswith("now:")]
    return [at.strftime("%d %H:%M:%S") for at in times]


def fresh(schedule: Schedule) -> Schedule:
    return Schedule.objects.get(pk=schedule.pk)


def minutes(count: int, hour: int = 12, start: int = 0) -> list[str]:
    """As `fired` shows so many fire times in a row."""
    return [f"01 {hour}:{n:02}:00" for n in range(start, start + count)]
