"""docs/reference/findings.md: what the doctor finds, why it matters and what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from devtools.reference.markers import cell, inserted
from jobs.doctor.words import Code, Finding, Severity

PAGE: Final = Path("docs/reference/findings.md")


def rendered(root: Path) -> str:
    """The page, with its table of findings written anew."""
    return inserted((root / PAGE).read_text(encoding="utf-8"), "findings", _table())


def _table() -> str:
    rows = ["| id | finding | why it matters | what to do |", "|---|---|---|---|"]
    for code in Code:
        finding = Finding(code, Severity.INFO, "", {})
        name = code.name.replace("_", " ").lower()
        rows.append(f"| `{code}` | {name} | {cell(finding.why)} | {cell(finding.do)} |")
    return "\n".join(rows)
