"""Asking for operations: trying one out, starting it, cancelling it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import QuerySet

from jobs import lifecycle
from jobs.conf import conf
from jobs.errors import (
    CountMismatch,
    IdempotencyConflict,
    InvalidInput,
    OperationEnded,
    OperationNotFound,
    shown,
)
from jobs.models import Job, Operation
from jobs.models.operation import RATES
from jobs.operations import batch
from jobs.operations.members import RUNNER, members, now
from jobs.registry import check_whole
from jobs.specs import JobSpec, check_key, fingerprint, prepare, words
from jobs.states import BulkAction, OperationStatus
from jobs.stats import BOUND, BoundedCount
from jobs.store import audit

MAX_IDS: Final = 10_000
"""Most jobs that may be named by id."""
MAX_EXPECTED: Final = 100_000_000
_LARGEST_ID: Final = 2**63 - 1
_TRIES: Final = 3


@dataclass(frozen=True, kw_only=True)
class OperationSpec:
    """An operation to ask for: on the jobs of a filter, or on those with these ids.

    `filter` is as `jobs.api.filters` reads it; an empty one means every job.
    """

    action: BulkAction
    filter: Mapping[str, Any] | None = None
    ids: Sequence[int] | None = None
    rate_per_second: float | None = None
    expected_count: int | None = None
    """The most jobs it may be for; with more it is refused."""
    actor: str = ""
    reason: str = ""
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True)
class Created:
    operation: Operation
    created: bool
    """False when the idempotency key had an operation already."""


def preview(using: str, spec: OperationSpec) -> tuple[BoundedCount, QuerySet[Job]]:
    """How many jobs it would be for at this moment, counted up to a bound, and which."""
    rows = members(using, _row(using, spec))
    counted = rows[: BOUND + 1].count()
    return BoundedCount(min(counted, BOUND), exact=counted <= BOUND), rows


def create(using: str, spec: OperationSpec) -> Created:
    """Store the operation and enqueue the job that carries it out.

    Raises InvalidInput, CountMismatch, and IdempotencyConflict for a key whose operation was asked
    for in other words.
    """
    key = check_key(spec.idempotency_key)
    # The key may be freed between refusal and look-up, when its operation is pruned just then.
    for _ in range(_TRIES):
        if key is not None and (found := _existing(using, key, _hash(spec))) is not None:
            return Created(found, created=False)
        try:
            with transaction.atomic(using=using):
                return Created(_insert(using, spec), created=True)
        except IntegrityError:
            if key is None:
                raise
    raise DatabaseError("the operations of this idempotency key come and go too fast to be read")


def _insert(using: str, spec: OperationSpec) -> Operation:
    row = _row(using, spec)
    expected = spec.expected_count
    if expected is not None:
        check_whole(expected, "expected_count", 0, MAX_EXPECTED)
        if members(using, row)[: expected + 1].count() > expected:
            raise CountMismatch(expected)
    row.save(using=using, force_insert=True)
    runner = JobSpec(task=RUNNER, payload={"operation": row.pk}, queue=conf.OPERATIONS_QUEUE)
    job = lifecycle.enqueue(using, [prepare(runner)])[0]
    row.runner_job_id = job.id
    row.save(using=using, update_fields=["runner_job_id"])
    what = {"filter": row.filter} if row.job_ids is None else {"jobs": len(row.job_ids)}
    told = {"action": row.action, **what}
    audit.record(using, "operation.create", row.pk, reason=row.reason, after=told)
    return get(using, row.pk)


def _row(using: str, spec: OperationSpec) -> Operation:
    """The operation as it would be stored, of this moment. Raises InvalidInput."""
    if (spec.filter is None) == (spec.ids is None):
        raise InvalidInput("filter", "give either a filter or ids")
    moment = now(using)
    said = words(spec.actor, spec.reason)
    return Operation(
        action=BulkAction(spec.action).value,
        filter=None if spec.filter is None else dict(spec.filter),
        job_ids=None if spec.ids is None else check_ids(spec.ids),
        snapshot=moment.snapshot,
        max_job_id=moment.max_job_id,
        rate_per_second=check_rate(spec.rate_per_second),
        actor=said["actor"],
        reason=said["reason"],
        idempotency_key=spec.idempotency_key,
        idempotency_hash="" if spec.idempotency_key is None else _hash(spec),
    )


def _hash(spec: OperationSpec) -> str:
    asked = asdict(spec)
    for name in ("actor", "reason", "idempotency_key"):
        del asked[name]
    return fingerprint(asked)


def _existing(using: str, key: str, hash: str) -> Operation | None:
    found = Operation.objects.using(using).filter(idempotency_key=key).first()
    if found is not None and found.idempotency_hash != hash:
        raise IdempotencyConflict(key, found.pk, noun="operation")
    return found


def check_ids(ids: Any) -> list[int]:
    """Ids of jobs, each once and rising. Raises InvalidInput."""
    if not isinstance(ids, list | tuple) or not 1 <= len(ids) <= MAX_IDS:
        raise InvalidInput("ids", f"must be a list of 1 to {MAX_IDS:,} job ids")
    return sorted({check_whole(pk, f"ids[{n}]", 1, _LARGEST_ID) for n, pk in enumerate(ids)})


def check_rate(rate: Any) -> float | None:
    """Raises InvalidInput unless it is None or a rate that can be kept."""
    low, high = RATES
    if rate is None:
        return None
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not low <= rate <= high:
        message = f"must be a number from {low:g} to {high:,.0f}, not {shown(rate)}"
        raise InvalidInput("rate_per_second", message)
    return float(rate)


def get(using: str, operation_id: int) -> Operation:
    """The operation. Raises OperationNotFound."""
    try:
        return Operation.objects.using(using).get(pk=operation_id)
    except Operation.DoesNotExist:
        raise OperationNotFound(operation_id) from None


def cancel(using: str, operation_id: int, *, actor: str = "", reason: str = "") -> Operation:
    """Let an operation do no further batch; what it has done stays done.

    Raises OperationNotFound, and OperationEnded when it has ended.
    """
    said = words(actor, reason)
    with transaction.atomic(using=using):
        row = batch.lock(using, operation_id)
        if row.status not in batch.OPEN:
            raise OperationEnded(operation_id, row.status)
        before = {"status": row.status}
        batch.end(
            using,
            row,
            OperationStatus.CANCELLED,
            cancelled_by=said["actor"],
            cancel_reason=said["reason"],
        )
        after = {"status": row.status}
        audit.record(using, "operation.cancel", row.pk, reason=reason, before=before, after=after)
    return row
