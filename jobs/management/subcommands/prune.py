"""`manage.py jobs prune`: delete finished jobs past their age now, instead of waiting for it."""

from __future__ import annotations

from typing import Any, Final

from django.core.management.base import CommandParser

from jobs.conf import conf
from jobs.management.arguments import number
from jobs.management.console import Console, duration
from jobs.states import TERMINAL, JobStatus
from jobs.store.connections import alias
from jobs.store.prune import count_old, prune_batch

HELP: Final = "Delete finished jobs and their events, by the ages in QFORGE['RETENTION_SECONDS']."
BATCH: Final = 1000
COUNTED: Final = 100_000
"""A dry run stops to count here."""
_LONGEST_SECONDS: Final = 100 * 365 * 86400.0
_STATUSES: Final = [status for status in JobStatus if status in TERMINAL]


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument(
        "--status",
        action="append",
        choices=[status.value for status in _STATUSES],
        help="only jobs that ended so; may be given several times",
    )
    parser.add_argument(
        "--older-than-seconds",
        type=number(0, _LONGEST_SECONDS, "seconds"),
        metavar="N",
        help="an age for this run, instead of the settings'",
    )
    parser.add_argument("--dry-run", action="store_true", help="count, and delete nothing")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(console: Console, options: dict[str, Any]) -> int:
    """Exit code 0. Ctrl-C ends it between two batches; what was deleted stays deleted."""
    using, dry_run = alias(), options["dry_run"]
    results = []
    for status in _STATUSES:
        if options["status"] and status not in options["status"]:
            continue
        age = options["older_than_seconds"]
        if age is None:
            age = conf.RETENTION_SECONDS[status]
        if age is None:
            count = 0
        elif dry_run:
            count = count_old(using, status, age_seconds=age, limit=COUNTED + 1)
        else:
            count = _prune(console, using, status, age)
        results.append({"status": status.value, "older_than_seconds": age, "jobs": count})
    if options["json"]:
        console.json({"dry_run": dry_run, "counted_up_to": COUNTED, "pruned": results})
    else:
        for result in results:
            console.data(_line(result, dry_run))
    return 0


def _prune(console: Console, using: str, status: JobStatus, age: float) -> int:
    total = 0
    while True:
        count = prune_batch(using, status, age_seconds=age, limit=BATCH)
        total += count
        if count < BATCH:
            return total
        console.progress(f"{status}: {total:,} pruned")


def _line(result: dict[str, Any], dry_run: bool) -> str:
    status, age, count = result["status"], result["older_than_seconds"], result["jobs"]
    if age is None:
        return f"{status:<10} kept for ever"
    verb = "would be pruned" if dry_run else "pruned"
    shown = f"over {COUNTED:,}" if dry_run and count > COUNTED else f"{count:,}"
    return f"{status:<10} {shown:>12} {verb} (ended over {duration(age)} ago)"
