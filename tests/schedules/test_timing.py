"""Fire times in the past, intervals, and the checks of options."""

from __future__ import annotations

import datetime as dt
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobs import timing
from jobs.cron import Cron
from jobs.errors import InvalidInput
from jobs.timing import Interval, Timing, due
from jobs.zones import get_zone

NOW = dt.datetime(2026, 6, 30, 12, 0, 30, tzinfo=dt.UTC)
LONDON = get_zone("Europe/London")
SECOND = dt.timedelta(seconds=1)

TIMINGS: list[Timing] = [
    *(
        Cron(expression, LONDON)
        for expression in (
            "* * * * *",
            "*/7 9-17 * * MON-FRI",
            "0 3 * * *",
            "30 1 1 * *",
            "0 0 29 2 *",
        )
    ),
    Interval(7, NOW - dt.timedelta(days=40)),
    Interval(86_400, NOW.replace(second=0)),
]


def walked(fires: Timing, first: dt.datetime, now: dt.datetime) -> list[dt.datetime]:
    found, moment = [], first - dt.timedelta(microseconds=1)
    while (following := fires.after(moment)) is not None and following <= now:
        found.append(following)
        moment = following
    return found


@settings(max_examples=150, deadline=None)
@given(
    fires=st.sampled_from(TIMINGS),
    back=st.integers(0, 20_000),
    now=st.integers(0, 400 * 86_400),
    limit=st.sampled_from([1, 2, 10, 1000]),
)
def test_what_is_due_is_the_end_of_a_walk_through_all_fire_times(
    fires: Timing, back: int, now: int, limit: int
) -> None:
    until = NOW + now * SECOND
    first = until - back * SECOND
    assert due(fires, first=first, now=until, limit=limit) == walked(fires, first, until)[-limit:]


def test_both_ends_are_included() -> None:
    fires = Cron("0 * * * *", LONDON)
    noon, one = NOW.replace(second=0), NOW.replace(hour=13, second=0)
    assert due(fires, first=noon, now=one, limit=5) == [noon, one]


@pytest.mark.parametrize("expression", ["* * * * *", "* * * 1 *", "0 0 29 2 *"])
def test_ten_years_of_downtime_cost_no_walk_through_them(expression: str) -> None:
    fires = Cron(expression, LONDON)
    started = time.perf_counter()
    found = due(fires, first=NOW - dt.timedelta(days=3650), now=NOW, limit=1)
    assert found == due(fires, first=NOW - dt.timedelta(days=1000), now=NOW, limit=1)
    assert time.perf_counter() - started < 5


def test_an_interval_keeps_its_beat_however_late_it_is_asked() -> None:
    fires = Interval(90, NOW)
    assert fires.after(NOW) == NOW + 90 * SECOND
    assert fires.after(NOW + 89 * SECOND) == NOW + 90 * SECOND
    assert fires.after(NOW + 1000 * SECOND) == NOW + 1080 * SECOND
    assert fires.after(NOW - 1 * SECOND) == NOW


GOOD: dict[str, Any] = {"cron": "0 3 * * *", "interval_seconds": None, "timezone": "UTC"}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"cron": ""}, "cron"),
        ({"interval_seconds": 60}, "cron"),
        ({"cron": "0 0 30 2 *"}, "cron"),
        ({"timezone": "Mars/Olympus"}, "timezone"),
        ({"timezone": None}, "timezone"),
        *(
            ({"cron": "", "interval_seconds": seconds}, "interval_seconds")
            for seconds in (0, -1, 1.5, True, "60", 366 * 86_400 + 1, float("nan"))
        ),
    ],
)
def test_times_that_cannot_be_are_refused_by_field(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        timing.check_times(GOOD | changes)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("missed", value) for value in ("never", "", None, [], "LAST")),
        *(("overlap", value) for value in ("all", None, {})),
        *(("missed_limit", value) for value in (0, 1001, True, 1.0, None, "5")),
    ],
)
def test_a_policy_that_is_none_is_refused_by_field(field: str, value: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        timing.check_policy({**timing.DEFAULTS, field: value})
    assert caught.value.field == field
