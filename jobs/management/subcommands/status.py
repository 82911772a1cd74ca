"""`manage.py jobs status`: the queues and the workers, once, again and again, or as a check."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from django.core.management.base import CommandError, CommandParser
from django.db import DatabaseError
from django.utils import timezone

from jobs.management import cells, overview
from jobs.management.arguments import number, whole
from jobs.management.console import Console, duration, table
from jobs.states import JobStatus
from jobs.stats import BOUND, BoundedCount
from jobs.store.connections import alias

HELP: Final = "Show the queues and the workers."
OK, WARNING, CRITICAL = 0, 1, 2
_HEADER: Final = (
    *("queue", "ready", "oldest", "running", "retry", "sched", "dead"),
    *("in/m", "out/m", "p95 wait", "state"),
)


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument(
        "--watch",
        type=number(0.1, 86_400, "seconds"),
        metavar="SECONDS",
        help="show it again after so long, until Ctrl-C",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="for monitoring: exit 0 when well, 1 when a limit is passed, 2 when too few "
        "workers live or the database is away",
    )
    parser.add_argument(
        "--max-ready-age",
        type=number(0, 10 * 365 * 86_400, "seconds"),
        default=300.0,
        metavar="SECONDS",
        help="of the oldest ready job of a queue that is not paused (default: %(default)g)",
    )
    parser.add_argument("--max-dead", type=whole(0, BOUND - 1), metavar="N", help="failed jobs")
    parser.add_argument(
        "--min-workers",
        type=whole(0, 100_000),
        default=1,
        metavar="N",
        help="live worker processes (default: %(default)s)",
    )


def run(console: Console, options: dict[str, Any]) -> int:
    """Exit code 0, and with --check 0, 1 or 2. Ctrl-C ends --watch with 0."""
    if options["watch"] is None:
        return _once(console, options)
    if options["json"] or options["check"]:
        raise CommandError("--watch goes with neither --json nor --check", returncode=2)
    try:
        while True:
            _redraw(console)
            time.sleep(options["watch"])
    except KeyboardInterrupt:
        return 0


def _once(console: Console, options: dict[str, Any]) -> int:
    try:
        seen = overview.look(alias())
    except DatabaseError as error:
        if not options["check"]:
            raise CommandError(f"database: {error}") from None
        console.data(f"CRITICAL - database: {error}".splitlines()[0])
        return CRITICAL
    code, findings = judge(seen, options) if options["check"] else (OK, [])
    if options["json"]:
        document = _document(seen)
        if options["check"]:
            document |= {"code": code, "findings": findings}
        console.json(document)
    elif options["check"]:
        word = ("OK", "WARNING", "CRITICAL")[code]
        console.data(f"{word} - {'; '.join(findings) or _workers(seen)}")
    else:
        for line in _lines(seen):
            console.data(line)
    return code


def judge(seen: overview.Overview, limits: dict[str, Any]) -> tuple[int, list[str]]:
    """The exit code of --check, and what is wrong, the worst first."""
    warnings, critical = [], []
    if len(seen.live) < limits["min_workers"]:
        critical.append(f"{len(seen.live)} live workers, at least {limits['min_workers']} wanted")
    for queue in seen.queues:
        age, limit = queue.state.oldest_queued_seconds, limits["max_ready_age"]
        if age is not None and age > limit and queue.state.paused_at is None:
            shown = f"oldest ready job {duration(age)}, limit {duration(limit)}"
            warnings.append(f"queue {queue.state.name}: {shown}")
    dead = sum(queue.failed.count for queue in seen.queues)
    if limits["max_dead"] is not None and dead > limits["max_dead"]:
        shown = (
            f"{dead:,}" if all(queue.failed.exact for queue in seen.queues) else f"over {BOUND:,}"
        )
        warnings.append(f"{shown} failed jobs, limit {limits['max_dead']:,}")
    return (CRITICAL if critical else WARNING if warnings else OK), critical + warnings


def _document(seen: overview.Overview) -> dict[str, Any]:
    """Queues and workers as the API has them, each queue with its retrying and failed jobs too."""
    beside = ("retrying", "failed", "rates")
    return {
        "queues": [
            asdict(queue.state) | {name: asdict(getattr(queue, name)) for name in beside}
            for queue in seen.queues
        ],
        "workers": [asdict(pool) for pool in seen.pools],
    }


def _redraw(console: Console) -> None:
    try:
        lines = list(_lines(overview.look(alias())))
    except DatabaseError as error:
        # An outage is what people watch for; the next look may find the database back.
        lines = [f"database: {str(error).strip()}"]
    console.clear()
    console.data(timezone.now().isoformat(timespec="seconds"))
    for line in lines:
        console.data(line)
    console.data()


def _lines(seen: overview.Overview) -> Iterator[str]:
    now = timezone.now()
    yield from table(_HEADER, [_row(queue, now) for queue in seen.queues])
    yield _workers(seen)


def _row(queue: overview.QueueOverview, now: dt.datetime) -> list[str]:
    none = BoundedCount()
    return [
        queue.state.name,
        cells.count(queue.state.jobs.get(JobStatus.QUEUED, none)),
        duration(queue.state.oldest_queued_seconds),
        cells.count(queue.state.jobs.get(JobStatus.RUNNING, none)),
        cells.count(queue.retrying),
        cells.count(queue.scheduled),
        cells.count(queue.failed),
        f"{queue.rates.in_per_minute:,.0f}",
        f"{queue.rates.out_per_minute:,.0f}",
        duration(queue.rates.wait_p95_seconds),
        cells.state(queue.state, now),
    ]


def _workers(seen: overview.Overview) -> str:
    live, lost = seen.live, seen.lost
    threads, busy = sum(pool.threads for pool in live), sum(pool.busy for pool in live)
    parts = [f"workers {len(live)}", f"{busy} of {threads} threads busy"]
    if stopping := sum(pool.stopping for pool in live):
        parts.append(f"{stopping} stopping")
    if lost:
        last = min(pool.heartbeat_age_seconds for pool in lost)
        parts.append(f"{len(lost)} lost, last {duration(last)} ago")
    return ", ".join(parts)
