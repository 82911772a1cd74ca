"""`manage.py jobs pause` and `resume`."""

from __future__ import annotations

import difflib
from typing import Any

from django.core.management.base import CommandError, CommandParser

from jobs import registry, stats
from jobs.api.base import bounded
from jobs.api.serializers.operating import QueueControlSerializer
from jobs.management.actor import actor
from jobs.management.console import Console
from jobs.management.refusals import as_command_errors
from jobs.models import Queue
from jobs.store import queues


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("queue", metavar="QUEUE", help="its name")
    parser.add_argument("--reason", default="", metavar="TEXT", help="kept in the audit")
    parser.add_argument(
        "--anyway", action="store_true", help="also a queue that nobody has heard of yet"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(console: Console, options: dict[str, Any], *, pause: bool) -> int:
    """Exit code 0, also when it was so before; 1 for an unknown queue; 2 for one that cannot be."""
    name, reason = options["queue"], options["reason"]
    with as_command_errors(), bounded() as using:
        registry.check_queue(name)
        if not options["anyway"]:
            _require(using, name)
        if pause:
            queue, changed = queues.pause(using, name, by=actor(), reason=reason), True
        else:
            queue, changed = Queue(name=name), queues.resume(using, name, reason=reason)
    if options["json"]:
        console.json(QueueControlSerializer(queue).data)
    elif pause:
        console.data(f"queue {name} is paused; jobs that run go on")
    else:
        console.data(f"queue {name} is active" + ("" if changed else "; it was not paused"))
    return 0


def _require(using: str, name: str) -> None:
    """Raises CommandError for a queue without a job, a task, a worker or a control."""
    known = {state.name for state in stats.queue_states(using)}
    known |= {served for pool in stats.pool_states(using) for served in pool.queues}
    if name not in known:
        close = difflib.get_close_matches(name, known, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        message = f"nobody has heard of a queue {name!r}.{hint} If it is to come, say --anyway."
        raise CommandError(message, returncode=1)
