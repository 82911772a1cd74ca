"""`manage.py jobs show ID`: one job and what happened to it."""

from __future__ import annotations

import json
from typing import Any, Final

from django.core.management.base import CommandParser

from jobs.api import queries
from jobs.api.base import bounded
from jobs.api.serializers.jobs import EventSerializer, JobSerializer
from jobs.management.arguments import whole
from jobs.management.console import Console
from jobs.management.refusals import as_command_errors

HELP: Final = "Show a job, its payload and its latest events."
_EVENTS: Final = 100


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("job", type=whole(1, 2**63 - 1), metavar="ID", help="the number of a job")
    parser.add_argument(
        "--events",
        type=whole(0, 1000),
        default=_EVENTS,
        metavar="N",
        help="the latest N (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(console: Console, options: dict[str, Any]) -> int:
    """Exit code 0; 1 when there is no such job."""
    job_id = options["job"]
    with as_command_errors(), bounded() as using:
        job = JobSerializer(queries.job_detail(using, job_id)).data
        latest = queries.event_rows(using, job_id).order_by("-id")[: options["events"]]
        shown = [queries.as_event(row) for row in reversed(latest)]
    events: list[Any] = [EventSerializer(event).data for event in shown]
    if options["json"]:
        console.json({**job, "events": events})
        return 0
    for name, value in job.items():
        if name == "error" and "\n" in value:
            console.data("error")
            for line in value.splitlines():
                console.data(f"  {line}")
        else:
            console.data(f"{name:<20} {_text(value)}".rstrip())
    for event in events:
        arrow = f"{event['from_status'] or 'new'} -> {event['to_status']}"
        parts = (event["at"], f"{event['kind']:<16}", arrow, event["worker"], _data(event["data"]))
        console.data("  ".join(part for part in parts if part).rstrip())
    return 0


def _text(value: Any) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _data(data: Any) -> str:
    """In one line; the traceback stands above."""
    if isinstance(data, dict) and isinstance(data.get("error"), dict):
        data = data | {"error": data["error"].get("type")}
    return json.dumps(data, ensure_ascii=False)[:200] if data else ""
