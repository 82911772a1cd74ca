"""`manage.py jobs check-workflows`: ask whether workflows and their steps agree."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from django.core.management.base import CommandParser

from jobs.management.console import Console
from jobs.store.connections import alias
from jobs.workflows.check import disagreements

HELP: Final = "List workflows that do not agree with their steps; exit code 1 when there are any."


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("--workflow", type=int, metavar="ID", help="ask about this one only")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(console: Console, options: dict[str, Any]) -> int:
    """Exit code 1 when something disagrees, which is a bug or a hand in the tables."""
    found = disagreements(alias(), options["workflow"])
    if options["json"]:
        console.json({"disagreements": [asdict(one) for one in found]})
    else:
        for one in found:
            step = f" step {one.step!r}" if one.step else ""
            console.data(f"workflow {one.workflow_id}{step}: {one.problem}")
        if not found:
            console.say("All workflows agree with their steps.")
    return 1 if found else 0
