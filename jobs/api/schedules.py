"""Schedules as the API takes and shows them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.db.models import TextField
from django.db.models.functions import Cast, Left

from jobs import registry
from jobs.api.disclosure import PREVIEW_CHARS
from jobs.cron import explain
from jobs.errors import InvalidInput
from jobs.models import Job, Schedule
from jobs.schedules import actions
from jobs.schedules.definition import Definition
from jobs.schedules.plan import next_runs
from jobs.timing import Timing
from jobs.zones import get_zone

FIELDS: Final = tuple(Definition.__dataclass_fields__)
ACTIONS: Final = ("enable", "disable", "run-now", "edit", "delete")
_COPIED: Final = (
    "id",
    "name",
    "task",
    "priority",
    "interval_seconds",
    "timezone",
    "missed",
    "missed_limit",
    "overlap",
    "enabled",
    "disabled_reason",
    "declared_in",
    "next_run_at",
    "last_run_at",
    "last_skipped_at",
    "last_skip_reason",
    "created_at",
    "updated_at",
)
# Null stands for what was not said.
_NULL_IS_DEFAULT: Final = ("cron", "payload", "missed", "missed_limit", "overlap")


def definition(given: Mapping[str, Any]) -> Definition:
    """What the body asks for. Raises InvalidInput."""
    for name in ("name", "task"):
        if given.get(name) is None:
            raise InvalidInput(name, "is required", code="required")
    kept = {
        name: value
        for name, value in given.items()
        if value is not None or name not in _NULL_IS_DEFAULT
    }
    return Definition(**kept)


def changes(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a PATCH; `cron` null gives way to an interval."""
    return {
        name: "" if name == "cron" and value is None else value for name, value in given.items()
    }


def enabled(given: Mapping[str, Any]) -> bool:
    """The `enabled` of a body, true by default. Raises InvalidInput."""
    value = given.get("enabled", True)
    if not isinstance(value, bool):
        raise InvalidInput("enabled", "must be true or false")
    return value


def detail(using: str, schedule_id: int) -> dict[str, Any]:
    """One schedule, whole. Raises ScheduleNotFound."""
    row = actions.get(using, schedule_id)
    return {**_shown(using, [row])[0], "payload": row.payload}


def rows(using: str, ids: Sequence[int]) -> list[dict[str, Any]]:
    """Schedules for a list, in the order of `ids`: the database cuts payloads down to previews."""
    preview = Left(Cast("payload", TextField()), PREVIEW_CHARS)
    slim = Schedule.objects.using(using).annotate(preview=preview).defer("payload").in_bulk(ids)
    found = [slim[pk] for pk in ids if pk in slim]
    return [
        {**shown, "payload_preview": row.preview}
        for shown, row in zip(_shown(using, found), found, strict=True)
    ]


def _shown(using: str, rows: Sequence[Schedule]) -> list[dict[str, Any]]:
    # With the status of the job each enqueued last, asked for once.
    ids = [row.last_job_id for row in rows if row.last_job_id is not None]
    statuses = dict(Job.objects.using(using).filter(pk__in=ids).values_list("pk", "status"))
    return [_columns(row, statuses) for row in rows]


def _columns(row: Schedule, statuses: Mapping[int, str]) -> dict[str, Any]:
    last = row.last_job_id
    return {
        **{name: getattr(row, name) for name in _COPIED},
        "cron": row.cron or None,
        "queue": row.queue or None,
        "description": describe(row.cron, row.interval_seconds),
        "last_job": None if last is None else {"id": last, "status": statuses.get(last)},
        "task_registered": registry.find(row.task) is not None,
        "allowed_actions": _allowed(row),
    }


def _allowed(row: Schedule) -> list[str]:
    found = ["disable" if row.enabled else "enable", "run-now"]
    if row.declared_in == Schedule.DeclaredIn.DATABASE:
        found += ["edit", "delete"]
    return found


def describe(cron: str, interval_seconds: int | None) -> str:
    """The times in words; empty for a row whose expression is broken."""
    if interval_seconds is not None:
        return f"Every {interval_seconds:,} seconds" if interval_seconds > 1 else "Every second"
    try:
        return explain(cron)
    except InvalidInput:
        return ""


def runs(fires: Timing, now: dt.datetime, count: int, timezone: str) -> Iterable[dict[str, Any]]:
    """The next fire times, as moments and as the zone's clocks show them."""
    zone = get_zone(timezone)
    return [
        {"at": at, "local": at.astimezone(zone).isoformat()} for at in next_runs(fires, now, count)
    ]
