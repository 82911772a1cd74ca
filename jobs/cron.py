"""Cron expressions: five fields, names and @words, and the moments they stand for. Pure.

`cronsim` parses the fields and finds the next date on a wall clock, by the rules of Debian's cron.
How a wall clock's times become moments where clocks change is decided here, since cronsim passes
over some times in zones that change by half an hour:

* An expression whose minute or hour begins with `*` runs by real time: it fires at every moment at
  which the clock shows a matching time. Times that are never shown do not fire, and those shown
  twice fire twice.
* Any other names fixed times of a day, and each fires once: a time that is never shown at the
  moment the clocks go forward, one shown twice the first time.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from jobs.errors import InvalidInput, shown
from jobs.zones import first_change, instant_of, offset_at, wall_at

MAX_CHARS: Final = 255

WORDS: Final = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}

_FIELDS: Final = (
    ("minute", 0, 59),
    ("hour", 0, 23),
    ("day of month", 1, 31),
    ("month", 1, 12),
    ("day of week", 0, 7),
)
_ITEM: Final = re.compile(
    r"(?:\*|(?:[0-9]{1,2}|[A-Za-z]{3})(?:-(?:[0-9]{1,2}|[A-Za-z]{3}))?)(?:/(?P<step>[0-9]{1,2}))?"
)
_SECOND: Final = dt.timedelta(seconds=1)
# Any wall clock will do to try a field.
_SOMEWHEN: Final = dt.datetime(2000, 1, 1)


@dataclass(frozen=True, slots=True)
class Cron:
    """The fire times of an expression on the clocks of a zone. Raises InvalidInput."""

    expression: str
    zone: ZoneInfo
    _fields: str = field(init=False, repr=False, compare=False)
    _fixed: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        fields = parse(self.expression)
        minute, hour = fields.split()[:2]
        object.__setattr__(self, "_fields", fields)
        object.__setattr__(self, "_fixed", not minute.startswith("*") and not hour.startswith("*"))

    def after(self, moment: dt.datetime) -> dt.datetime | None:
        """The first fire time later than `moment`, in UTC; None when 50 years hold none."""
        return self._fixed_after(moment) if self._fixed else self._real_after(moment)

    def _fixed_after(self, moment: dt.datetime) -> dt.datetime | None:
        for wall in self._walls(wall_at(moment, self.zone)):
            found = instant_of(wall, self.zone)
            if found > moment:
                return found
        return None

    def _real_after(self, moment: dt.datetime) -> dt.datetime | None:
        # Between two changes of the clocks wall time and real time run alike, so the search goes
        # from change to change.
        start, offset, wall = moment, offset_at(moment, self.zone), wall_at(moment, self.zone)
        while (shown := next(self._walls(wall), None)) is not None:
            found = (shown - offset).replace(tzinfo=dt.UTC)
            change = first_change(self.zone, start, found)
            if change is None:
                return found
            start, offset = change, offset_at(change, self.zone)
            # The moment of the change itself may be a fire time.
            wall = wall_at(change, self.zone) - _SECOND
        return None

    def _walls(self, wall: dt.datetime) -> Iterator[dt.datetime]:
        """Matching wall times later than `wall`."""
        return CronSim(self._fields, wall.replace(fold=0))


def parse(expression: Any) -> str:
    """The five fields of an expression, its word resolved. Raises InvalidInput on `cron`."""
    if not isinstance(expression, str) or len(expression) > MAX_CHARS:
        raise InvalidInput(
            "cron", f"must be a string of at most {MAX_CHARS} characters, five fields or an @word"
        )
    text = expression.strip()
    if text.startswith("@"):
        if text.lower() not in WORDS:
            raise InvalidInput("cron", f"{shown(text)} is none of {', '.join(WORDS)}")
        return WORDS[text.lower()]
    fields = text.split()
    if len(fields) != len(_FIELDS):
        raise InvalidInput(
            "cron",
            f"{shown(text)} has {len(fields)} fields, not the five: minute, hour, day of month,"
            " month, day of week",
        )
    for position, value in enumerate(fields):
        _check_field(position, value)
    return _check_date(fields)


def _check_field(position: int, value: str) -> None:
    name, low, high = _FIELDS[position]
    items = [_ITEM.fullmatch(item) for item in value.split(",")]
    steps = [int(item["step"]) for item in items if item is not None and item["step"]]
    alone = ["*"] * len(_FIELDS)
    alone[position] = value
    good = all(items) and all(1 <= step <= high - low + 1 for step in steps)
    if not good or not _accepted(alone):
        raise InvalidInput(
            "cron",
            f"{shown(value)} is no {name}: *, numbers from {low} to {high}"
            f"{_NAMES.get(name, '')}, rising ranges a-b, steps /n and lists with commas are",
        )


_NAMES: Final = {"month": ", JAN to DEC", "day of week": ", SUN to SAT"}


def _check_date(fields: list[str]) -> str:
    text = " ".join(fields)
    # Each field was found good by itself, so what is refused now is their combination.
    if not _accepted(fields):
        raise InvalidInput("cron", f"{text!r} is a date that never comes", code="impossible")
    return text


def _accepted(fields: list[str]) -> bool:
    try:
        return next(CronSim(" ".join(fields), _SOMEWHEN), None) is not None
    except CronSimError:
        return False


def explain(expression: str) -> str:
    """The expression in words. Raises InvalidInput."""
    return CronSim(parse(expression), _SOMEWHEN).explain()
