"""Fire times where the clocks of a zone change.

The table is written by hand. The properties compare with a slow oracle that reads the zone's clock
minute by minute.
"""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jobs.cron import Cron

MINUTE = dt.timedelta(minutes=1)

# 2026: London goes forward on 29 March at 01:00 and back on 25 October at 02:00; New York forward
# on 8 March at 02:00 and back on 1 November at 02:00; Lord Howe, by half an hour, back on 5 April
# at 02:00 and forward on 4 October at 02:00.
LONDON, NEW_YORK, LORD_HOWE = "Europe/London", "America/New_York", "Australia/Lord_Howe"

TABLE = [
    # Fixed times in a gap fire once, when the clocks go forward.
    (LONDON, "30 1 * * *", "2026-03-28", ["28 01:30+0000", "29 02:00+0100", "30 01:30+0100"]),
    (LONDON, "0 1 * * *", "2026-03-28", ["28 01:00+0000", "29 02:00+0100", "30 01:00+0100"]),
    (LONDON, "0,20,40 1 * * *", "2026-03-29", ["29 02:00+0100", "30 01:00+0100"]),
    (LONDON, "30 1,2 * * *", "2026-03-29", ["29 02:00+0100", "29 02:30+0100", "30 01:30+0100"]),
    (NEW_YORK, "30 2 * * *", "2026-03-07", ["07 02:30-0500", "08 03:00-0400", "09 02:30-0400"]),
    (LORD_HOWE, "15 2 * * *", "2026-10-03", ["03 02:15+1030", "04 02:30+1100", "05 02:15+1100"]),
    # Fixed times in a fold fire once, the first time round.
    (LONDON, "30 1 * * *", "2026-10-24", ["24 01:30+0100", "25 01:30+0100", "26 01:30+0000"]),
    (LONDON, "0 2 * * *", "2026-10-25", ["25 02:00+0000", "26 02:00+0000"]),
    (NEW_YORK, "30 1 * * *", "2026-10-31", ["31 01:30-0400", "01 01:30-0400", "02 01:30-0500"]),
    (LORD_HOWE, "45 1 * * *", "2026-04-04", ["04 01:45+1100", "05 01:45+1100", "06 01:45+1030"]),
    # Wildcards run by real time: nothing in a gap, twice in a fold.
    (LONDON, "0 * * * *", "2026-03-29", ["29 00:00+0000", "29 02:00+0100", "29 03:00+0100"]),
    (LONDON, "*/30 1 * * *", "2026-03-28", ["28 01:00+0000", "28 01:30+0000", "30 01:00+0100"]),
    (
        LONDON,
        "*/30 1 * * *",
        "2026-10-25",
        ["25 01:00+0100", "25 01:30+0100", "25 01:00+0000", "25 01:30+0000", "26 01:00+0000"],
    ),
    (
        NEW_YORK,
        "0 * * * *",
        "2026-11-01",
        ["01 00:00-0400", "01 01:00-0400", "01 01:00-0500", "01 02:00-0500"],
    ),
    (NEW_YORK, "15 */2 * * *", "2026-03-08", ["08 00:15-0500", "08 04:15-0400", "08 06:15-0400"]),
    # Half an hour, where a search by whole hours passes times over.
    (
        LORD_HOWE,
        "45 * * * *",
        "2026-04-05",
        ["05 00:45+1100", "05 01:45+1100", "05 01:45+1030", "05 02:45+1030"],
    ),
    (
        LORD_HOWE,
        "*/10 2 * * *",
        "2026-04-05",
        ["05 02:00+1030", "05 02:10+1030", "05 02:20+1030", "05 02:30+1030"],
    ),
    (LORD_HOWE, "*/20 2 * * *", "2026-10-04", ["04 02:40+1100", "05 02:00+1100", "05 02:20+1100"]),
    (LORD_HOWE, "0 * * * *", "2026-10-04", ["04 00:00+1030", "04 01:00+1030", "04 03:00+1100"]),
]


