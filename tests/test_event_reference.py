"""What docs/reference/events.md says of the data of events is what events have."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db.models.functions import Now

from jobs import Snooze, Workflow, client, lifecycle
from jobs.models import Job, JobEvent
from jobs.operations import requests
from jobs.operations.requests import OperationSpec
from jobs.states import BulkAction, EventKind, JobStatus
from jobs.store import origin
from jobs.store.origin import Origin
from jobs.workflows.rerun import rerun_workflow
from tests.support import factories
from tests.support.factories import USING, WORKER
from tests.worker.pools import drain

PAGE = Path(__file__).resolve().parent.parent / "docs/reference/events.md"


def said() -> dict[str, set[str]]:
    """The names in the second column of the table, by kind."""
    rows = re.findall(r"^\| `(\w+)` \| (.*) ?\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    kinds = {kind.value for kind in EventKind}
    return {kind: set(re.findall(r"`(\w+)`", text)) for kind, text in rows if kind in kinds}


def seen() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for kind, data in JobEvent.objects.values_list("kind", "data"):
        error = data.get("error")
        found[kind] |= data.keys() | (error.keys() if isinstance(error, dict) else set())
    return found


def test_the_reference_has_every_status() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## From status to status")[0]
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == list(JobStatus)


@pytest.mark.postgres
def test_events_have_the_data_that_the_reference_names(
    committed_db: None, register: Callable[..., client.Task]
) -> None:
    live_through(register)
    events = seen()
    assert {kind: events[kind] for kind in said()} == said()
    assert said().keys() == {kind.value for kind in EventKind}


def live_through(register: Callable[..., client.Task]) -> None:
    """Every kind of event, each with all the data it may have."""

    def fail() -> None:
        raise ValueError("no")

    def snooze(context: Any) -> None:
        if context.attempt == 1 and not Job.objects.get(pk=context.job_id).events.filter(
            kind=EventKind.RELEASED
        ):
            raise Snooze(0)

    good, bad = register(lambda: None, name="tests.good"), register(fail, max_attempts=1)
    with origin.by(Origin("ann", "api")):
        client.enqueue(register(snooze))
    workflow = Workflow("w").step("a", good.name).step("b", bad.name, after="a")
    submitted = workflow.step("c", good.name, after="b").submit()
    drain()
    rerun_workflow(USING, submitted.id, from_steps=["b"])

    running, late = factories.jobs(2, "running")
    lifecycle.cancel(USING, running.pk, actor="ann", reason="enough")
    Job.objects.filter(pk=late.pk).update(lease_expires_at=Now())
    lifecycle.rescue(USING, limit=10, worker=WORKER)
    lifecycle.exchange(USING, [factories.failed(late)], None, worker=WORKER)

    for action, status in (
        (BulkAction.RETRY, "failed"),
        (BulkAction.RUN_NOW, "scheduled"),
        (BulkAction.CANCEL, "blocked"),
        (BulkAction.CANCEL, "running"),
    ):
        ids = [factories.job(status).pk]
        requests.create(USING, OperationSpec(action=action, ids=ids, actor="ann", reason="all"))
    drain()
