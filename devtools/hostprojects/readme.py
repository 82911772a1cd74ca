"""The README's steps, read from the README, so that they are tried as they stand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from devtools.hostprojects.errors import Unmet

HEADING: Final = "Add it to a project"
STEPS: Final = 4
_FENCE: Final = re.compile(
    r"^(?P<indent> *)```(?P<language>\w+)\n(?P<text>.*?)^(?P=indent)```$", re.M | re.S
)
_FILE: Final = re.compile(r"# (?P<file>[\w/]+\.py)\n")


@dataclass(frozen=True)
class Step:
    """One fenced block: a command for the shell, or lines to add to a file of the project."""

    text: str
    file: str | None = None
    """As in "settings.py"; None for a command."""


def steps(page: str) -> list[Step]:
    """The steps of the section `HEADING`, in order.

    Raises:
        Unmet: there are not `STEPS` of them, or one can be neither run nor added to a file.
    """
    section = re.search(rf"^## {HEADING}\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    found = [_step(block) for block in _FENCE.finditer(section[1] if section else "")]
    if len(found) != STEPS:
        raise Unmet(f"README: {len(found)} steps below {HEADING!r}, not {STEPS}")
    return found


def _step(block: re.Match[str]) -> Step:
    indent, language = block["indent"], block["language"]
    text = re.sub(rf"^{indent}", "", block["text"], flags=re.M)
    if language == "sh":
        return Step(text)
    named = _FILE.match(text)
    if language != "python" or not named:
        raise Unmet(f"README: neither a command nor lines for a named file:\n{text}")
    return Step(text, named["file"])