@pytest.mark.parametrize(("zone", "expression", "day", "expected"), TABLE)
def test_the_documented_rule_at_a_change_of_clocks(
    zone: str, expression: str, day: str, expected: list[str]
) -> None:
    cron = Cron(expression, ZoneInfo(zone))
    moment = dt.datetime.fromisoformat(day).replace(tzinfo=ZoneInfo(zone)) - MINUTE
    found = []
    for _ in expected:
        following = cron.after(moment.astimezone(dt.UTC))
        assert following is not None
        moment = following
        found.append(moment.astimezone(ZoneInfo(zone)).strftime("%d %H:%M%z"))
    assert found == expected


CHANGES = [
    (LONDON, "2026-03-29T01:00"),
    (LONDON, "2026-10-25T01:00"),
    (NEW_YORK, "2026-03-08T07:00"),
    (NEW_YORK, "2026-11-01T06:00"),
    (LORD_HOWE, "2026-04-04T15:00"),
    (LORD_HOWE, "2026-10-03T15:30"),
    ("Africa/Cairo", "2026-04-23T22:00"),  # at midnight, so that a date begins at 01:00
    ("America/Havana", "2026-11-01T05:00"),
    ("Pacific/Apia", "2011-12-30T10:00"),  # a day that never was
    ("Asia/Kathmandu", "1985-12-31T18:30"),  # by a quarter of an hour, at midnight
    ("UTC", "2026-03-29T01:00"),
]
MINUTES = {"*": range(60), "*/15": range(0, 60, 15), "0": [0], "45": [45], "5,35": [5, 35]}
HOURS = {"*": range(24), "*/2": range(0, 24, 2), "1": [1], "2": [2], "0-2": [0, 1, 2], "23": [23]}
DAYS = {"*": range(1, 32), "24-31": range(24, 32), "1-5": range(1, 6)}


def shown(moment: dt.datetime, zone: ZoneInfo) -> dt.datetime:
    return moment.astimezone(zone).replace(tzinfo=None)


def oracle(
    minute: str, hour: str, day: str, zone: ZoneInfo, start: dt.datetime, end: dt.datetime
) -> list[dt.datetime]:
    """Fire times after `start`, up to `end`, by reading the clock at every minute."""
    early = start - dt.timedelta(days=2)
    steps = int((end - early) / MINUTE) + 1
    clock = [(early + n * MINUTE, shown(early + n * MINUTE, zone)) for n in range(steps)]

    def matches(wall: dt.datetime) -> bool:
        return wall.minute in MINUTES[minute] and wall.hour in HOURS[hour] and wall.day in DAYS[day]

    if minute.startswith("*") or hour.startswith("*"):
        fires = {moment for moment, wall in clock if matches(wall)}
    else:
        fires, latest = set(), clock[0][1]
        for moment, wall in clock[1:]:
            # Every wall time up to the one shown now that was not shown before, skipped ones too.
            while latest < wall:
                latest += MINUTE
                if matches(latest):
                    fires.add(moment)
    return sorted(moment for moment in fires if start < moment <= end)


@settings(max_examples=60, deadline=None)
@given(
    change=st.sampled_from(CHANGES),
    minute=st.sampled_from(sorted(MINUTES)),
    hour=st.sampled_from(sorted(HOURS)),
    day=st.sampled_from(sorted(DAYS)),
    offset=st.integers(-1500, 1500),
    seconds=st.sampled_from([0, 1, 59.5]),
)
@example(CHANGES[1], "5,35", "1", "*", 10, 0)  # begins inside the repeated hour
@example(CHANGES[6], "*/15", "*", "24-31", -300, 0)  # a date whose midnight never was
def test_fire_times_are_those_of_a_clock_read_minute_by_minute(
    change: tuple[str, str], minute: str, hour: str, day: str, offset: int, seconds: float
) -> None:
    zone = ZoneInfo(change[0])
    around = dt.datetime.fromisoformat(change[1]).replace(tzinfo=dt.UTC)
    start = around + offset * MINUTE + dt.timedelta(seconds=seconds)
    end = (start + dt.timedelta(days=1, hours=2)).replace(second=0, microsecond=0)
    expected = oracle(minute, hour, day, zone, start.replace(second=0, microsecond=0), end)

    cron, found, moment = Cron(f"{minute} {hour} {day} * *", zone), [], start
    while (following := cron.after(moment)) is not None and following <= end:
        found.append(following)
        moment = following

    assert found == expected
