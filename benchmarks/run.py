"""Runs the workloads, interleaved by repetition, and writes the report."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import django


def run(workloads: list[str], *, repetitions: int, small: bool, out: Path) -> None:
    """Measure each workload `repetitions` times in turn; the database is that of DATABASE_URL."""
    django.setup()
    from django.core.management import call_command

    from benchmarks import report
    from benchmarks.scale import FULL, SMALL

    call_command("migrate", verbosity=0)
    facts = report.environment()
    figures: report.Figures = {}
    for repetition in range(repetitions):
        for name in workloads:
            print(f"{repetition + 1}/{repetitions} {name} …", flush=True)
            measured = import_module(f"benchmarks.workloads.{name}").measure(
                SMALL if small else FULL
            )
            for figure, value in measured.items():
                figures.setdefault(figure, []).append(value)
    report.write(out, figures, facts)
    print(report.markdown(figures, facts))
    print(f"Written to {out}/report.md and {out}/raw.json.")
