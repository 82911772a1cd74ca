"""Groups of failures as the API takes and shows them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django.db.models import Q, QuerySet

from jobs import fingerprint, stats
from jobs.api import disclosure, scope
from jobs.api.serializers.failures import MAX_IGNORED, MAX_NOTE
from jobs.conf import conf
from jobs.errors import ErrorGroupNotFound, InvalidInput
from jobs.models import ErrorGroup
from jobs.payload import check_text
from jobs.redaction import HIDDEN, REDACTED, redact_text
from jobs.states import ErrorGroupStatus
from jobs.stats import failures

PATCH_FIELDS: Final = ("status", "ignore_for", "note")
SAMPLES: Final = 5
_NO_VALUES: Final = (HIDDEN, REDACTED)
_FINGERPRINT: Final = re.compile(rf"[0-9a-f]{{{fingerprint.FINGERPRINT_CHARS}}}")
_COLUMNS: Final = (
    "id",
    "fingerprint",
    "task",
    "queue",
    "exception",
    "culprit",
    "message",
    "status",
    "occurrences",
    "first_seen_at",
    "last_seen_at",
    "first_release",
    "last_release",
    "reopened_at",
    "ignore_until_count",
    "note",
    "changed_by",
    "changed_at",
)


def found(using: str, given: Mapping[str, Any]) -> list[QuerySet[Any, Any]]:
    """The groups that these filters keep, a queryset for each status that is asked for."""
    rows: Any = ErrorGroup.objects.using(using).values(*_COLUMNS)
    for name in ("task", "queue"):
        if name in given:
            rows = rows.filter(**{name: given[name]})
    if (words := given.get("q")) is not None:
        by_class = Q(exception__iexact=words) | Q(exception__iendswith=f".{words}")
        rows = rows.filter(Q(fingerprint=words) | by_class)
    statuses = sorted(set(given.get("status", ())))
    return [rows.filter(status=status) for status in statuses] or [rows]


def documents(
    using: str, rows: Sequence[Mapping[str, Any]], *, values_visible: bool
) -> list[dict[str, Any]]:
    """Rows of `found` as they are shown. Costs the same queries whatever their number."""
    now = stats.jobs_now(using, [row["fingerprint"] for row in rows])
    day = stats.last_day(using, [row["id"] for row in rows])
    return [
        {
            **row,
            # A message is made of values; without numbers and quotes there are still names in it.
            "message": redact_text(row["message"], row["task"]) if values_visible else "",
            **now[row["fingerprint"]],
            "hours": day.hours[row["id"]],
            "hours_begin_at": day.begins_at,
            "is_new": bool(conf.RELEASE) and row["first_release"] == conf.RELEASE,
        }
        for row in rows
    ]


def detail(using: str, name: str, *, values_visible: bool) -> dict[str, Any]:
    """One group with samples of its jobs. Raises ErrorGroupNotFound."""
    check_fingerprint(name)
    row = ErrorGroup.objects.using(using).filter(fingerprint=name).values(*_COLUMNS).first()
    if row is None:
        raise ErrorGroupNotFound(name)
    (document,) = documents(using, [row], values_visible=values_visible)
    document |= {"payload_visible": values_visible, "samples": [], "common_values": []}
    if values_visible:
        latest = failures.latest_jobs(using, name, failures.READ)
        visible = scope.visible(using, latest)
        found = failures.samples(using, [job for job in latest if job in visible])
        shown = [disclosure.payload(job.payload, row["task"]) for job in found]
        jobs = [replace(job, payload=value) for job, value in zip(found, shown, strict=True)]
        read = [job.payload for job in jobs if job.payload is not None]
        shared = [one for one in failures.shared_values(read) if one.value not in _NO_VALUES]
        document |= {"samples": jobs[:SAMPLES], "common_values": shared}
    return document


def check_fingerprint(name: str) -> None:
    """Raises ErrorGroupNotFound for what cannot be one."""
    if not _FINGERPRINT.fullmatch(name):
        raise ErrorGroupNotFound(name)


def decision(given: Mapping[str, Any]) -> dict[str, Any]:
    """What the body decides, for `error_groups.decide`. Raises InvalidInput."""
    made: dict[str, Any] = {}
    if "status" in given:
        made["status"] = _status(given["status"])
    if given.get("ignore_for") is not None:
        if made.get("status") is not ErrorGroupStatus.IGNORED:
            raise InvalidInput("ignore_for", "goes with the status ignored only")
        made["ignore_for"] = _ignore_for(given["ignore_for"])
    if "note" in given:
        made["note"] = check_text(given["note"], "note", max_chars=MAX_NOTE)
    if not made:
        raise InvalidInput("body", "must hold a status or a note", code="required")
    return made


def _status(value: Any) -> ErrorGroupStatus:
    known = [status.value for status in ErrorGroupStatus]
    if not isinstance(value, str) or value not in known:
        raise InvalidInput("status", f"must be one of {', '.join(known)}, not {value!r:.80}")
    return ErrorGroupStatus(value)


def _ignore_for(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_IGNORED:
        message = f"must be a whole number from 1 to {MAX_IGNORED:,}, not {value!r:.80}"
        raise InvalidInput("ignore_for", message)
    return value
