"""`manage.py jobs retry` and `cancel`: one job at once, many by way of an operation."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from django.core.management.base import CommandError, CommandParser

from jobs import lifecycle
from jobs.api import bulk, filters, queries
from jobs.api.serializers.jobs import JobSerializer
from jobs.api.serializers.operations import DryRunSerializer, OperationSerializer
from jobs.errors import InvalidInput
from jobs.management.actor import actor
from jobs.management.arguments import by_name, number, whole
from jobs.management.console import Console
from jobs.management.refusals import as_command_errors
from jobs.models import Operation
from jobs.models.operation import RATES
from jobs.operations import requests
from jobs.operations.requests import OperationSpec
from jobs.states import BulkAction, OperationStatus
from jobs.store.connections import alias

_LARGEST_ID: Final = 2**63 - 1
_LOOK_SECONDS: Final = 0.5
_VERBS: Final[dict[BulkAction, Callable[..., Any]]] = {
    BulkAction.RETRY: lifecycle.retry,
    BulkAction.CANCEL: lifecycle.cancel,
}


def add_arguments(parser: CommandParser, action: BulkAction) -> None:
    parser.add_argument(
        "ids", nargs="*", type=whole(1, _LARGEST_ID), metavar="ID", help="the numbers of jobs"
    )
    parser.add_argument(
        "--filter",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a condition of the list of jobs; may be given several times",
    )
    parser.add_argument("--all", action="store_true", help=f"{action} every job that can be")
    parser.add_argument("--dry-run", action="store_true", help="count, and change nothing")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--reason", default="", metavar="TEXT", help="kept in the jobs' events")
    parser.add_argument(
        "--rate", type=number(*RATES, "jobs a second"), metavar="N", help="at most N jobs a second"
    )
    parser.add_argument(
        "--wait", action="store_true", help="until it is over; exit code 1 unless all went well"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(console: Console, options: dict[str, Any], action: BulkAction) -> int:
    """Exit code 0; 1 when not all went well; 2 for what cannot be asked for."""
    using, ids = alias(), options["ids"]
    with as_command_errors():
        if len(ids) == 1 and not (options["filter"] or options["all"] or options["dry_run"]):
            return _one(console, using, options, action)
        return _many(console, using, options, _spec(options, action))


def _one(console: Console, using: str, options: dict[str, Any], action: BulkAction) -> int:
    job_id = options["ids"][0]
    _VERBS[action](using, job_id, actor=actor(), reason=options["reason"])
    job = queries.job_detail(using, job_id)
    if options["json"]:
        console.json(JobSerializer(job).data)
    else:
        asked = ", asked to stop" if job["cancel_requested_at"] and job["lease"] else ""
        console.data(f"job {job_id} is {job['status']}{asked}")
    return 0


def _spec(options: dict[str, Any], action: BulkAction) -> OperationSpec:
    ids, conditions, every = options["ids"], options["filter"], options["all"]
    if sum(map(bool, (ids, conditions, every))) != 1:
        raise InvalidInput(action, "give ids, or --filter, or --all")
    return OperationSpec(
        action=action,
        ids=ids or None,
        filter=None if ids else _filter(conditions),
        rate_per_second=options["rate"],
        actor=actor(),
        reason=options["reason"],
    )


def _filter(conditions: Sequence[str]) -> dict[str, Any]:
    texts = by_name(conditions)
    return filters.read_texts([(f"filter.{name}", values) for name, values in texts])


def _many(console: Console, using: str, options: dict[str, Any], spec: OperationSpec) -> int:
    count, rows = requests.preview(using, spec)
    shown = f"{count.count:,}{'' if count.exact else ' or more'} jobs"
    if options["dry_run"]:
        document = {"count": count.count, "exact": count.exact, "sample": bulk.sample(rows)}
        if options["json"]:
            console.json(DryRunSerializer(document).data)
        else:
            console.data(f"{spec.action} would be for {shown}")
        return 0
    if not options["yes"]:
        _confirm(f"{spec.action.capitalize()} {shown}? [y/N] ")
    expected = count.count if count.exact else None
    made = requests.create(using, replace(spec, expected_count=expected)).operation
    if options["wait"]:
        made = _follow(console, using, made)
    if options["json"]:
        console.json(OperationSerializer(bulk.documents(using, [made])[0]).data)
    elif options["wait"]:
        console.data(f"operation {made.pk} has {made.status}: {_counts(made)}")
    else:
        console.data(f"operation {made.pk}: {spec.action} {shown}")
    bad = made.failed or made.skipped or made.status != OperationStatus.SUCCEEDED
    return 1 if options["wait"] and bad else 0


def _confirm(question: str) -> None:
    if not sys.stdin.isatty():
        raise CommandError("there is nobody to ask; say --yes", returncode=2)
    if input(question).strip().lower() not in ("y", "yes"):
        raise CommandError("nothing was changed", returncode=1)


def _follow(console: Console, using: str, operation: Operation) -> Operation:
    while operation.finished_at is None:
        document = bulk.documents(using, [operation])[0]
        if document["status"] == OperationStatus.FAILED:
            raise CommandError(document["error"], returncode=1)
        of = "" if operation.matched is None else f" of {operation.matched:,}"
        console.progress(f"operation {operation.pk}: {_counts(operation)}{of}")
        time.sleep(_LOOK_SECONDS)
        operation = requests.get(using, operation.pk)
    console.end_progress()
    return operation


def _counts(operation: Operation) -> str:
    parts = [f"{operation.done:,} done"]
    for name in ("also_changed", "skipped", "failed"):
        if number := getattr(operation, name):
            parts.append(f"{number:,} {name.replace('_', ' ')}")
    return ", ".join(parts)
