"""`manage.py jobs loadtest`: a mixed load over HTTP, and a report on what came of it."""

from __future__ import annotations

import json
import time
import uuid
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from django.core.management.base import CommandError, CommandParser
from django.db import connections
from django.utils import timezone

from jobs.management import api_client
from jobs.management.arguments import number, whole
from jobs.management.console import Console
from jobs.management.loadtest import drive, environment, facts, figures, plan, report, verdict
from jobs.registry import DEFAULT_QUEUE
from jobs.store.connections import alias

HELP: Final = "Enqueue a mixed load over HTTP, wait for it, check it and report."
_OPTIONS: Final = ("jobs", "concurrency", "delayed", "flaky", "seed", "timeout", "queue")
_MAX_JOBS: Final = 100_000


def add_arguments(parser: CommandParser) -> None:
    api_client.add_arguments(parser)
    add = parser.add_argument
    add("--jobs", type=whole(1, _MAX_JOBS), default=500, help="how many (default: %(default)s)")
    add(
        "--concurrency",
        type=whole(1, 500),
        default=40,
        help="threads that enqueue (default: %(default)s)",
    )
    add(
        "--delayed",
        type=number(0, 1),
        default=0.2,
        help="share of delayed jobs (default: %(default)s)",
    )
    add(
        "--flaky",
        type=number(0, 1),
        default=0.3,
        help="share of failing jobs (default: %(default)s)",
    )
    add("--seed", type=int, default=1, help="of the load (default: %(default)s)")
    add(
        "--timeout",
        type=number(1, 86_400, "seconds"),
        default=180.0,
        help="seconds for all of it (default: %(default)g)",
    )
    add("--queue", default=DEFAULT_QUEUE, help="queue of the jobs (default: %(default)s)")
    add("--json", metavar="FILE", help="also write the report as JSON; - prints it instead")
    add(
        "--allow-remote",
        action="store_true",
        help="load a server that is not on this machine",
    )


def run(console: Console, options: dict[str, Any]) -> int:
    """Exit code 0 when every check passed, 1 when one failed, 130 after Ctrl-C."""
    host = api_client.parse_url(options["url"]).hostname
    if host not in api_client.LOOPBACK and not options["allow_remote"]:
        raise CommandError(f"{host} is not this machine; --allow-remote loads it all the same")
    with closing(api_client.from_options(options)) as client:
        # Whatever is wrong with the server or the login shows here, once and not 500 times.
        client.get("/api/queues/")
    using = alias()
    if not environment.live_workers(using)["pools"]:
        console.warn("no live worker is known here; start one: manage.py run_job_workers")
    try:
        made = _run(console, options, using)
    except KeyboardInterrupt:
        console.say("Stopped. The jobs that were enqueued go on.")
        return 130
    if options["json"] == "-":
        console.json(made)
    else:
        for line in report.text(made):
            console.data(line)
        if options["json"]:
            _write(options["json"], made)
            console.say(f"The report as JSON: {options['json']}")
    return 0 if made["status"] == "PASSED" else 1


def _run(console: Console, options: dict[str, Any], using: str) -> dict[str, Any]:
    planned = plan.make(
        options["jobs"],
        delayed=options["delayed"],
        flaky=options["flaky"],
        seed=options["seed"],
    )
    run_id = uuid.uuid4().hex[:12]
    started_at, deadline = timezone.now(), time.monotonic() + options["timeout"]
    total = len(planned)
    enqueuer = drive.Enqueuer(
        planned,
        run=run_id,
        queue=options["queue"],
        connect=lambda: api_client.from_options(options),
        deadline=deadline,
    )
    enqueued = enqueuer.work(
        options["concurrency"], lambda n: console.progress(f"enqueued {n:,} of {total:,}")
    )
    if not enqueued.ids:
        raise CommandError(f"no job was accepted: {enqueued.refusals[0]}")
    console.say(f"{len(enqueued.ids):,} jobs enqueued in {enqueued.wall_seconds:.1f} s; waiting")
    ids = sorted(enqueued.ids.values())
    drive.wait(
        using,
        ids,
        deadline=deadline,
        progress=lambda n: console.progress(f"finished {n:,} of {len(ids):,}"),
    )
    found = facts.read(using, ids)
    if not any(job.run == run_id for job in found.values()):
        raise CommandError(
            f"{options['url']} has taken the jobs, but they are not in this project's database "
            f"({connections[using].settings_dict['NAME']}); run this where the server runs"
        )
    return report.document(
        target=options["url"],
        run=run_id,
        options={name: options[name] for name in _OPTIONS},
        started_at=started_at,
        planned=planned,
        enqueued=enqueued,
        found=found,
        figures=figures.measure(planned, enqueued, found),
        checks=verdict.judge(planned, enqueued, found, run_id),
        environment=environment.describe(using),
    )


def _write(path: str, document: dict[str, Any]) -> None:
    try:
        Path(path).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"--json: {error}") from None
