"""Wall clocks and instants: which moments a local time stands for, and when clocks change. Pure."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from jobs.errors import InvalidInput, shown

_NAME: Final = re.compile(r"[A-Za-z0-9_+\-/]{1,64}")
# Names that stand for another zone on another machine, for leap seconds, or for no zone at all.
_UNFIT: Final = re.compile(r"localtime|posixrules|Factory|(posix|right)/.*")

_SECOND: Final = dt.timedelta(seconds=1)
# No zone has ever changed its clocks and changed them back within a week.
_STRIDE: Final = dt.timedelta(days=7)


def get_zone(name: Any, field: str = "timezone") -> ZoneInfo:
    """The zone of this IANA name. Raises InvalidInput."""
    if not isinstance(name, str) or not _NAME.fullmatch(name) or _UNFIT.fullmatch(name):
        raise InvalidInput(
            field, f"must be an IANA time zone such as 'Europe/London', not {shown(name)}"
        )
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInput(
            field, f"there is no IANA time zone named {name!r}", code="unknown-timezone"
        ) from None


def offset_at(moment: dt.datetime, zone: ZoneInfo) -> dt.timedelta:
    """How far the zone's clocks are ahead of UTC at this moment."""
    return moment.astimezone(zone).utcoffset() or dt.timedelta()


def wall_at(moment: dt.datetime, zone: ZoneInfo) -> dt.datetime:
    """What the zone's clocks show at this moment, as a datetime without a zone."""
    return moment.astimezone(zone).replace(tzinfo=None)


def first_change(zone: ZoneInfo, start: dt.datetime, end: dt.datetime) -> dt.datetime | None:
    """The first moment after `start`, up to `end`, from which the clocks show another offset."""
    before = offset_at(start, zone)
    low = start
    while low < end:
        high = min(low + _STRIDE, end)
        if offset_at(high, zone) != before:
            return _between(zone, low, high, before)
        low = high
    return None


def _between(
    zone: ZoneInfo, low: dt.datetime, high: dt.datetime, before: dt.timedelta
) -> dt.datetime:
    # Clocks change on a whole second, so the search runs over whole seconds.
    low = low.replace(microsecond=0)
    high = high.replace(microsecond=0)
    while high - low > _SECOND:
        middle = low + (high - low) // 2
        middle = middle.replace(microsecond=0)
        if offset_at(middle, zone) == before:
            low = middle
        else:
            high = middle
    return high


def instant_of(wall: dt.datetime, zone: ZoneInfo) -> dt.datetime:
    """The one moment, in UTC, that a wall time is given.

    A time shown twice, when clocks go back, is given its first; one that is never shown, when
    they go forward, the moment they do.
    """
    moment = wall.replace(tzinfo=zone, fold=0).astimezone(dt.UTC)
    if wall_at(moment, zone) == wall:
        return moment
    # With fold=1 a time inside a gap is read by the offset after it, so it lies before the change.
    before = wall.replace(tzinfo=zone, fold=1).astimezone(dt.UTC)
    return first_change(zone, before, moment) or moment
