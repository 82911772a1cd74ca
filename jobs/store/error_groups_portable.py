"""Any other database: failures are counted a group at a time, where a writer is alone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db.models import F
from django.utils import timezone

from jobs.models import ErrorGroup, ErrorHour
from jobs.states import ErrorGroupStatus
from jobs.store.values import SeenFailures


def count(using: str, seen: Sequence[SeenFailures], release: str) -> None:
    for row in seen:
        _count(using, row, release, timezone.now())


def _count(using: str, row: SeenFailures, release: str, now: dt.datetime) -> None:
    failure = row.failure
    groups = ErrorGroup.objects.using(using)
    group = groups.filter(fingerprint=failure.fingerprint).first()
    if group is None:
        group = ErrorGroup(
            fingerprint=failure.fingerprint,
            task=failure.task,
            occurrences=0,
            first_seen_at=now,
            last_seen_at=now,
            first_release=release,
        )
    group.queue, group.exception = failure.queue, failure.exception
    group.culprit, group.message = failure.culprit, failure.message
    group.occurrences += row.count
    group.last_seen_at = max(group.last_seen_at, now)
    group.last_release = release
    until = group.ignore_until_count
    if group.status == ErrorGroupStatus.RESOLVED or (until and group.occurrences >= until):
        group.status, group.reopened_at = ErrorGroupStatus.OPEN.value, now
        group.ignore_until_count = None
    group.save(using=using)
    hour = now.astimezone(dt.UTC).replace(minute=0, second=0, microsecond=0)
    hours = ErrorHour.objects.using(using).filter(group=group, hour=hour)
    if not hours.update(occurrences=F("occurrences") + row.count):
        ErrorHour.objects.using(using).create(group=group, hour=hour, occurrences=row.count)
