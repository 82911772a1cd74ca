"""Writing down what people change, in the transaction that changes it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from jobs.models import AuditEntry
from jobs.payload import clean_text
from jobs.store.origin import origin


def record(
    using: str,
    action: str,
    target: str | int,
    *,
    reason: str = "",
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> None:
    """Write an entry if a person is behind it; the caller's transaction is open.

    `before` and `after` are values of JSON or times, and hold no secrets.
    """
    who = origin()
    if who is None:
        return
    AuditEntry.objects.using(using).create(
        actor=who.actor,
        via=who.via,
        action=action,
        target=clean_text(str(target), 255),
        reason=clean_text(reason, 500),
        before=_plain(before),
        after=_plain(after),
        request_id=who.request_id,
    )


def changed(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Of two states the parts in which they differ."""
    names = [name for name in after if before.get(name) != after[name]]
    return {name: before.get(name) for name in names}, {name: after[name] for name in names}


def prune(using: str, *, age_seconds: float | None, limit: int) -> int:
    """Delete up to `limit` entries older than `age_seconds`; returns how many. None keeps them."""
    if age_seconds is None:
        return 0
    entries = AuditEntry.objects.using(using)
    # In the order of ids, which is nearly that of their times.
    oldest = entries.order_by("id").annotate(now=Now()).values_list("id", "at", "now")[:limit]
    age = dt.timedelta(seconds=age_seconds)
    with transaction.atomic(using=using):
        ids = [pk for pk, at, now in oldest if now - at > age]
        entries.filter(pk__in=ids).delete()
    return len(ids)


def _plain(values: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if values is None:
        return None
    return {
        name: value.astimezone(dt.UTC).isoformat() if isinstance(value, dt.datetime) else value
        for name, value in values.items()
    }
