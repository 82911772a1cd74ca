"""Brings the schedules declared in code into the table, when a pool starts.

The pool that starts last is right, so once a release is rolled out the table says what that
release declares.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q

from jobs import instrument
from jobs.models import Schedule
from jobs.schedules.actions import write
from jobs.schedules.declared import WITHDRAWN, checked
from jobs.schedules.tick import BROKEN


def sync(using: str) -> None:
    """Write the declared schedules, and disable those that were declared once and no longer are.

    A schedule somebody disabled stays so. One that is declared wrongly is left alone, told about
    as `schedule.refused`, and stops no other.
    """
    good, wrong = checked()
    for name, error in wrong.items():
        instrument.emit("schedule.refused", schedule=name, error=str(error))
    code = Schedule.DeclaredIn.CODE
    with transaction.atomic(using=using):
        rows = Schedule.objects.using(using)
        # Pools start together: the second finds the rows there. They get their times below.
        rows.bulk_create(
            [
                Schedule(**columns, declared_in=code, enabled=False, disabled_reason=WITHDRAWN)
                for columns in good.values()
            ],
            ignore_conflicts=True,
        )
        locked = rows.select_for_update().order_by("pk")
        for row in locked.filter(name__in=good):
            write(using, row, good[row.name], declared_in=code, **_revived(row))
        gone = locked.filter(declared_in=code).exclude(name__in=[*good, *wrong])
        for row in gone.filter(Q(enabled=True) | Q(disabled_reason__startswith=BROKEN)):
            write(using, row, {"enabled": False, "disabled_reason": WITHDRAWN})


def _revived(row: Schedule) -> dict[str, Any]:
    # What it was disabled for is over: it is declared, and was checked just now.
    over = row.disabled_reason == WITHDRAWN or row.disabled_reason.startswith(BROKEN)
    return {"enabled": True, "disabled_reason": ""} if over and not row.enabled else {}
