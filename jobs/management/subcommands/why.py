"""`manage.py jobs why ID`: say why a job is not running, or how it ended."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from django.core.management.base import CommandError, CommandParser

from jobs import explain
from jobs.errors import JobNotFound
from jobs.management.arguments import whole
from jobs.management.console import Console
from jobs.store.connections import alias

HELP: Final = "Say why a job is not running, or how it ended."


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("job", type=whole(1, 2**63 - 1), metavar="ID", help="the number of a job")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(console: Console, options: dict[str, Any]) -> int:
    """Exit code 0. Raises CommandError when there is no such job."""
    try:
        facts = explain.gather(alias(), options["job"])
    except JobNotFound as error:
        raise CommandError(str(error)) from None
    job, found = facts.job, explain.reasons(facts)
    if options["json"]:
        document = {"job": job.pk, "status": job.status, "at": facts.now}
        console.json({**document, "reasons": [asdict(reason) for reason in found]})
        return 0
    console.data(f"job {job.pk}  {job.task}  {job.status}")
    for reason in found:
        console.data(f"  {reason.summary}")
    return 0
