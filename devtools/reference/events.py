"""docs/reference/events.md: the arrows of `jobs/states.py`, and the event each leaves."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from devtools import state_diagram
from devtools.reference.markers import inserted

PAGE: Final = Path("docs/reference/events.md")


def rendered(root: Path) -> str:
    """The page, with its table of arrows written anew."""
    return inserted((root / PAGE).read_text(encoding="utf-8"), "arrows", state_diagram.table())
