"""Operations asked for and carried out by hand, batch by batch."""

from __future__ import annotations

from typing import Any

from jobs import JobSpec, enqueue_many
from jobs.models import Job, Operation, OperationItem
from jobs.operations import batch, requests
from jobs.operations.requests import OperationSpec
from jobs.states import BulkAction
from jobs.store.values import EnqueuedJob
from tests.support.factories import USING
from tests.workflows.helpers import TASK


def ask(action: str, filter: dict[str, Any] | None = None, **fields: Any) -> Operation:
    """An operation on the jobs of a filter, all by default, or on those with `ids`.

    The job that would carry it out is taken away, so that no test claims it along with its own.
    """
    chosen = {} if filter is None and "ids" not in fields else filter
    spec = OperationSpec(action=BulkAction(action), filter=chosen, **fields)
    operation = requests.create(USING, spec).operation
    Job.objects.filter(pk=operation.runner_job_id).delete()
    return operation


def carry_out(operation: Operation, *, limit: int = 3) -> Operation:
    """Batches of `limit` until it is over; the operation as it is then."""
    while not batch.run(USING, operation.pk, limit=limit).over:
        pass
    return reread(operation)


def do(action: str, filter: dict[str, Any] | None = None, **fields: Any) -> Operation:
    """Ask and carry out."""
    return carry_out(ask(action, filter, **fields))


def reread(operation: Operation) -> Operation:
    return Operation.objects.get(pk=operation.pk)


def counts(operation: Operation) -> tuple[int | None, int, int, int]:
    """Matched, done, skipped, failed."""
    return operation.matched, operation.done, operation.skipped, operation.failed


def reasons(operation: Operation) -> dict[int, str]:
    items = OperationItem.objects.filter(operation=operation)
    return dict(items.values_list("job_id", "reason"))


def statuses(*enqueued: EnqueuedJob) -> list[str]:
    """In the order given."""
    rows = dict(Job.objects.values_list("pk", "status"))
    return [rows[job.id] for job in enqueued]


def enqueue(count: int, **fields: Any) -> list[EnqueuedJob]:
    return enqueue_many(JobSpec(task=TASK, **fields) for _ in range(count))
