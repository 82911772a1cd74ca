"""`manage.py jobs schedules`: what is enqueued by itself, and when next."""

from __future__ import annotations

from typing import Any, Final

from django.core.management.base import CommandParser
from django.utils import timezone

from jobs.api import schedules
from jobs.api.base import bounded
from jobs.api.serializers.schedules import ScheduleRowSerializer
from jobs.management import cells
from jobs.management.console import Console, table
from jobs.management.refusals import as_command_errors
from jobs.models import Schedule

HELP: Final = "List the schedules."
_MOST: Final = 1_000
_HEADER: Final = ("id", "last", "next", "name", "task", "times", "state")


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(console: Console, options: dict[str, Any]) -> int:
    """Exit code 0."""
    with as_command_errors(), bounded() as using:
        ids = list(
            Schedule.objects.using(using).order_by("id").values_list("pk", flat=True)[:_MOST]
        )
        shown = schedules.rows(using, ids)
    if options["json"]:
        console.json({"results": ScheduleRowSerializer(shown, many=True).data})
        return 0
    now = timezone.now()
    rows = [
        [
            str(row["id"]),
            cells.ago(now, row["last_run_at"]),
            cells.ago(now, row["next_run_at"]),
            row["name"],
            row["task"],
            row["description"] or "broken",
            "on" if row["enabled"] else f"off: {row['disabled_reason']}"[:100],
        ]
        for row in shown
    ]
    for line in table(_HEADER, rows, words=(3, 4, 5, 6)):
        console.data(line)
    return 0
