"""Types of command line arguments that say what was wrong and what is allowed."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence

from jobs.errors import InvalidInput


def whole(low: int, high: int) -> Callable[[str], int]:
    """A whole number from `low` to `high`."""

    def parse(text: str) -> int:
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdecimal()) or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(
                f"must be a whole number from {low:,} to {high:,}, not {text!r:.80}"
            )
        return int(text)

    return parse


def number(low: float, high: float, unit: str = "") -> Callable[[str], float]:
    """A finite number from `low` to `high`; `unit` is for the message."""

    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not low <= value <= high:
            what = f"a number of {unit}" if unit else "a number"
            raise argparse.ArgumentTypeError(
                f"must be {what} from {low:g} to {high:.0f}, not {text!r:.80}"
            )
        return value

    return parse


def by_name(conditions: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The values of `KEY=VALUE` texts by their keys. Raises InvalidInput."""
    texts: dict[str, list[str]] = {}
    for condition in conditions:
        name, equals, value = condition.partition("=")
        if not equals:
            raise InvalidInput("--filter", f"must be KEY=VALUE, not {condition!r:.80}")
        texts.setdefault(name.strip(), []).append(value.strip())
    return list(texts.items())
