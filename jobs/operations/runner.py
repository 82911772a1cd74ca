"""Carrying an operation out: batch after batch for a few seconds, then others have a turn."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any, Final

from django.db import DatabaseError, InterfaceError, OperationalError, transaction

from jobs.client import task
from jobs.context import JobContext
from jobs.errors import Cancel, OperationEnded, OperationNotFound, Snooze
from jobs.models import Operation
from jobs.operations import batch, requests
from jobs.operations.members import RUNNER
from jobs.payload import clean_text
from jobs.states import OperationStatus
from jobs.store.connections import alias

BATCH: Final = 500
"""The most jobs of one transaction: exchanges wait for the rows it holds."""
SLICE_SECONDS: Final = 5.0
_PAUSE_SECONDS: Final = 0.2
_ERROR_CHARS: Final = 2000


# Above everything else that waits: an operation may be there to clear a backlog away. Many tries,
# since only those count that an error ended.
@task(name=RUNNER, priority=100, max_attempts=20)
def run_operation(operation: int, context: JobContext) -> dict[str, Any]:
    """Carry out operation number `operation`; goes on where an earlier run stopped."""
    using = alias()
    try:
        return _run(using, operation, context)
    except Snooze:
        raise
    except Cancel:
        if context.cancel_requested:
            with suppress(OperationEnded, OperationNotFound):
                requests.cancel(using, operation, actor="", reason="its job was cancelled")
        raise
    except Exception as error:
        if context.attempt >= context.max_attempts:
            _fail(using, operation, error)
        raise


def _run(using: str, operation_id: int, context: JobContext) -> dict[str, Any]:
    until = time.monotonic() + SLICE_SECONDS
    limit = BATCH
    while True:
        context.raise_if_cancelled()
        try:
            step = batch.run(using, operation_id, limit=limit)
        except (OperationalError, InterfaceError):
            # Nothing is wrong with the jobs; the next attempt goes on from the cursor.
            raise
        except DatabaseError as error:
            if limit > 1:
                # One row is refused by the database. Halving finds it.
                limit //= 2
                continue
            step = batch.give_up_next(using, operation_id, clean_text(str(error).strip(), 500))
        found = step.operation
        if step.over:
            return _counts(found)
        context.progress(_percent(found))
        limit = min(limit * 2, BATCH)
        rate = found.rate_per_second
        wait = step.handled / rate if rate else 0.0
        if time.monotonic() + wait >= until:
            # With a little delay, so that what has waited longer comes first.
            raise Snooze(max(wait, _PAUSE_SECONDS), f"operation {operation_id} goes on")
        if wait:
            context.sleep(wait)


def _counts(found: Operation) -> dict[str, Any]:
    counts = ("matched", "done", "also_changed", "skipped", "failed")
    return {"status": found.status, **{name: getattr(found, name) for name in counts}}


def _percent(found: Operation) -> float:
    handled = found.done + found.skipped + found.failed
    return min(100.0 * handled / found.matched, 100.0) if found.matched else 0.0


def _fail(using: str, operation_id: int, error: Exception) -> None:
    text = clean_text(f"{type(error).__name__}: {error}".strip(), _ERROR_CHARS)
    with suppress(OperationNotFound), transaction.atomic(using=using):
        row = batch.lock(using, operation_id)
        if row.status in batch.OPEN:
            batch.end(using, row, OperationStatus.FAILED, error=text)
