"""`manage.py jobs enqueue TASK --payload JSON`."""

from __future__ import annotations

import json
import sys
from typing import Any, Final

from django.core.management.base import CommandParser

from jobs import lifecycle
from jobs.api import queries
from jobs.api.base import bounded
from jobs.api.serializers.jobs import JobSerializer
from jobs.backoff import MAX_DELAY_SECONDS
from jobs.client import JobSpec, prepare
from jobs.conf import BOUNDS
from jobs.errors import InvalidInput
from jobs.management.arguments import number, whole
from jobs.management.console import Console
from jobs.management.refusals import as_command_errors
from jobs.registry import PRIORITIES

HELP: Final = "Enqueue a job."


def add_arguments(parser: CommandParser) -> None:
    low, high = BOUNDS["MAX_ATTEMPTS"]
    parser.add_argument("task", metavar="TASK", help="name of a registered task")
    parser.add_argument(
        "--payload", default="{}", metavar="JSON", help="an object of arguments; - reads stdin"
    )
    parser.add_argument("--queue", metavar="NAME", help="instead of the task's own")
    parser.add_argument("--priority", type=whole(*PRIORITIES), metavar="N", help="higher first")
    parser.add_argument(
        "--max-attempts", type=whole(int(low), int(high)), metavar="N", help="total tries"
    )
    parser.add_argument(
        "--delay",
        type=number(0, MAX_DELAY_SECONDS, "seconds"),
        metavar="SECONDS",
        help="not before this time from now",
    )
    parser.add_argument("--key", metavar="TEXT", help="idempotency key")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(console: Console, options: dict[str, Any]) -> int:
    """Exit code 0; 2 for what cannot be enqueued. The job is what stdout tells."""
    with as_command_errors():
        spec = JobSpec(
            task=options["task"],
            payload=_payload(options["payload"]),
            queue=options["queue"],
            priority=options["priority"],
            max_attempts=options["max_attempts"],
            delay_seconds=options["delay"],
            idempotency_key=options["key"],
        )
        with bounded() as using:
            enqueued = lifecycle.enqueue(using, [prepare(spec)])[0]
            job = queries.job_detail(using, enqueued.id)
    if options["json"]:
        console.json(JobSerializer(job).data)
    else:
        before = "" if enqueued.created else "; its key had it before"
        console.data(f"job {enqueued.id} is {job['status']}{before}")
    return 0


def _payload(text: str) -> Any:
    try:
        return json.loads(sys.stdin.read() if text == "-" else text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput("--payload", f"is not JSON: {error}") from None
