"""Runs the workloads, of QForge and of peers, interleaved by repetition; writes the report."""

from __future__ import annotations

import tempfile
from importlib import import_module
from pathlib import Path

import django

from benchmarks.scale import Scale


def run(
    workloads: list[str], *, repetitions: int, scale: Scale, out: Path, peers: list[str]
) -> bool:
    """Measure each workload `repetitions` times in turn; the database is that of DATABASE_URL.

    Returns:
        False when a peer failed; its reason stands in the report.
    """
    django.setup()
    from django.core.management import call_command

    from benchmarks import report
    from benchmarks.peers.field import gathered

    call_command("migrate", verbosity=0)
    results = report.Results(facts=report.environment())
    with (
        tempfile.TemporaryDirectory(prefix="qforge-peers-") as folder,
        gathered(peers, Path(folder)) as field,
    ):
        results.facts |= {"peers": field.facts()} if peers else {}
        for repetition in range(repetitions):
            for workload in workloads:
                print(f"{repetition + 1}/{repetitions} {workload} …", flush=True)
                module = import_module(f"benchmarks.workloads.{workload}")
                results.add(report.OWN, module.measure(scale))
                for name in peers:
                    results.add(name, field.measure(name, workload, scale))
        results.peers, results.missing = peers, field.missing
    report.write(out, results)
    print(report.markdown(results))
    print(f"Written to {out}/report.md and {out}/raw.json.")
    return not field.failed
