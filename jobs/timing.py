"""When a schedule fires, by a cron expression or at an interval, and what if it is late. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Protocol

from jobs.cron import Cron, parse
from jobs.errors import InvalidInput, shown
from jobs.zones import get_zone

INTERVAL_SECONDS: Final = (1, 366 * 86400)
MISSED_LIMITS: Final = (1, 1000)

DEFAULTS: Final[Mapping[str, Any]] = {
    "cron": "",
    "interval_seconds": None,
    "missed": "last",
    "missed_limit": 100,
    "overlap": "allow",
}
"""What a schedule has that says nothing of its own."""

_MOMENT: Final = dt.timedelta(microseconds=1)
_SECOND: Final = dt.timedelta(seconds=1)
_MINUTE: Final = dt.timedelta(minutes=1)


class Missed(StrEnum):
    """What becomes of fire times at which nobody looked."""

    SKIP = "skip"
    LAST = "last"
    ALL = "all"


class Overlap(StrEnum):
    """What becomes of a fire time while the schedule's previous job is still open."""

    ALLOW = "allow"
    SKIP = "skip"


class Timing(Protocol):
    """The fire times of a schedule."""

    def after(self, moment: dt.datetime) -> dt.datetime | None:
        """The first fire time later than `moment`, in UTC; None when there is none."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Every so many seconds of real time, counted from `anchor`."""

    seconds: int
    anchor: dt.datetime

    def after(self, moment: dt.datetime) -> dt.datetime | None:
        step = dt.timedelta(seconds=self.seconds)
        return self.anchor + ((moment - self.anchor) // step + 1) * step


def timing(
    *, cron: str, interval_seconds: int | None, timezone: str, anchor: dt.datetime
) -> Timing:
    """The fire times of these options; an interval counts from `anchor`. Raises InvalidInput."""
    if interval_seconds is not None:
        return Interval(interval_seconds, anchor.replace(microsecond=0))
    return Cron(cron, get_zone(timezone))


def due(fires: Timing, *, first: dt.datetime, now: dt.datetime, limit: int) -> list[dt.datetime]:
    """The last `limit` fire times from `first` to `now`, both included, in order.

    They are searched from the end, so the time it takes does not grow with a year's downtime.
    """
    found: list[dt.datetime] = []
    edge, guess = now + _MOMENT, _MINUTE
    while len(found) < limit:
        last = _last_before(fires, edge, first, guess)
        if last is None:
            break
        guess = max(edge - last, _SECOND)
        edge = last
        found.append(last)
    return found[::-1]


def _last_before(
    fires: Timing, edge: dt.datetime, first: dt.datetime, guess: dt.timedelta
) -> dt.datetime | None:
    """The last fire time before `edge`, not before `first`."""
    start = first - _MOMENT
    # Stride back from the edge until a fire time lies in between,
    while True:
        low = max(edge - guess - _MOMENT, start)
        found = fires.after(low)
        if found is not None and found < edge:
            break
        if low <= start:
            return None
        guess *= 2
    # then halve what is left, until no other follows.
    high = edge
    while (following := fires.after(found)) is not None and following < edge:
        middle = found + (high - found) / 2
        candidate = fires.after(middle)
        if candidate is not None and candidate < edge:
            found = candidate
        else:
            found, high = following, middle
    return found


def check_times(options: Mapping[str, Any]) -> None:
    """Check `cron`, `interval_seconds` and `timezone`. Raises InvalidInput.

    Exactly one of the first two must be set; an empty `cron` is not.
    """
    cron, seconds = options.get("cron") or "", options.get("interval_seconds")
    if (cron == "") == (seconds is None):
        raise InvalidInput("cron", "give either cron or interval_seconds, and not both")
    if seconds is None:
        parse(cron)
    else:
        _check_whole(seconds, "interval_seconds", INTERVAL_SECONDS)
    get_zone(options.get("timezone"))


def check_policy(options: Mapping[str, Any]) -> None:
    """Check `missed`, `missed_limit` and `overlap`. Raises InvalidInput."""
    for field, kinds in (("missed", Missed), ("overlap", Overlap)):
        if options.get(field) not in list(kinds):
            raise InvalidInput(
                field, f"must be one of {', '.join(kinds)}, not {shown(options.get(field))}"
            )
    _check_whole(options.get("missed_limit"), "missed_limit", MISSED_LIMITS)


def _check_whole(value: Any, field: str, bounds: tuple[int, int]) -> None:
    low, high = bounds
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidInput(
            field, f"must be a whole number from {low} to {high}, not {shown(value)}"
        )
