"""Paging by key: a page begins after the last row of the one before, whatever changed meanwhile.

An ordering is a list of columns that ends in the id, so no two rows tie, and each is served by an
index. Some list only jobs in certain statuses, because only those are in the index.
"""

from __future__ import annotations

import base64
import datetime as dt
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.db.models import DateTimeField, F, Func, OrderBy, Q, QuerySet, Value, lookups
from rest_framework.request import Request

from jobs.api.fields import utc_text
from jobs.api.operations import Parameter, choice, integer, read_time, text
from jobs.errors import InvalidInput

DEFAULT_PAGE_SIZE: Final = 50
MAX_PAGE_SIZE: Final = 200
_TIMES: Final = frozenset({"finished_at", "available_at", "created_at", "last_seen_at"})
_MAX_WHOLE: Final = 2**63 - 1

Row = Mapping[str, Any]


class _Instant(Func):
    """A time to compare and to sort by: on SQLite, where times are text, in one length of text."""

    template = "%(expressions)s"
    output_field = DateTimeField()

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return self.as_sql(
            compiler, connection, template="STRFTIME('%%Y-%%m-%%d %%H:%%M:%%f', %(expressions)s)"
        )


_LOOKUPS: Final[dict[str, Any]] = {
    "lt": lookups.LessThan,
    "lte": lookups.LessThanOrEqual,
    "gt": lookups.GreaterThan,
    "gte": lookups.GreaterThanOrEqual,
    "exact": lookups.Exact,
}


def _compare(name: str, how: str, value: Any) -> Q:
    if name in _TIMES:
        return Q(_LOOKUPS[how](_Instant(F(name)), _Instant(Value(value, DateTimeField()))))
    return Q((f"{name}__{how}", value))


@dataclass(frozen=True, slots=True)
class Ordering:
    """Columns in the manner of `order_by`; the last is the id."""

    name: str
    columns: tuple[str, ...]

    def reversed(self) -> Ordering:
        return Ordering(self.name, tuple(map(_flip, self.columns)))

    def names(self) -> list[str]:
        return [column.removeprefix("-") for column in self.columns]

    def expressions(self) -> list[OrderBy]:
        """For `order_by`."""
        return [
            OrderBy(
                _Instant(F(name)) if name in _TIMES else F(name), descending=column.startswith("-")
            )
            for name, column in zip(self.names(), self.columns, strict=True)
        ]

    def sort(self, rows: list[Row]) -> list[Row]:
        for column in reversed(self.columns):
            name = column.removeprefix("-")
            rows.sort(key=lambda row, name=name: row[name], reverse=column.startswith("-"))  # type: ignore[misc]
        return rows

    def after(self, key: Sequence[Any]) -> Q:
        """Rows that follow the one with this key."""
        following, equal = Q(), Q()
        for column, value in zip(self.columns, key, strict=True):
            name = column.removeprefix("-")
            step = "lt" if column.startswith("-") else "gt"
            following |= equal & _compare(name, step, value)
            equal &= _compare(name, "exact", value)
        # Implied by the rest, but it tells the planner where in the index to begin.
        first = self.columns[0]
        bound = "lte" if first.startswith("-") else "gte"
        return _compare(first.removeprefix("-"), bound, key[0]) & following


def _flip(column: str) -> str:
    return column.removeprefix("-") if column.startswith("-") else f"-{column}"


@dataclass(frozen=True, slots=True)
class Page:
    rows: list[Row]
    next: str | None
    previous: str | None

    def document(self, results: Iterable[Any]) -> dict[str, Any]:
        return {"results": list(results), "next": self.next, "previous": self.previous}


def parameters(orderings: Sequence[str], about: str) -> tuple[Parameter, ...]:
    """The query parameters of a paged operation."""
    schema = {"type": "string", "enum": list(orderings), "default": orderings[0]}
    return (
        integer("page_size", f"Rows in a page, {DEFAULT_PAGE_SIZE} by default.", 1, MAX_PAGE_SIZE),
        choice("ordering", about, orderings, schema, many=False),
        text("cursor", "Where the page begins; taken from `next` or `previous`.", 1000),
    )


def paginate(
    request: Request,
    branches: Sequence[QuerySet[Any, Any]],
    ordering: Ordering,
    *,
    page_size: int,
    cursor: str | None,
) -> Page:
    """One page out of the union of `branches`, which are querysets of dicts.

    Each branch has an index that serves the ordering, so each is asked for one page and the
    answers are merged. Raises InvalidInput for a cursor that is garbled or of another ordering.
    """
    backward, key = (False, None) if cursor is None else decode(cursor, ordering)
    walking = ordering.reversed() if backward else ordering
    found: list[Row] = []
    for branch in branches:
        rows = branch if key is None else branch.filter(walking.after(key))
        found += rows.order_by(*walking.expressions())[: page_size + 1]
    rows_left = len(found) > page_size
    page = (walking.sort(found) if len(branches) > 1 else found)[:page_size]
    if backward:
        page.reverse()
    has_next, has_previous = (True, rows_left) if backward else (rows_left, key is not None)
    return Page(
        page,
        link(request, ordering, page[-1], "n") if page and has_next else None,
        link(request, ordering, page[0], "p") if page and has_previous else None,
    )


def link(request: Request, ordering: Ordering, row: Row, direction: str) -> str:
    """URL of the page that follows `row` (direction "n") or precedes it ("p")."""
    key = [row[name] for name in ordering.names()]
    values = [utc_text(value) if isinstance(value, dt.datetime) else value for value in key]
    plain = json.dumps([ordering.name, direction, *values], separators=(",", ":"))
    cursor = base64.urlsafe_b64encode(plain.encode()).rstrip(b"=").decode()
    kept = [(k, v) for k, vs in request.query_params.lists() for v in vs if k != "cursor"]
    return request.build_absolute_uri(f"?{urlencode([*kept, ('cursor', cursor)])}")


def decode(cursor: str, ordering: Ordering) -> tuple[bool, list[Any]]:
    """Whether it leads backwards, and the key it begins behind. Raises InvalidInput."""
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        name, direction, *values = json.loads(base64.b64decode(padded, b"-_", validate=True))
        key = [_typed(*pair) for pair in zip(ordering.names(), values, strict=True)]
        good = name == ordering.name and direction in ("n", "p")
    except (ValueError, TypeError, RecursionError):
        good = False
    if not good:
        raise InvalidInput(
            "cursor", "is not a cursor of this list in this order", code="bad-cursor"
        )
    return direction == "p", key


def _typed(name: str, value: Any) -> Any:
    if name in _TIMES:
        return read_time("cursor", value)
    if type(value) is not int or abs(value) > _MAX_WHOLE:
        raise ValueError("not a whole number")
    return value
