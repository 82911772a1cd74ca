from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from benchmarks import plot

SVG = "{http://www.w3.org/2000/svg}"


def drawn(title: str, values: dict[str, list[float]]) -> ElementTree.Element:
    return ElementTree.fromstring(plot.svg({title: values}, own="qforge"))  # noqa: S314 - our own


def names(picture: ElementTree.Element) -> list[str | None]:
    return [text.text for text in picture.iter(f"{SVG}text") if text.get("class") == "name"]


def test_the_greatest_rate_and_the_least_time_come_first() -> None:
    values = {"slow & old": [1.0], "qforge": [9.0, 30.0, 8.0], "fast": [20.0]}
    assert names(drawn("drain, jobs/s", values)) == ["fast", "qforge", "slow & old"]
    assert names(drawn("pick-up, ms", values)) == ["slow & old", "qforge", "fast"]


def test_only_the_own_bar_is_coloured() -> None:
    bars = list(drawn("drain, jobs/s", {"a": [2.0], "qforge": [1.0]}).iter(f"{SVG}rect"))
    assert [bar.get("class") for bar in bars] == ["bar", "bar own"]


def test_ten_times_as_much_is_the_same_step_everywhere() -> None:
    picture = drawn("drain, jobs/s", {"a": [2.0], "b": [20.0], "c": [200.0]})
    c, b, a = (float(bar.get("width", "")) for bar in picture.iter(f"{SVG}rect"))
    assert c - b == pytest.approx(b - a, abs=0.2)
    assert b > a > 0


def test_whiskers_reach_from_the_least_to_the_greatest_value() -> None:
    picture = drawn("drain, jobs/s", {"a": [1.0, 10.0, 100.0]})
    (whisker,) = picture.iter(f"{SVG}path")
    least, greatest = re.findall(r"M([\d.]+) ", whisker.get("d", ""))[:2]
    ticks = {t.text: t.get("x") for t in picture.iter(f"{SVG}text") if t.get("class") == "tick"}
    assert (least, greatest) == (ticks["1"], ticks["100"])


def test_what_no_logarithm_has_stands_at_the_begin_of_the_scale() -> None:
    picture = drawn("pick-up, ms", {"a": [-0.2, -0.1, 0.0], "b": [3.0]})
    nothing, _ = (bar.get("width") for bar in picture.iter(f"{SVG}rect"))
    assert nothing == "0.0"
    assert plot.decades([-1.0, 0.0]) == (0, 1)


@pytest.mark.parametrize(
    ("values", "expected"),
    [([3.0], (0, 1)), ([1.0], (-1, 0)), ([0.2, 4000.0], (-1, 4)), ([10.0, 100.0], (0, 2))],
)
def test_the_scale_begins_below_the_least_value(
    values: list[float], expected: tuple[int, int]
) -> None:
    assert plot.decades(values) == expected


def test_pictures_follow_the_readers_colours() -> None:
    assert "prefers-color-scheme: dark" in plot.svg({"a": {"b": [1.0]}}, own="b")
