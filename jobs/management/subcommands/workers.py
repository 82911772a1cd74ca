"""`manage.py jobs workers`: the pools of workers, as they last told of themselves."""

from __future__ import annotations

from typing import Any, Final

from django.core.management.base import CommandParser
from django.utils import timezone

from jobs import stats
from jobs.api.base import bounded
from jobs.api.serializers.operating import WorkerListSerializer
from jobs.management import cells
from jobs.management.console import Console, duration, table
from jobs.management.refusals import as_command_errors

HELP: Final = "List the worker processes."
_HEADER: Final = (
    "name",
    "pid",
    "busy",
    "heartbeat",
    "uptime",
    "host",
    "version",
    "queues",
    "state",
)


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(console: Console, options: dict[str, Any]) -> int:
    """Exit code 0, also when there are none; `jobs status --check` is for monitoring."""
    with as_command_errors(), bounded() as using:
        pools = stats.pool_states(using)
    if options["json"]:
        console.json(WorkerListSerializer({"results": pools}).data)
        return 0
    now = timezone.now()
    rows = [
        [
            pool.name,
            str(pool.pid),
            f"{pool.busy}/{pool.threads}",
            duration(pool.heartbeat_age_seconds),
            cells.ago(now, pool.started_at),
            pool.host,
            pool.version,
            ",".join(pool.queues) or "all",
            "lost" if pool.lost else "stopping" if pool.stopping else "live",
        ]
        for pool in pools
    ]
    for line in table(_HEADER, rows, words=(0, 5, 6, 7, 8)):
        console.data(line)
    return 0
