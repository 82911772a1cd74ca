"""The verbs of schedules. Each is one transaction, and none of them fires what lies in the past."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from jobs import lifecycle
from jobs.errors import InvalidInput, ScheduleConflict, ScheduleNotFound
from jobs.models import Job, Schedule
from jobs.payload import clean_text
from jobs.schedules.audited import note, told
from jobs.schedules.declared import declared
from jobs.schedules.definition import (
    TIMES,
    Definition,
    definition_of,
    job_of,
    keyed,
    timing_of,
)
from jobs.states import TERMINAL
from jobs.store import audit, clock, notify
from jobs.store.values import EnqueuedJob
from jobs.timing import Overlap

_REASON_CHARS = 1000


def create(using: str, definition: Definition, *, enabled: bool = True) -> Schedule:
    """Add a schedule; it fires from now on. Raises InvalidInput, also for a name that is taken."""
    row = Schedule(**definition.columns(), enabled=enabled)
    if not enabled:
        row.disabled_reason = "created disabled"
    try:
        with transaction.atomic(using=using):
            row.next_run_at = _next(row, clock.now(using)) if enabled else None
            row.save(using=using, force_insert=True)
            _wake(using)
            audit.record(using, "schedule.create", row.name, after=told(row))
    except IntegrityError:
        if Schedule.objects.using(using).filter(name=row.name).exists():
            message = f"there is a schedule named {row.name!r} already"
            raise InvalidInput("name", message, code="taken") from None
        raise
    return get(using, row.pk)


def get(using: str, schedule_id: int) -> Schedule:
    """The schedule. Raises ScheduleNotFound."""
    try:
        return Schedule.objects.using(using).get(pk=schedule_id)
    except Schedule.DoesNotExist:
        raise ScheduleNotFound(schedule_id) from None


def update(using: str, schedule_id: int, changes: Mapping[str, Any]) -> Schedule:
    """Change fields of the definition.

    New times, or a new rule for missed ones, start from now. Raises InvalidInput, ScheduleNotFound,
    and ScheduleConflict for a schedule that is declared in code.
    """
    try:
        with transaction.atomic(using=using):
            row = _lock(using, schedule_id)
            if row.declared_in == Schedule.DeclaredIn.CODE:
                message = f"schedule {row.name!r} is declared in code; change it there"
                raise ScheduleConflict(schedule_id, message, code="declared-in-code")
            before = told(row)
            write(using, row, replace(definition_of(row), **changes).columns())
            note(using, "schedule.update", row, before)
    except IntegrityError:
        name = changes.get("name")
        if Schedule.objects.using(using).filter(name=name).exclude(pk=schedule_id).exists():
            message = f"there is a schedule named {name!r} already"
            raise InvalidInput("name", message, code="taken") from None
        raise
    return get(using, schedule_id)


def write(using: str, row: Schedule, columns: Mapping[str, Any], **more: Any) -> bool:
    """Bring a locked row to these values; returns whether it was any different."""
    wanted = {**columns, **more}
    changed = {field for field, value in wanted.items() if getattr(row, field) != value}
    if not changed:
        return False
    for field, value in wanted.items():
        setattr(row, field, value)
    if not row.enabled:
        row.next_run_at = None
    elif changed & (TIMES | {"enabled"}):
        # An interval counts from its last fire time, which a new start must forget.
        row.next_run_at = None
        row.next_run_at = _next(row, clock.now(using))
    values = {field: getattr(row, field) for field in (*wanted, "next_run_at")}
    Schedule.objects.using(using).filter(pk=row.pk).update(**values, updated_at=Now())
    _wake(using)
    return True


def delete(using: str, schedule_id: int) -> None:
    """Delete a schedule; its jobs stay. Raises ScheduleNotFound, and ScheduleConflict while it is
    declared in code, since the next worker to start would bring it back."""
    with transaction.atomic(using=using):
        row = _lock(using, schedule_id)
        if row.declared_in == Schedule.DeclaredIn.CODE and row.name in declared():
            message = f"schedule {row.name!r} is declared in code; disable it or remove it there"
            raise ScheduleConflict(schedule_id, message, code="declared-in-code")
        audit.record(using, "schedule.delete", row.name, before=told(row))
        row.delete(using=using)


def enable(using: str, schedule_id: int, *, reason: str = "") -> Schedule:
    """Let a schedule fire, from now on; one that is enabled already stays as it is.

    Raises ScheduleNotFound, and InvalidInput when it could not fire.
    """
    with transaction.atomic(using=using):
        row = _lock(using, schedule_id)
        if not row.enabled:
            before, columns = told(row), definition_of(row).columns()
            write(using, row, columns, enabled=True, disabled_reason="")
            note(using, "schedule.enable", row, before, reason)
    return get(using, schedule_id)


def disable(using: str, schedule_id: int, *, actor: str = "", reason: str = "") -> Schedule:
    """Stop a schedule from firing; its open jobs go on. Raises ScheduleNotFound."""
    words = f"disabled by {actor}" if actor else "disabled"
    text = clean_text(f"{words}: {reason}" if reason else words, _REASON_CHARS)
    with transaction.atomic(using=using):
        row = _lock(using, schedule_id)
        before = told(row)
        write(using, row, {"enabled": False, "disabled_reason": text})
        note(using, "schedule.disable", row, before, reason)
    return get(using, schedule_id)


def run_now(using: str, schedule_id: int, *, reason: str = "") -> EnqueuedJob:
    """Enqueue a job of the schedule at once, enabled or not; its fire times stay as they are.

    Raises InvalidInput, ScheduleNotFound, and ScheduleConflict when overlap is `skip` and the
    previous job has not ended.
    """
    with transaction.atomic(using=using):
        row = _lock(using, schedule_id)
        if row.overlap == Overlap.SKIP and open_job(using, row) is not None:
            message = f"job {row.last_job_id} of schedule {row.name!r} has not ended"
            raise ScheduleConflict(schedule_id, message, code="overlap")
        job = keyed(job_of(row), row.pk, f"now:{uuid.uuid4().hex}")
        answer = lifecycle.enqueue(using, [job])[0]
        Schedule.objects.using(using).filter(pk=row.pk).update(last_job_id=answer.id)
        made = {"job": answer.id}
        audit.record(using, "schedule.run-now", row.name, reason=reason, after=made)
    return answer


def open_job(using: str, row: Schedule) -> int | None:
    """The schedule's previous job, if that has not ended."""
    if row.last_job_id is None:
        return None
    jobs = Job.objects.using(using).filter(pk=row.last_job_id)
    return jobs.exclude(status__in=TERMINAL).values_list("pk", flat=True).first()


def _lock(using: str, schedule_id: int) -> Schedule:
    try:
        return Schedule.objects.using(using).select_for_update().get(pk=schedule_id)
    except Schedule.DoesNotExist:
        raise ScheduleNotFound(schedule_id) from None


def _next(row: Schedule, now: dt.datetime) -> dt.datetime:
    following = timing_of(row, now).after(now)
    if following is None:
        raise InvalidInput("cron", f"{row.cron!r} has no fire time after {now:%Y-%m-%d}")
    return following


def _wake(using: str) -> None:
    # The pools sleep until the next fire time they know.
    notify.after_commit(using, [notify.SCHEDULED])
