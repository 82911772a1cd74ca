"""One batch of an operation, in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from jobs.errors import OperationNotFound
from jobs.models import Job, Operation, OperationItem
from jobs.operations.members import RUNNER, known, members
from jobs.operations.verbs import ACTIONS, Result
from jobs.states import VERB_OF, BulkAction, OperationStatus, open_to
from jobs.store import workflows

OPEN: Final = (OperationStatus.PENDING, OperationStatus.RUNNING)


def lock(using: str, operation_id: int) -> Operation:
    """The operation, locked for the transaction that is open. Raises OperationNotFound."""
    try:
        return Operation.objects.using(using).select_for_update().get(pk=operation_id)
    except Operation.DoesNotExist:
        raise OperationNotFound(operation_id) from None


@dataclass(frozen=True, slots=True)
class Step:
    """How far an operation is after a batch."""

    operation: Operation
    handled: int
    """Jobs of this batch, whatever became of them."""

    @property
    def over(self) -> bool:
        return self.operation.status not in OPEN


def run(using: str, operation_id: int, *, limit: int) -> Step:
    """Do the next `limit` jobs, or find that there are none left and finish.

    One with a rate does no more than a second's worth. An operation that has failed goes on where
    it stopped. Raises OperationNotFound.
    """
    with transaction.atomic(using=using):
        operation = lock(using, operation_id)
        if operation.status == OperationStatus.FAILED:
            _save(using, operation, status=OperationStatus.RUNNING, error="", finished_at=None)
        elif operation.status == OperationStatus.PENDING:
            _start(using, operation)
        if operation.status not in OPEN:
            return Step(operation, 0)
        rate = operation.rate_per_second
        chosen = _next(using, operation, limit if rate is None else max(min(limit, int(rate)), 1))
        if not chosen:
            _save(using, operation, status=OperationStatus.SUCCEEDED, finished_at=Now())
            return Step(operation, 0)
        result = _do(using, operation, chosen)
        _note(using, operation, result.skipped, OperationItem.Outcome.SKIPPED)
        _save(
            using,
            operation,
            last_job_id=chosen[-1],
            done=F("done") + result.done,
            also_changed=F("also_changed") + result.also_changed,
            skipped=F("skipped") + len(result.skipped),
        )
        return Step(operation, result.done + len(result.skipped))


def give_up_next(using: str, operation_id: int, reason: str) -> Step:
    """Note the next job as one that the action failed on, and go past it."""
    with transaction.atomic(using=using):
        operation = lock(using, operation_id)
        chosen = _next(using, operation, 1) if operation.status in OPEN else []
        if chosen:
            _note(using, operation, {chosen[0]: reason}, OperationItem.Outcome.FAILED)
            _save(using, operation, last_job_id=chosen[0], failed=F("failed") + 1)
        return Step(operation, len(chosen))


def _start(using: str, operation: Operation) -> None:
    ids = operation.job_ids
    matched = members(using, operation).count() if ids is None else len(ids)
    _save(using, operation, status=OperationStatus.RUNNING, started_at=Now(), matched=matched)


def _save(using: str, operation: Operation, **values: Any) -> None:
    Operation.objects.using(using).filter(pk=operation.pk).update(**values)
    operation.refresh_from_db(using=using, fields=list(values))


def end(using: str, operation: Operation, status: OperationStatus, **said: str) -> None:
    """End an operation that is locked and open before it is through; `said` is why."""
    started = operation.started_at or (Now() if status == OperationStatus.FAILED else None)
    _save(using, operation, status=status, started_at=started, finished_at=Now(), **said)


def _next(using: str, operation: Operation, limit: int) -> list[int]:
    """The ids to look at next, in order. Those of a filter are not locked yet."""
    if operation.job_ids is not None:
        return [pk for pk in operation.job_ids if pk > operation.last_job_id][:limit]
    rows = members(using, operation).filter(pk__gt=operation.last_job_id).order_by("pk")
    return list(rows.values_list("pk", flat=True)[:limit])


def _do(using: str, operation: Operation, chosen: Sequence[int]) -> Result:
    # A job never changes its workflow, so this may be read without locks.
    workflows.lock(using, workflows.of_jobs(using, chosen))
    rows = Job.objects.using(using).filter(pk__in=chosen).order_by("pk")
    # Events refer to a job; only whoever deletes it must keep them away.
    keeping = operation.action != BulkAction.DELETE
    held = list(rows.select_for_update(no_key=keeping).values_list("pk", flat=True))
    # Looked at by a statement of its own: that one sees what was committed while the locks were
    # waited for, events included.
    fit, unfit = _sorted_out(using, operation, chosen, held)
    data = {"actor": operation.actor, "reason": operation.reason, "operation": operation.pk}
    result = ACTIONS[BulkAction(operation.action)](using, fit, data) if fit else Result()
    result.skipped |= unfit
    return result


_COLUMNS: Final = (
    *("pk", "task", "status", "attempts", "max_attempts", "queue"),
    *("workflow_id", "cancel_requested_at", "tasks_backend"),
)


def _sorted_out(
    using: str, operation: Operation, chosen: Collection[int], held: Collection[int]
) -> tuple[list[Job], dict[int, str]]:
    """The jobs the action may be done to, and of jobs named by id the others, with the reason."""
    if operation.job_ids is None:
        matching = members(using, operation).filter(pk__in=held).order_by("pk")
        return list(matching.filter(known(operation)).only(*_COLUMNS)), {}
    rows = Job.objects.using(using).filter(pk__in=held).order_by("pk")
    found: dict[int, Any] = {
        job.pk: job for job in rows.only(*_COLUMNS).annotate(known=known(operation))
    }
    reasons = {pk: _unfit(operation, found.get(pk)) for pk in chosen}
    fit = [job for pk, job in found.items() if not reasons[pk]]
    return fit, {pk: reason for pk, reason in reasons.items() if reason}


def _unfit(operation: Operation, job: Any) -> str:
    action = BulkAction(operation.action)
    if job is None:
        return "it does not exist"
    if job.task == RUNNER:
        return "it carries out an operation; cancel that"
    if job.status not in open_to(action):
        verb = VERB_OF.get(action)
        return f"it is {job.status}; it cannot {verb or action}"
    return "" if job.known else "it has changed since this was asked for"


def _note(
    using: str, operation: Operation, reasons: dict[int, str], outcome: OperationItem.Outcome
) -> None:
    OperationItem.objects.using(using).bulk_create(
        OperationItem(operation=operation, job_id=pk, outcome=outcome, reason=reason[:500])
        for pk, reason in sorted(reasons.items())
    )
