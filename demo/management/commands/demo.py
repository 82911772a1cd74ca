"""`manage.py demo`: enqueue what a shop might, watch it being done, and say what came of it."""

from __future__ import annotations

import argparse
import sys
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.urls import reverse

from demo import flows, scenario, showcase
from demo.flows import Flow
from demo.showcase import Placed
from jobs.management import api_client
from jobs.management.arguments import number, whole
from jobs.management.console import Console, quiet_when_unread, table
from jobs.states import WorkflowStatus

_HEADER = ("what", "jobs", "succeeded", "failed", "cancelled", "open", "attempts", "as it should")


class Command(BaseCommand):
    help = (
        "Enqueues e-mails, webhooks, image work, a report and more over the HTTP API, waits for "
        "all of it and checks it. Exit code 0 only if every job came to what it should."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        api_client.add_arguments(parser)
        parser.add_argument(
            "--jobs",
            type=whole(scenario.SMALLEST, scenario.LARGEST),
            default=40,
            help="how many (default: %(default)s)",
        )
        parser.add_argument(
            "--wait",
            action=argparse.BooleanOptionalAction,
            default=True,
            help="wait for the jobs to end (default: wait)",
        )
        parser.add_argument(
            "--timeout",
            type=number(1, 86_400, "seconds"),
            default=120.0,
            help="seconds to wait (default: %(default)g)",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, *args: Any, **options: Any) -> None:
        with quiet_when_unread():
            self._run(options)

    def _run(self, options: dict[str, Any]) -> None:
        console = Console(self.stdout, self.stderr, self.style)
        client = api_client.from_options(options)
        started = time.monotonic()
        try:
            placed, submitted = _place(console, client, options["jobs"])
            if options["wait"]:
                showcase.follow(
                    client,
                    placed,
                    submitted,
                    deadline=started + options["timeout"],
                    progress=console.progress,
                )
        except KeyboardInterrupt:
            console.say("Stopped. The jobs that were enqueued go on.")
            sys.exit(130)
        finally:
            client.close()
        if options["wait"]:
            here = api_client.parse_url(options["url"]).hostname in api_client.LOOPBACK
            showcase.judge(placed, files_here=here)
        report = _report(placed, submitted, options, time.monotonic() - started)
        if options["json"]:
            console.json(report)
        else:
            for line in _text(placed, report):
                console.data(line)
        if not report["ok"]:
            sys.exit(1)


def _place(
    console: Console, client: api_client.ApiClient, count: int
) -> tuple[list[Placed], list[Flow]]:
    image = showcase.upload(client, scenario.picture())
    run = uuid.uuid4().hex[:12]
    orders = scenario.orders(
        count,
        run=run,
        image=image,
        receiver=(settings.DEMO_URL or client.url).rstrip("/") + reverse("demo:webhooks"),
    )
    placed = showcase.place(client, orders, console.progress)
    submitted = flows.flows(run)
    flows.place(client, submitted)
    console.say(
        f"{len(placed)} jobs enqueued and {len(submitted)} workflows submitted at {client.url}"
    )
    return placed, submitted


def _report(
    placed: Sequence[Placed], submitted: Sequence[Flow], options: dict[str, Any], seconds: float
) -> dict[str, Any]:
    waited = options["wait"]
    shown = [_flow(flow, waited) for flow in submitted]
    return {
        "ok": not any(one.wrong for one in placed) and not any(one["wrong"] for one in shown),
        "waited": waited,
        "url": options["url"],
        "seconds": round(seconds, 1),
        "jobs": [
            {
                "id": one.id,
                "kind": one.order.kind,
                "task": one.order.document["task"],
                "status": one.job["status"],
                "expected": one.order.status,
                "attempts": one.job["attempts"],
                "file": showcase.made_file(one) if one.ended else None,
                "wrong": one.wrong,
            }
            for one in placed
        ],
        "workflows": shown,
    }


def _flow(flow: Flow, waited: bool) -> dict[str, Any]:
    return {
        "id": flow.id,
        "name": flow.name,
        "status": flow.shown["status"],
        "expected": flow.status,
        "wrong": list(flow.wrong()) if waited else [],
    }


def _text(placed: Sequence[Placed], report: dict[str, Any]) -> Iterator[str]:
    kinds = list(dict.fromkeys(one.order.kind for one in placed))
    rows = [_row(kind, [one for one in placed if one.order.kind == kind]) for kind in kinds]
    if report["waited"]:
        yield from table(_HEADER, rows)
    else:
        yield from table(_HEADER[:2], [row[:2] for row in rows], words=[0])
    yield ""
    for one in placed:
        for text in one.wrong:
            yield f"job {one.id} ({one.order.kind}) {text}"
    for flow in report["workflows"]:
        for text in flow["wrong"]:
            yield f"workflow {flow['id']} ({flow['name']}) {text}"
    yield from _where(placed, report)
    if not report["waited"]:
        yield f"{len(placed)} jobs enqueued; not waited for."
    elif report["ok"]:
        yield (
            f"All {len(placed)} jobs and {len(report['workflows'])} workflows came to what they "
            f"should, in {report['seconds']} s."
        )
    else:
        wrong = sum(bool(one.wrong) for one in placed)
        wrong += sum(bool(flow["wrong"]) for flow in report["workflows"])
        whole = len(placed) + len(report["workflows"])
        yield f"{wrong} of {whole} jobs and workflows did not come to what they should."


def _row(kind: str, placed: Sequence[Placed]) -> list[str]:
    statuses = Counter(one.job["status"] for one in placed)
    counts = [statuses.pop(name, 0) for name in ("succeeded", "failed", "cancelled")]
    attempts = sum(one.job["attempts"] for one in placed)
    cells = [len(placed), *counts, sum(statuses.values()), attempts]
    return [kind, *map(str, cells), "no" if any(one.wrong for one in placed) else "yes"]


def _where(placed: Sequence[Placed], report: dict[str, Any]) -> Iterator[str]:
    """Where to look: one job, or file, of each kind that is worth it."""
    url = report["url"].rstrip("/")
    yield f"Console      {url}/"
    for flow in report["workflows"]:
        title = "Workflow" if flow["expected"] == WorkflowStatus.SUCCEEDED else "A failed one"
        yield f"{title:<12} {url}/workflows/{flow['id']} ({flow['name']})"
    for title, kind in (("Retried", "flaky"), ("Dead letter", "dead letter")):
        one = next((one for one in placed if one.order.kind == kind), None)
        if one is not None:
            yield f"{title:<12} {url}/api/jobs/{one.id}/events/"
    made = [name for one in placed if one.ended and (name := showcase.made_file(one)) is not None]
    for folder in dict.fromkeys(name.split("/")[0] for name in made):
        names = [name for name in made if name.startswith(folder + "/")]
        count = "1 file" if len(names) == 1 else f"{len(names)} files"
        yield f"{folder.title():<12} {settings.MEDIA_ROOT}/{names[-1]} ({count})"
    yield ""
