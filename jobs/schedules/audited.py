"""What the audit remembers of changes of schedules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jobs.models import Schedule
from jobs.redaction import redact
from jobs.schedules.definition import Definition
from jobs.store import audit


def told(row: Schedule) -> dict[str, Any]:
    """What the audit remembers of a schedule."""
    kept = (*Definition.__dataclass_fields__, "enabled", "disabled_reason")
    return {name: getattr(row, name) for name in kept} | {"payload": redact(row.payload, row.task)}


def note(
    using: str, action: str, row: Schedule, before: Mapping[str, Any], reason: str = ""
) -> None:
    """Write down how a schedule differs from what `told` said before, if it does."""
    old, new = audit.changed(before, told(row))
    if new:
        audit.record(using, action, row.name, reason=reason, before=old, after=new)
