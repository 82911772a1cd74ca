"""`manage.py jobs tail`: what happens, as it happens."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from django.core.management.base import CommandError, CommandParser
from django.db import DatabaseError, InterfaceError, connections

from jobs.api.base import bounded
from jobs.api.queries import as_event
from jobs.api.serializers.jobs import FeedEventSerializer
from jobs.errors import InvalidInput
from jobs.live import feed
from jobs.management.arguments import number, whole
from jobs.management.console import Console
from jobs.states import EventKind
from jobs.store.connections import alias

HELP: Final = "Follow the events of jobs, until Ctrl-C."
_PAGE: Final = 500


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("--job", type=whole(1, 2**63 - 1), metavar="ID", help="only this job's")
    parser.add_argument("--queue", metavar="NAME", help="only of jobs in this queue")
    parser.add_argument("--task", metavar="NAME", help="only of jobs of this task")
    parser.add_argument(
        "--kind", action="append", choices=[kind.value for kind in EventKind], help="only such"
    )
    parser.add_argument(
        "--after", metavar="CURSOR", help="of the event feed; `start` is the oldest event kept"
    )
    parser.add_argument(
        "--interval",
        type=number(0.1, 3600, "seconds"),
        default=1.0,
        metavar="SECONDS",
        help="between two looks (default: %(default)g)",
    )
    parser.add_argument(
        "--for",
        dest="seconds",
        type=number(0, 365 * 86_400, "seconds"),
        metavar="SECONDS",
        help="end after so long; 0 shows what is there and ends",
    )
    parser.add_argument("--json", action="store_true", help="print a JSON document a line")


def run(console: Console, options: dict[str, Any]) -> int:
    """Exit code 0, also by Ctrl-C; 2 for a cursor that is none."""
    end = None if options["seconds"] is None else time.monotonic() + options["seconds"]
    cursor: str | None = options["after"]
    away = False
    try:
        while True:
            try:
                # Remembered page by page, so that an outage neither repeats an event nor skips one.
                for events, following in _pages(cursor):
                    _print(console, events, options)
                    cursor = following
                away = False
            except InvalidInput as error:
                raise CommandError(f"--{error}", returncode=2) from None
            except (DatabaseError, InterfaceError) as error:
                if not away:
                    console.warn(f"database: {str(error).strip()}; trying again")
                away = True
                connections[alias()].close()
            if end is not None and time.monotonic() >= end:
                return 1 if away else 0
            time.sleep(options["interval"])
    except KeyboardInterrupt:
        return 0


def _pages(cursor: str | None) -> Iterator[tuple[list[feed.FeedEvent], str]]:
    more = True
    while more:
        with bounded() as using:
            page = feed.read(using, cursor, limit=_PAGE)
        yield page.events, page.cursor
        cursor, more = page.cursor, page.more


def _print(console: Console, events: list[feed.FeedEvent], options: dict[str, Any]) -> None:
    for event in events:
        wanted = (
            options["job"] in (None, event.job)
            and options["queue"] in (None, event.queue)
            and options["task"] in (None, event.task)
            and (not options["kind"] or event.kind in options["kind"])
        )
        if not wanted:
            continue
        # The job may be gone, and its task with it.
        shown = as_event(asdict(event) | {"task": event.task or "", "job__task": event.task or ""})
        if options["json"]:
            document = FeedEventSerializer(shown).data
            console.data(json.dumps(document, ensure_ascii=False))
        else:
            console.data(_line(event, shown["data"]))
    console.stdout.flush()


def _line(event: feed.FeedEvent, data: Any) -> str:
    at = event.at.strftime("%H:%M:%S.%f")[:-3]
    arrow = f"{event.from_status or 'new'} -> {event.to_status}"
    error = data.get("error") if isinstance(data, dict) else None
    told = error.get("type", "") if isinstance(error, dict) else ""
    parts = (at, f"job {event.job}", f"{event.kind:<12}", arrow, event.queue, event.task)
    return "  ".join(str(part) for part in (*parts, event.worker, told) if part)
