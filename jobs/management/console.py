"""What the umbrella's subcommands print with: data on stdout, words on stderr."""

from __future__ import annotations

import datetime as dt
import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from django.core.management.base import OutputWrapper
from django.core.management.color import Style

_CLEAR_LINE: Final = "\r\x1b[K"
_HOME_AND_CLEAR: Final = "\x1b[H\x1b[2J"
_BARS: Final = "▁▂▃▄▅▆▇█"
_UNITS: Final = ((86400, "d"), (3600, "h"), (60, "m"), (1, "s"))


@dataclass
class Console:
    """The two streams of a command, and the colours they may use."""

    stdout: OutputWrapper
    stderr: OutputWrapper
    style: Style
    _progress: bool = False

    @property
    def interactive(self) -> bool:
        """Whether a person reads stdout as it is written."""
        return self.stdout.isatty()

    def data(self, text: str = "") -> None:
        """A line of what was asked for."""
        self.end_progress()
        self.stdout.write(text)

    def json(self, document: Any) -> None:
        """The whole answer, as one document."""
        self.data(json.dumps(document, indent=2, ensure_ascii=False, default=_as_json))

    def say(self, text: str) -> None:
        """A line for people, beside the data."""
        self.end_progress()
        # Django would make all of stderr red.
        self.stderr.write(text, str)

    def warn(self, text: str) -> None:
        """A line for people to mind."""
        self.end_progress()
        self.stderr.write(f"! {text}", self.style.WARNING)

    def progress(self, text: str) -> None:
        """A line that the next one replaces; nothing where stderr is no terminal."""
        if self.stderr.isatty():
            self.stderr.write(_CLEAR_LINE + text, str, ending="")
            self.stderr.flush()
            self._progress = True

    def end_progress(self) -> None:
        if self._progress:
            self.stderr.write(_CLEAR_LINE, str, ending="")
            self._progress = False

    def clear(self) -> None:
        """An empty screen, on a terminal."""
        if self.interactive:
            self.stdout.write(_HOME_AND_CLEAR, ending="")


@contextmanager
def quiet_when_unread() -> Iterator[None]:
    """Ends the process without a word when whoever read its output has left, as `head` does."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes stdout once more on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(128 + signal.SIGPIPE)


def _as_json(value: Any) -> str:
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).isoformat().replace("+00:00", "Z")
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def duration(seconds: float | None) -> str:
    """A time span in its largest unit and the next, if any: `41s`, `1m12s`, `3d`; `-` for None."""
    if seconds is None:
        return "-"
    left, parts = int(max(seconds, 0)), list[str]()
    for size, unit in _UNITS:
        if left >= size or (unit == "s" and not parts):
            parts.append(f"{left // size}{unit}")
            left %= size
        elif parts:
            break
    return "".join(parts[:2])


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], words: Sequence[int] = (0, -1)
) -> list[str]:
    """Lines of a table; the columns `words` are flush left, the others, numbers, right."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    left = {n % len(header) for n in words}
    return [
        "  ".join(
            cell.ljust(width) if n in left else cell.rjust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (header, *rows)
    ]


def sparkline(counts: Sequence[int], width: int = 40) -> str:
    """Bars of at most `width` characters; several seconds share one when there are more."""
    if not counts:
        return "-"
    size = -(-len(counts) // width)
    merged = [max(counts[n : n + size]) for n in range(0, len(counts), size)]
    most = max(merged) or 1
    return "".join(_BARS[(len(_BARS) - 1) * count // most] for count in merged)
