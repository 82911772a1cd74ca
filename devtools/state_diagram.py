"""Draws `jobs/states.py` as a Mermaid diagram and a table into ARCHITECTURE.md.

`python -m devtools.state_diagram` rewrites the part between the markers; a test holds it current.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from jobs.states import TRANSITIONS, JobStatus

BEGIN: Final = "<!-- states: begin, written by python -m devtools.state_diagram -->"
END: Final = "<!-- states: end -->"
PAGE: Final = Path(__file__).resolve().parent.parent / "ARCHITECTURE.md"


def rendered() -> str:
    """The diagram and the table, as Markdown."""
    return f"```mermaid\n{_diagram()}\n```\n\n{table()}"


def _diagram() -> str:
    lines = ["stateDiagram-v2"]
    for arrow in TRANSITIONS:
        for source in [s.value for s in JobStatus if s in arrow.sources] or ["[*]"]:
            lines += [
                f"    {source} --> {target.value}: {arrow.verb}"
                for target in JobStatus
                if target in arrow.targets
            ]
    return "\n".join(lines)


def table() -> str:
    """Every arrow with its verb and its event, as Markdown."""
    rows = ["| verb | from | to | event | when |", "|---|---|---|---|---|"]
    for arrow in TRANSITIONS:
        sources = ", ".join(s for s in JobStatus if s in arrow.sources) or "(new)"
        targets = ", ".join(s for s in JobStatus if s in arrow.targets)
        rows.append(f"| {arrow.verb} | {sources} | {targets} | `{arrow.event}` | {arrow.when} |")
    return "\n".join(rows)


def inserted(page: str) -> str:
    """`page` with the part between the markers written anew. Raises ValueError without markers."""
    pattern = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
    if not pattern.search(page):
        raise ValueError(f"{PAGE.name} has lost its markers")
    return pattern.sub(lambda _: f"{BEGIN}\n{rendered()}\n{END}", page)


def write() -> None:
    PAGE.write_text(inserted(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    write()
