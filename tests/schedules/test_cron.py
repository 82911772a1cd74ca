"""The grammar of cron expressions, and the dates they name."""

from __future__ import annotations

import datetime as dt
import time

import pytest

from jobs.cron import WORDS, Cron, explain, parse
from jobs.errors import InvalidInput
from jobs.zones import get_zone

UTC = get_zone("UTC")


def after(expression: str, moment: str) -> str:
    found = Cron(expression, UTC).after(dt.datetime.fromisoformat(moment + "+00:00"))
    assert found is not None
    return found.strftime("%Y-%m-%d %H:%M:%S")


@pytest.mark.parametrize(
    ("expression", "moment", "expected"),
    [
        ("* * * * *", "2026-01-01T00:00:00", "2026-01-01 00:01:00"),
        ("* * * * *", "2026-01-01T00:00:59.999999", "2026-01-01 00:01:00"),
        ("* * * * *", "2025-12-31T23:59:30", "2026-01-01 00:00:00"),
        ("0 0 1 1 *", "2026-01-01T00:00:00", "2027-01-01 00:00:00"),
        ("0 0 29 2 *", "2026-01-01T00:00:00", "2028-02-29 00:00:00"),
        ("0 0 29 2 *", "2096-03-01T00:00:00", "2104-02-29 00:00:00"),
        ("0 0 31 * *", "2026-01-31T00:00:00", "2026-03-31 00:00:00"),
        ("*/7 * * * *", "2026-01-01T00:56:00", "2026-01-01 01:00:00"),
        ("5/20 * * * *", "2026-01-01T00:05:00", "2026-01-01 00:25:00"),
        ("10-40/15 * * * *", "2026-01-01T00:25:00", "2026-01-01 00:40:00"),
        ("5,50 3,4 * * *", "2026-01-01T03:05:00", "2026-01-01 03:50:00"),
        ("0 0 13 * 5", "2026-01-01T00:00:00", "2026-01-02 00:00:00"),
        ("0 0 13 * *", "2026-01-01T00:00:00", "2026-01-13 00:00:00"),
        ("0 0 */1 * FRI", "2026-01-03T00:00:00", "2026-01-09 00:00:00"),
        ("0 0 13 * */5", "2026-01-01T00:00:00", "2026-02-13 00:00:00"),
        ("0 9 * * mon-fri", "2026-01-02T09:00:00", "2026-01-05 09:00:00"),
        ("0 0 * jan,Jul *", "2026-01-31T00:00:00", "2026-07-01 00:00:00"),
        ("  0\t0  1 1 * ", "2026-01-01T00:00:00", "2027-01-01 00:00:00"),
    ],
)
def test_an_expression_names_these_times(expression: str, moment: str, expected: str) -> None:
    assert after(expression, moment) == expected


def test_sunday_is_0_and_7_and_sun() -> None:
    times = {after(f"0 0 * * {day}", "2026-01-01T00:00:00") for day in ("0", "7", "SUN")}
    assert times == {"2026-01-04 00:00:00"}


@pytest.mark.parametrize(("word", "fields"), WORDS.items())
def test_a_word_stands_for_its_five_fields(word: str, fields: str) -> None:
    assert parse(word) == parse(word.upper()) == fields


@pytest.mark.parametrize(
    "expression", ["0 0 31 4 *", "0 0 30 2 *", "0 0 31 2,4,6 *", "0 0 30 2 */2"]
)
def test_a_date_that_never_comes_is_refused_at_once(expression: str) -> None:
    started = time.perf_counter()
    with pytest.raises(InvalidInput, match="never comes") as caught:
        parse(expression)
    assert (caught.value.field, caught.value.code) == ("cron", "impossible")
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize(
    ("expression", "named"),
    [
        ("60 * * * *", "minute"),
        ("* 24 * * *", "hour"),
        ("* * 0 * *", "day of month"),
        ("* * 32 * *", "day of month"),
        ("* * * 13 *", "month"),
        ("* * * * 8", "day of week"),
        ("*/0 * * * *", "minute"),
        ("*/90 * * * *", "minute"),
        ("5-1 * * * *", "minute"),
        ("* * * * sat-sun", "day of week"),
        ("a b c d e", "minute"),
        ("0 0 L * *", "day of month"),
        ("0 0 LW * *", "day of month"),
        ("0 0 * * 5L", "day of week"),
        ("0 0 * * MON#2", "day of week"),
        ("1,,2 * * * *", "minute"),
        ("1/2/3 * * * *", "minute"),
        ("-5 * * * *", "minute"),
        ("MON * * * *", "minute"),
        ("* * ? * *", "day of month"),
        ("\u0661 * * * *", "minute"),
        ("* * * *", "five"),
        ("0 * * * * *", "five"),
        ("", "five"),
        ("   ", "five"),
        ("@every 5m", "@hourly"),
        ("@reboot", "@hourly"),
        ("@", "@hourly"),
    ],
)
def test_anything_else_is_refused_and_the_error_names_the_field(
    expression: str, named: str
) -> None:
    with pytest.raises(InvalidInput, match=named) as caught:
        parse(expression)
    assert caught.value.field == "cron"
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("value", ["* " * 5000, "1," * 5000 + "1 * * * *", None, 5, ["*"] * 5])
def test_what_is_no_short_string_is_refused_at_once(value: object) -> None:
    started = time.perf_counter()
    with pytest.raises(InvalidInput, match="at most 255 characters"):
        parse(value)
    assert time.perf_counter() - started < 0.1


@pytest.mark.parametrize("expression", ["* 0 29 2 */7", "0 0 29 2 *", "*/59 23 31 12 *"])
def test_the_rarest_dates_are_found_within_a_second(expression: str) -> None:
    cron = Cron(expression, get_zone("Europe/London"))
    started = time.perf_counter()
    assert cron.after(dt.datetime(2072, 3, 1, tzinfo=dt.UTC)) is not None
    assert time.perf_counter() - started < 1


def test_an_expression_is_told_in_words() -> None:
    assert explain("*/15 9-17 * * MON-FRI").startswith("Every 15th minute from 09:00")
    assert explain("@daily") == "At 00:00 every day"


@pytest.mark.parametrize(
    "name",
    [
        *("", "Mars/Olympus", "localtime", "posixrules", "posix/Europe/London", "right/UTC"),
        *("Factory", "Europe", "../UTC", "/etc/passwd", "Europe/London\n", "a" * 10_000, None, 3),
    ],
)
def test_only_iana_zones_that_mean_the_same_everywhere_are_known(name: object) -> None:
    with pytest.raises(InvalidInput, match="IANA") as caught:
        get_zone(name)
    assert caught.value.field == "timezone"
    assert len(str(caught.value)) < 300
