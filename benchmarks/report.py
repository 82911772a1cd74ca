"""Raw figures as JSON, medians with their spread as Markdown."""

from __future__ import annotations

import json
import os
import platform
import statistics
from pathlib import Path
from typing import Any

import django

from benchmarks.database import execute

Figures = dict[str, list[float]]


def environment() -> dict[str, Any]:
    settings = ("server_version", "fsync", "synchronous_commit", "shared_buffers")
    return {
        "cpus": os.cpu_count(),
        "load before": round(os.getloadavg()[0], 2),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "django": django.get_version(),
        "postgresql": {name: execute(f"SHOW {name}")[0][0] for name in settings},
    }


def markdown(figures: Figures, facts: dict[str, Any]) -> str:
    """A table of medians, with the least and the greatest value."""
    lines = ["| figure | median | least | greatest |", "|---|---:|---:|---:|"]
    for name, values in figures.items():
        cells = (statistics.median(values), min(values), max(values))
        lines.append(f"| {name} | " + " | ".join(_short(value) for value in cells) + " |")
    lines += ["", f"Environment: `{json.dumps(facts)}`", ""]
    return "\n".join(lines)


def write(folder: Path, figures: Figures, facts: dict[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    raw = {"environment": facts, "figures": figures}
    (folder / "raw.json").write_text(json.dumps(raw, indent=2) + "\n", encoding="utf-8")
    (folder / "report.md").write_text(markdown(figures, facts), encoding="utf-8")


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"
