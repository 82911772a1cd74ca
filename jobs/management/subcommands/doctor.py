"""`manage.py jobs doctor`: what is wrong with the queue as a whole, and what to do about it."""

from __future__ import annotations

from typing import Any, Final

from django.core.management.base import CommandParser

from jobs import doctor
from jobs.doctor import Limits, Severity
from jobs.management.arguments import number
from jobs.management.console import Console

HELP: Final = (
    "Examine database, schema, workers and queues; exit code 0 well, 1 warnings, 2 critical."
)


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument(
        "--max-transaction-age",
        type=number(0, 365 * 86_400, "seconds"),
        default=Limits().transaction_seconds,
        metavar="SECONDS",
        help="of the oldest transaction that holds dead rows (default: %(default)g)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(console: Console, options: dict[str, Any]) -> int:
    """The exit code is the worst finding's severity."""
    limits = Limits(transaction_seconds=options["max_transaction_age"])
    found = doctor.findings(doctor.gather(), limits)
    worst = max((finding.severity for finding in found), default=Severity.INFO)
    if options["json"]:
        console.json({"code": int(worst), "findings": [one.document() for one in found]})
        return int(worst)
    for one in found:
        console.data(f"{one.severity.name:<8}  {one.code}  {one.what}")
        console.data(f"{'':<8}  why: {one.why}")
        console.data(f"{'':<8}  do:  {one.do}")
    if not found:
        console.say("All is well.")
    return int(worst)
