"""`manage.py jobs queues`: what waits in each queue and how fast it is."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from django.core.management.base import CommandParser
from django.utils import timezone

from jobs import stats
from jobs.api.base import bounded
from jobs.api.serializers.operating import QueueListSerializer
from jobs.management import cells
from jobs.management.console import Console, duration, table
from jobs.management.refusals import as_command_errors
from jobs.states import JobStatus

HELP: Final = "List the queues."
_HEADER: Final = (
    *("queue", "queued", "oldest", "running", "scheduled", "blocked", "in/m", "out/m"),
    *("p95 wait", "state"),
)
_COUNTED: Final = (JobStatus.RUNNING, JobStatus.SCHEDULED, JobStatus.BLOCKED)


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(console: Console, options: dict[str, Any]) -> int:
    """Exit code 0."""
    with as_command_errors(), bounded() as using:
        states, rates = stats.queue_states(using), stats.queue_rates(using)
    none, now = stats.QueueRates(), timezone.now()
    if options["json"]:
        results = [asdict(state) | {"rates": rates.get(state.name, none)} for state in states]
        console.json(QueueListSerializer({"results": results}).data)
        return 0
    rows = []
    for state in states:
        rate = rates.get(state.name, none)
        rows.append(
            [
                state.name,
                cells.count(state.jobs[JobStatus.QUEUED]),
                duration(state.oldest_queued_seconds),
                *(cells.count(state.jobs[status]) for status in _COUNTED),
                f"{rate.in_per_minute:,.0f}",
                f"{rate.out_per_minute:,.0f}",
                duration(rate.wait_p95_seconds),
                cells.state(state, now),
            ]
        )
    for line in table(_HEADER, rows):
        console.data(line)
    return 0
