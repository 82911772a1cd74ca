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
from jobs.stats.measures import as_parameter

BUDGET_SECONDS: Final = 0.015
"""No further stretch is begun after so long, and none that would take longer at the pace so far."""
_FIRST, _GROWTH, _LARGEST = 2_000, 8, 50_000
_SERVED: Final = frozenset({"workflow", "error_fingerprint"})
"""Filters with an index of their own."""
# A job's id is drawn by the statement that also sets its time of creation, so the two can differ
# in order only by what a statement takes.
_SLACK: Final = dt.timedelta(hours=1)
_FEW: Final = 10_000
_NEAR: Final = 2_000
_BEFORE: Final = """(
        SELECT created_at FROM jobs WHERE id BETWEEN (low + high) / 2 AND high ORDER BY id LIMIT 1
    ) < %(moment)s"""
# All steps in one statement: each is a look-up, which takes far less than to ask for it.
_HALVES: Final = f"""
WITH RECURSIVE halves(low, high) AS (
    SELECT CAST(%(low)s AS bigint), CAST(%(high)s AS bigint)
    UNION ALL
    SELECT CASE WHEN {_BEFORE} THEN (low + high) / 2 ELSE low END,
           CASE WHEN {_BEFORE} THEN high ELSE (low + high) / 2 END
    FROM halves WHERE high - low > %(near)s
)
SELECT low, high FROM halves ORDER BY high - low LIMIT 1
"""  # noqa: S608 - put together from constants


@dataclass(frozen=True, slots=True)
class Found:
    ids: list[int]
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
        """Up to `wanted` ids of `rows` beyond the id `after`, in their order."""
        started, size, found = time.monotonic(), _FIRST, list[int]()
        # No more than that of each row: most of those looked at are not wanted.
        ids = rows.order_by("-pk" if descending else "pk").values_list("pk", flat=True)
        begin = at = self._begin(after, descending)
        while self._is_within(at, descending):
            spent = time.monotonic() - started
            if spent > BUDGET_SECONDS:
                return Found(found, at + 1 if descending else at - 1)
            if at != begin:
                size = _longer(size, abs(at - begin) / max(spent, 1e-6), BUDGET_SECONDS - spent)
            first, last = (at - size + 1, at) if descending else (at, at + size - 1)
            stretch = ids.filter(pk__gte=first, pk__lte=last)
            found += stretch[: wanted - len(found)]
            if len(found) >= wanted:
                return Found(found, None)
            at = first - 1 if descending else last + 1
        return Found(found, None)

    def _begin(self, after: int | None, descending: bool) -> int:
        if descending:
            return self.high if after is None else min(after - 1, self.high)
        return self.low if after is None else max(after + 1, self.low)

    def _is_within(self, at: int, descending: bool) -> bool:
        return at >= self.low if descending else at <= self.high


def _longer(size: int, ids_per_second: float, seconds: float) -> int:
    """The next size of a stretch: longer, as far as the time that is left allows."""
    return max(_FIRST, min(size * _GROWTH, _LARGEST, int(ids_per_second * seconds)))


def _around(using: str, low: int, high: int, moment: dt.datetime) -> tuple[int, int]:
    """Two ids near each other, between which lies the first job created at `moment` or later."""
    given = {"low": low, "high": high, "near": _NEAR, "moment": as_parameter(using, moment)}
    with connections[using].cursor() as cursor:
        cursor.execute(_HALVES, given)
        found: tuple[int, int] = cursor.fetchone()
    return found


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
    ids = found.ids[:page_size]
    # Where the walk goes on: behind the last row shown, or where the search was cut off.
    ahead = ids[-1] if len(found.ids) > page_size else found.edge
    # Back to where it came from: what the first row follows.
    behind = ids[0] if ids else after
    if not ids and after is not None:
        behind = after - 1 if descending else after + 1
    shown = rows.filter(pk__in=ids).order_by(*ordering.expressions())[:page_size]
    page = list(shown) if ids else []

    def link(key: int | None, direction: str) -> str | None:
        if key is None:
            return None
        return pagination.link(request, ordering, {"id": key}, direction)

    onward, back = ("p", "n") if backward else ("n", "p")
    links = {onward: link(ahead, onward), back: link(None if after is None else behind, back)}
    return pagination.Page(page, links["n"], links["p"])
