"""`manage.py jobs list`: jobs by filter, the newest first."""

from __future__ import annotations

import time
from typing import Any, Final

from django.core.management.base import CommandParser
from django.utils import timezone

from jobs.api import queries, search
from jobs.api.base import bounded
from jobs.api.filters import FILTERS
from jobs.api.operations import values_of
from jobs.api.serializers.jobs import JobRowSerializer
from jobs.conf import conf
from jobs.management import cells
from jobs.management.arguments import by_name, whole
from jobs.management.console import Console, table
from jobs.management.refusals import as_command_errors
from jobs.stats.failures import HELD_IN
from jobs.store.filters import matching

HELP: Final = "List jobs, the newest first."
_HEADER: Final = ("id", "attempt", "created", "status", "queue", "task", "error")


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument(
        "--filter",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a condition as the API's list of jobs has it; may be given several times",
    )
    parser.add_argument(
        "--limit", type=whole(1, 1000), default=50, metavar="N", help="default: %(default)s"
    )
    parser.add_argument(
        "--before", type=whole(1, 2**63 - 1), metavar="ID", help="older than this job"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(console: Console, options: dict[str, Any]) -> int:
    """Exit code 0, also when there are none; 2 for a filter that is none."""
    limit = options["limit"]
    with as_command_errors():
        given = values_of(by_name(options["filter"]), FILTERS)
        with bounded() as using:
            rows, edge = _look(using, given, options["before"], limit)
    shown = [queries.as_row(row) for row in rows]
    if options["json"]:
        # `before` is where to go on; null at the end.
        console.json({"results": JobRowSerializer(shown, many=True).data, "before": edge})
        return 0
    now = timezone.now()
    for line in table(_HEADER, [_row(job, now) for job in shown], words=(3, 4, 5, 6)):
        console.data(line)
    if edge is not None:
        searched = "" if len(shown) == limit else "The time for one search is up; "
        console.say(f"{searched}go on with --before {edge}")
    return 0


def _look(
    using: str, given: dict[str, Any], before: int | None, limit: int
) -> tuple[list[Any], int | None]:
    """Rows, and the id before which there may be more."""
    rows = queries.job_rows(using).filter(matching(given, in_errors=True))
    if not search.is_needed("-id", given):
        if "error_fingerprint" in given and "status" not in given:
            rows = rows.filter(status__in=HELD_IN)
        older = rows if before is None else rows.filter(pk__lt=before)
        found = list(older.order_by("-id")[: limit + 1])
        return found[:limit], found[limit - 1]["id"] if len(found) > limit else None
    stretches, ids = search.Stretches.of(using, given), list[int]()
    end, edge = time.monotonic() + conf.API_TIMEOUT_SECONDS, before
    while True:
        part = stretches.look(rows, edge, limit + 1 - len(ids), descending=True)
        ids, edge = ids + part.ids, part.edge
        if len(ids) > limit:
            edge = ids[limit - 1]
        if len(ids) > limit or edge is None or time.monotonic() > end:
            return list(rows.filter(pk__in=ids[:limit]).order_by("-id")), edge


def _row(job: dict[str, Any], now: Any) -> list[str]:
    return [
        str(job["id"]),
        f"{job['attempts']}/{job['max_attempts']}",
        cells.ago(now, job["created_at"]),
        job["status"],
        job["queue"],
        job["task"],
        job["error_preview"][:80],
    ]
