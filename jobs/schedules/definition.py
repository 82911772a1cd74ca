"""What a schedule is made of: checked on the way in, and turned into jobs on the way out."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from jobs import registry, timing
from jobs.conf import default_timezone
from jobs.errors import InvalidInput
from jobs.models import Schedule
from jobs.specs import SCHEDULE_KEY_PREFIX, JobSpec, prepare
from jobs.store.values import NewJob

_DEFAULTS: Final = timing.DEFAULTS

TIMES: Final = frozenset({"cron", "interval_seconds", "timezone", "missed", "missed_limit"})
"""Changing one of these starts the schedule anew, from now."""


@dataclass(frozen=True, kw_only=True)
class Definition:
    """A schedule as somebody asks for it. None stands for the task's own value."""

    name: str
    task: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    queue: str | None = None
    priority: int | None = None
    cron: str = _DEFAULTS["cron"]
    interval_seconds: int | None = _DEFAULTS["interval_seconds"]
    timezone: str | None = None
    """IANA name; None is the project's TIME_ZONE."""
    missed: str = _DEFAULTS["missed"]
    missed_limit: int = _DEFAULTS["missed_limit"]
    overlap: str = _DEFAULTS["overlap"]

    def columns(self) -> dict[str, Any]:
        """The values of the row. Raises InvalidInput naming the field."""
        timezone = default_timezone() if self.timezone is None else self.timezone
        times: dict[str, Any] = {
            "cron": " ".join(self.cron.split()) if isinstance(self.cron, str) else self.cron,
            "interval_seconds": self.interval_seconds,
            "timezone": timezone,
        }
        policy = {
            "missed": self.missed,
            "missed_limit": self.missed_limit,
            "overlap": self.overlap,
        }
        timing.check_times(times)
        timing.check_policy(policy)
        job = prepare(_spec(self.task, self.payload, self.queue, self.priority))
        return {
            "name": _check_name(self.name),
            "task": job.task,
            "payload": json.loads(job.payload),
            "queue": self.queue or "",
            "priority": self.priority,
            **times,
            **policy,
        }


def definition_of(schedule: Schedule) -> Definition:
    """The definition that a row holds."""
    return Definition(
        name=schedule.name,
        task=schedule.task,
        payload=schedule.payload,
        queue=schedule.queue or None,
        priority=schedule.priority,
        cron=schedule.cron,
        interval_seconds=schedule.interval_seconds,
        timezone=schedule.timezone,
        missed=schedule.missed,
        missed_limit=schedule.missed_limit,
        overlap=schedule.overlap,
    )


def timing_of(schedule: Schedule, now: dt.datetime) -> timing.Timing:
    """The fire times of a row. Raises InvalidInput."""
    return timing.timing(
        cron=schedule.cron,
        interval_seconds=schedule.interval_seconds,
        timezone=schedule.timezone,
        anchor=schedule.next_run_at or now,
    )


def job_of(schedule: Schedule) -> NewJob:
    """A job of the schedule, without its key. Raises InvalidInput."""
    return prepare(
        _spec(schedule.task, schedule.payload, schedule.queue or None, schedule.priority)
    )


def keyed(job: NewJob, schedule_id: int, part: str) -> NewJob:
    """The job under a key that nobody outside can ask for.

    The fingerprint is the key's own: whoever comes second with the same fire time finds the first
    one's job, even if the schedule was edited in between.
    """
    key = f"{SCHEDULE_KEY_PREFIX}{schedule_id}:{part}"
    return replace(job, idempotency_key=key, idempotency_hash="schedule")


def _spec(
    task: str, payload: Mapping[str, Any], queue: str | None, priority: int | None
) -> JobSpec:
    return JobSpec(task=task, payload=payload, queue=queue, priority=priority)


def _check_name(name: Any) -> str:
    if not isinstance(name, str) or not registry.NAME.fullmatch(name):
        raise InvalidInput(
            "name", "must be 1 to 255 letters, digits, '_', '.', ':' or '-', the first no sign"
        )
    return name
