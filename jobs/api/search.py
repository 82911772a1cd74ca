"""Lists of jobs that no index serves: looked through in stretches of ids, for a bounded time.

Ids rise with time, so a stretch is a range of the primary key. What is rare may lie far back; then
the page ends early and says where to go on, instead of keeping the database busy for minutes.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import connections
from django.db.models import Max, Min, QuerySet
from rest_framework.request import Request

from jobs.api import pagination
from jobs.models import Job
from jobs.stats.measures import as_time

BUDGET_SECONDS: Final = 0.06
"""No further stretch is begun after so long."""
_FIRST, _GROWTH, _LARGEST = 2_000, 4, 50_000
_SERVED: Final = frozenset({"workflow", "error_fingerprint"})
"""Filters with an index of their own."""
# A job's id is drawn by the statement that also sets its time of creation, so the two can differ
# in order only by what a statement takes.
_SLACK: Final = dt.timedelta(hours=1)
_FEW: Final = 10_000
_NEAR = 2_000
_NEXT: Final = """
SELECT id, created_at FROM jobs WHERE id BETWEEN %s AND %s ORDER BY id LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class Found:
    rows: list[Any]
    edge: int | None
    """The id up to which all was looked through; None when nothing is left."""


def is_needed(ordering: str, given: Mapping[str, Any]) -> bool:
    """Whether rows that match may lie far apart in this order."""
    return ordering in ("-id", "id") and bool(given) and not _SERVED & set(given)


@dataclass(frozen=True, slots=True)
class Stretches:
    """The ids among which a list is looked for."""

    low: int
    high: int

    @classmethod
    def of(cls, using: str, given: Mapping[str, Any]) -> Stretches:
        """All ids, or those of jobs created within the times that `given` names."""
        ends = Job.objects.using(using).aggregate(low=Min("pk"), high=Max("pk"))
        low, high = ends["low"] or 0, ends["high"] or -1
        if high - low > _FEW:
            if "created_before" in given:
                high = _around(using, low, high, given["created_before"] + _SLACK)[1]
            if "created_after" in given:
                low = _around(using, low, high, given["created_after"] - _SLACK)[0]
        return cls(low, high)

    def look(
        self, rows: QuerySet[Any, Any], after: int | None, wanted: int, *, descending: bool
    ) -> Found:
        """Up to `wanted` rows beyond the id `after`, in the order of ids."""
        started, size, found = time.monotonic(), _FIRST, list[Any]()
        at = self._begin(after, descending)
        while self._is_within(at, descending):
            if time.monotonic() - started > BUDGET_SECONDS:
                return Found(found, at + 1 if descending else at - 1)
            first, last = (at - size + 1, at) if descending else (at, at + size - 1)
            stretch = rows.filter(pk__gte=first, pk__lte=last)
            ordered = stretch.order_by("-pk" if descending else "pk")
            found += ordered[: wanted - len(found)]
            if len(found) >= wanted:
                return Found(found, None)
            at = first - 1 if descending else last + 1
            size = min(size * _GROWTH, _LARGEST)
        return Found(found, None)

    def _begin(self, after: int | None, descending: bool) -> int:
        if descending:
            return self.high if after is None else min(after - 1, self.high)
        return self.low if after is None else max(after + 1, self.low)

    def _is_within(self, at: int, descending: bool) -> bool:
        return at >= self.low if descending else at <= self.high


def _around(using: str, low: int, high: int, moment: dt.datetime) -> tuple[int, int]:
    """Two ids near each other, between which lies the first job created at `moment` or later."""
    with connections[using].cursor() as cursor:
        while high - low > _NEAR:
            middle = (low + high) // 2
            cursor.execute(_NEXT, [middle, high])
            found = cursor.fetchone()
            at = as_time(found[1]) if found else None
            if at is None or at >= moment:
                high = middle
            else:
                low = found[0]
    return low, high


def paginate(
    request: Request,
    rows: QuerySet[Any, Any],
    ordering: pagination.Ordering,
    stretches: Stretches,
    *,
    page_size: int,
    cursor: str | None,
) -> pagination.Page:
    """As `pagination.paginate`, in an order of ids; a page may end early and have a next one."""
    backward, key = (False, None) if cursor is None else pagination.decode(cursor, ordering)
    after = None if key is None else key[0]
    descending = ordering.columns[0].startswith("-") != backward
    found = stretches.look(rows, after, page_size + 1, descending=descending)
    page = found.rows[:page_size]
    # Where the walk goes on: behind the last row shown, or where the search was cut off.
    ahead = page[-1]["id"] if len(found.rows) > page_size else found.edge
    # Back to where it came from: what the first row follows.
    behind = page[0]["id"] if page else after
    if not page and after is not None:
        behind = after - 1 if descending else after + 1
    if backward:
        page.reverse()

    def link(key: int | None, direction: str) -> str | None:
        if key is None:
            return None
        return pagination.link(request, ordering, {"id": key}, direction)

    onward, back = ("p", "n") if backward else ("n", "p")
    links = {onward: link(ahead, onward), back: link(None if after is None else behind, back)}
    return pagination.Page(page, links["n"], links["p"])
