"""The groups of failures: counted as attempts fail, decided about by people, pruned in the end.

A group's row is taken last in a transaction, after workflows, jobs and edges, and groups among
themselves in the order of their fingerprints. The row of an hour is written only by whoever holds
its group. Transactions without a failure touch neither table.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any, Final, Protocol

from django.db import connections, transaction
from django.db.models import Exists, F, OuterRef
from django.db.models.functions import Now

from jobs.conf import conf
from jobs.errors import ErrorGroupNotFound
from jobs.fingerprint import Failure
from jobs.models import ErrorGroup, ErrorHour, Job
from jobs.payload import clean_text
from jobs.states import ErrorGroupStatus
from jobs.store import audit, error_groups_portable, error_groups_postgres
from jobs.store.literals import with_fingerprint
from jobs.store.values import SeenFailures

HOURS_KEPT_SECONDS: Final = 8 * 86400.0
"""For how long the counts of single hours are kept."""
_RELEASE_CHARS: Final = 100


class _Bulk(Protocol):
    def count(self, using: str, seen: Sequence[SeenFailures], release: str) -> None: ...


def _bulk(using: str) -> _Bulk:
    postgres = connections[using].vendor == "postgresql"
    chosen: Any = error_groups_postgres if postgres else error_groups_portable
    return chosen  # type: ignore[no-any-return]


def count(using: str, failures: Sequence[Failure]) -> None:
    """Count failed attempts in their groups, in the transaction that writes them.

    A resolved group opens again, and so does an ignored one that has reached its limit.
    """
    if not failures:
        return
    latest = {failure.fingerprint: failure for failure in failures}
    numbers = dict.fromkeys(latest, 0)
    for failure in failures:
        numbers[failure.fingerprint] += 1
    seen = [SeenFailures(latest[key], numbers[key]) for key in sorted(latest)]
    _bulk(using).count(using, seen, clean_text(conf.RELEASE, _RELEASE_CHARS))


def decide(
    using: str,
    fingerprint: str,
    *,
    actor: str,
    status: ErrorGroupStatus | None = None,
    ignore_for: int | None = None,
    note: str | None = None,
) -> None:
    """Set the status or the note of a group; None leaves it as it is.

    `ignore_for` opens an ignored group again after so many more failures. Raises
    ErrorGroupNotFound.
    """
    changes: dict[str, Any] = {"changed_by": actor, "changed_at": Now()}
    if status is not None:
        until = None if ignore_for is None else F("occurrences") + ignore_for
        changes |= {"status": status.value, "ignore_until_count": until, "reopened_at": None}
    if note is not None:
        changes["note"] = note
    names = ("status", "ignore_until_count", "note")
    with transaction.atomic(using=using):
        group = ErrorGroup.objects.using(using).filter(fingerprint=fingerprint)
        before = group.select_for_update().values(*names).first()
        if before is None:
            raise ErrorGroupNotFound(fingerprint)
        group.update(**changes)
        old, new = audit.changed(before, group.values(*names).get())
        if new:
            audit.record(using, "failure.change", fingerprint, before=old, after=new)


def prune(using: str, *, age_seconds: float | None, limit: int) -> int:
    """Delete up to `limit` groups not seen for so long that no job belongs to any more, and up to
    `limit` counts of old hours; returns the number of groups. None keeps the groups."""
    old = dt.timedelta(seconds=HOURS_KEPT_SECONDS)
    hours = ErrorHour.objects.using(using).filter(hour__lt=Now() - old).order_by("hour")
    with transaction.atomic(using=using):
        locking = hours.select_for_update(skip_locked=True)
        for group_id, hour in list(locking.values_list("group_id", "hour")[:limit]):
            hours.filter(group_id=group_id, hour=hour)._raw_delete(using)
    if age_seconds is None:
        return 0
    jobs = Job.objects.using(using).filter(error_fingerprint=OuterRef("fingerprint"))
    groups = ErrorGroup.objects.using(using).filter(
        ~Exists(jobs.filter(with_fingerprint())),
        last_seen_at__lt=Now() - dt.timedelta(seconds=age_seconds),
    )
    with transaction.atomic(using=using):
        rows = groups.order_by("last_seen_at").select_for_update(skip_locked=True, of=("self",))
        ids = list(rows.values_list("pk", flat=True)[:limit])
        ErrorHour.objects.using(using).filter(group_id__in=ids)._raw_delete(using)
        ErrorGroup.objects.using(using).filter(pk__in=ids)._raw_delete(using)
    return len(ids)
