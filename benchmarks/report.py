"""Raw figures as JSON, medians with their spread as Markdown, peers also as pictures."""

from __future__ import annotations

import json
import os
import platform
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import django

from benchmarks import measures, plot
from benchmarks.database import execute
from benchmarks.peers import catalog

OWN: Final = "qforge"
Figures = dict[str, list[float]]
_ABOUT: Final = ("run as", "durable", "results", "history of states", "in your transaction")


@dataclass
class Results:
    """Figures by contestant, in the order in which they were measured."""

    facts: dict[str, Any]
    figures: dict[str, Figures] = field(default_factory=lambda: {OWN: {}})
    peers: list[str] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)
    """Peers that were not run, or not to the end, and why."""

    def add(self, contestant: str, measured: dict[str, float]) -> None:
        for name, value in measured.items():
            self.figures.setdefault(contestant, {}).setdefault(name, []).append(value)

    def beside(self, measure: str) -> Figures:
        """The values of one measure by contestant, of those that have any."""
        return {who: own[measure] for who, own in self.figures.items() if measure in own}


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


def markdown(results: Results) -> str:
    """A table of medians, with the least and the greatest value."""
    lines = [*_table("figure", results.figures[OWN])]
    if results.peers:
        lines += _peers(results)
    lines += [f"Environment: `{json.dumps(results.facts)}`", ""]
    return "\n".join(lines)


def _peers(results: Results) -> Iterator[str]:
    for workload, panels in _panels(results).items():
        yield from (f"## {workload.capitalize()}", "", f"![{workload}]({workload}.svg)", "")
        for measure, found in panels.items():
            yield from (f"### {measure[0].upper()}{measure[1:]}", "")
            yield from _table("queue", found)
    yield from ("## What was compared", "")
    yield f"| peer | {' | '.join(_ABOUT)} |"
    yield "|---" * (1 + len(_ABOUT)) + "|"
    for name, peer in catalog.descriptions(results.peers):
        words = (peer.configuration, peer.durable, peer.results, peer.history, peer.transactional)
        yield f"| {name} | " + " | ".join(words) + " |"
    yield ""
    for name, reason in results.missing.items():
        yield f"**{name}**: {' '.join(reason.split())}"
        yield ""


def _table(heading: str, figures: Figures) -> Iterator[str]:
    yield f"| {heading} | median | least | greatest |"
    yield "|---|---:|---:|---:|"
    for name, values in figures.items():
        cells = (statistics.median(values), min(values), max(values))
        yield f"| {name} | " + " | ".join(plot.short(value) for value in cells) + " |"
    yield ""


def _panels(results: Results) -> dict[str, dict[str, Figures]]:
    """Measures with their figures, by the workloads that were run."""
    found = {
        workload: {name: figures for name in names if (figures := results.beside(name))}
        for workload, names in measures.BY_WORKLOAD.items()
    }
    return {workload: panels for workload, panels in found.items() if panels}


def write(folder: Path, results: Results) -> None:
    """`raw.json`, `report.md`, and with peers a picture for each workload that was measured."""
    folder.mkdir(parents=True, exist_ok=True)
    raw: dict[str, Any] = {"environment": results.facts, "figures": results.figures[OWN]}
    if results.peers:
        raw |= {
            "peers": {name: results.figures.get(name, {}) for name in results.peers},
            "missing": results.missing,
        }
    (folder / "raw.json").write_text(json.dumps(raw, indent=2) + "\n", encoding="utf-8")
    (folder / "report.md").write_text(markdown(results), encoding="utf-8")
    for workload, panels in _panels(results).items() if results.peers else ():
        times = {name: found for name, found in panels.items() if name != measures.IN_FLIGHT}
        (folder / f"{workload}.svg").write_text(plot.svg(times, own=OWN), encoding="utf-8")
