"""A row of each table that people look at."""

from __future__ import annotations

from typing import Any

from jobs.fingerprint import FINGERPRINT_CHARS
from jobs.models import (
    AuditEntry,
    ErrorGroup,
    Job,
    JobEvent,
    Operation,
    Queue,
    Schedule,
    WorkerPool,
    Workflow,
)
from jobs.operations import requests
from jobs.operations.requests import OperationSpec
from jobs.states import BulkAction, JobStatus
from jobs.store import queues
from tests.support import factories
from tests.support.factories import USING

_FINGERPRINT = "f" * FINGERPRINT_CHARS


def one_of_each() -> dict[Any, Any]:
    """By model."""
    payload = {"password": "hush", "city": "Zürich"}
    job = factories.job(JobStatus.FAILED, payload=payload, error_fingerprint=_FINGERPRINT)
    spec = OperationSpec(action=BulkAction.RETRY, ids=[job.pk])
    operation = requests.create(USING, spec).operation
    return {
        Job: job,
        JobEvent: JobEvent.objects.create(
            job=job,
            kind="failed",
            from_status="running",
            to_status="failed",
            data={"a": "secretive"},
        ),
        Workflow: Workflow.objects.create(name="w", status="running", steps=1, open_steps=1),
        Schedule: Schedule.objects.create(
            name="s", task="tests.t", cron="0 * * * *", payload={"token": "hush", "n": "secretive"}
        ),
        Queue: queues.pause(USING, "mail", by="ops", reason=""),
        WorkerPool: WorkerPool.objects.create(name="a", host="a", pid=1, version="1", threads=1),
        ErrorGroup: ErrorGroup.objects.create(
            fingerprint=_FINGERPRINT,
            task="t",
            queue="q",
            exception="E",
            message="secretive",
            occurrences=1,
        ),
        Operation: operation,
        AuditEntry: AuditEntry.objects.create(actor="a", via="api", action="a.b", target="t"),
    }
