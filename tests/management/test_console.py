from __future__ import annotations

import io
import json

import pytest
from django.core.management.base import OutputWrapper
from django.core.management.color import no_style

from jobs.management.console import Console, duration, sparkline, table
from tests.management.terminal import Terminal


def console(*, terminal: bool) -> tuple[Console, io.StringIO, io.StringIO]:
    out, err = (Terminal(), Terminal()) if terminal else (io.StringIO(), io.StringIO())
    return Console(OutputWrapper(out), OutputWrapper(err), no_style()), out, err


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (None, "-"),
        (-3, "0s"),
        (0, "0s"),
        (0.9, "0s"),
        (59.9, "59s"),
        (60, "1m"),
        (61.5, "1m1s"),
        (72, "1m12s"),
        (3600, "1h"),
        (3660.5, "1h1m"),
        (90_000, "1d1h"),
        (30 * 86_400, "30d"),
    ],
)
def test_a_duration_shows_its_two_largest_units(seconds: float | None, shown: str) -> None:
    assert duration(seconds) == shown


def test_a_table_aligns_names_left_and_numbers_right() -> None:
    assert table(
        ["queue", "ready", "state"], [["mail", "790", "active"], ["a", "1", "PAUSED"]]
    ) == [
        "queue  ready  state",
        "mail     790  active",
        "a          1  PAUSED",
    ]


def test_data_and_words_take_different_streams() -> None:
    printed, out, err = console(terminal=False)
    printed.data("42")
    printed.say("done")
    printed.warn("careful")
    assert (out.getvalue(), err.getvalue()) == ("42\n", "done\n! careful\n")


def test_progress_is_for_terminals() -> None:
    printed, out, err = console(terminal=False)
    printed.progress("1 of 2")
    printed.clear()
    printed.data("end")
    assert (out.getvalue(), err.getvalue()) == ("end\n", "")


def test_progress_is_wiped_before_anything_else_is_written() -> None:
    printed, out, err = console(terminal=True)
    printed.progress("1 of 2")
    printed.progress("2 of 2")
    printed.data("end")
    printed.data("more")
    assert err.getvalue() == "\r\x1b[K1 of 2\r\x1b[K2 of 2\r\x1b[K"
    assert out.getvalue() == "end\nmore\n"


def test_a_document_is_one_json_value() -> None:
    printed, out, _ = console(terminal=False)
    printed.json({"name": "Grüße", "at": [1, None]})
    assert json.loads(out.getvalue()) == {"name": "Grüße", "at": [1, None]}
    assert "Grüße" in out.getvalue()


def test_the_sparkline_fits_its_width() -> None:
    assert sparkline([]) == "-"
    assert sparkline([0, 0]) == "▁▁"
    assert sparkline([0, 7, 14]) == "▁▄█"
    assert len(sparkline(list(range(500)))) <= 40
