"""What to do when the database did not answer, or refused one outcome of many."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction

from jobs import fingerprint, instrument, lifecycle
from jobs.fingerprint import Failure
from jobs.models import Job
from jobs.payload import clean_text
from jobs.states import ARROWS
from jobs.store import claim, leases, values
from jobs.store.values import Claimed, Outcome, Written
from jobs.worker.transient import is_transient


def stored(using: str, outcomes: Sequence[Outcome]) -> set[tuple[int, uuid.UUID]]:
    """Which of these outcomes an unanswered COMMIT has stored after all: (job id, token).

    The old transaction may still be committing. Its rows are locked then, so taking those locks
    waits for its end, and what the events say afterwards is final.
    """
    ids = sorted({o.job_id for o in outcomes})
    with transaction.atomic(using=using):
        list(
            Job.objects.using(using)
            .filter(pk__in=ids)
            .order_by("pk")
            .select_for_update()
            .values_list("pk")
        )
        ended = leases.ended(using, ids)
    return {
        (o.job_id, o.token) for o in outcomes if (o.job_id, o.token, ARROWS[o.verb].event) in ended
    }


def adopt(using: str, tokens: Sequence[uuid.UUID]) -> list[Claimed]:
    """Jobs that a claim took whose COMMIT was not answered: they are ours and nobody runs them."""
    return claim.held(using, tokens)


def write_halved(using: str, outcomes: Sequence[Outcome], *, worker: str) -> list[Written]:
    """Write outcomes of which one at least cannot be stored, halving until it is alone.

    That one is written as a failed attempt that says why. Raises only what is transient.
    """
    try:
        return lifecycle.exchange(using, outcomes, None, worker=worker).written
    except Exception as error:
        if is_transient(error):
            raise
        if len(outcomes) == 1:
            return _write_refused(using, outcomes[0], error, worker=worker)
    middle = len(outcomes) // 2
    return [
        row
        for half in (outcomes[:middle], outcomes[middle:])
        for row in write_halved(using, half, worker=worker)
    ]


def _write_refused(using: str, outcome: Outcome, error: Exception, *, worker: str) -> list[Written]:
    reason = clean_text(f"the database refused the outcome ({outcome.verb}): {error}", 2000)
    instrument.emit("job.outcome_refused", job_id=outcome.job_id, error=reason)
    told = {"type": type(error).__name__, "message": reason}
    refused = values.failed(
        outcome.job_id,
        outcome.token,
        error=reason,
        delay_seconds=None,
        data={"error": told},
        failure=_failure(using, outcome.job_id, told),
    )
    # The second time without its group, in case that is what cannot be stored.
    for attempt in (refused, replace(refused, failure=None)):
        try:
            return lifecycle.exchange(using, [attempt], None, worker=worker).written
        except Exception as again:
            if is_transient(again):
                raise
    # Not even that: the lease will run out and rescue will count the attempt.
    return []


def _failure(using: str, job_id: int, told: dict[str, str]) -> Failure | None:
    job = Job.objects.using(using).filter(pk=job_id).values_list("task", "queue").first()
    if job is None:
        return None
    return fingerprint.of_reason(*job, exception=told["type"], message=told["message"])
