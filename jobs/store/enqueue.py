"""Inserting jobs, one or many, each at most once for its idempotency key."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Final

from django.db import DatabaseError, connections, transaction

from jobs.errors import IdempotencyConflict
from jobs.models import Job
from jobs.states import JobStatus
from jobs.store import notify
from jobs.store.dialects import dialect
from jobs.store.values import EnqueuedJob, NewJob, time_of

CHUNK: Final = 5000
_TRIES: Final = 5


def insert(using: str, jobs: Sequence[NewJob]) -> list[EnqueuedJob]:
    """Insert all jobs or none; the answers stand in the order of `jobs`.

    A key that is taken gives the job that has it, with `created` False. Raises IdempotencyConflict
    when that job was asked for in other words. The caller's transaction stays usable either way,
    but for one: in REPEATABLE READ or stricter, a key that was taken after the transaction began
    is a serialization failure, an OperationalError, and the transaction must be run again.
    """
    # One row in one statement is atomic by itself; a transaction would cost two more round trips.
    alone = len(jobs) == 1 and connections[using].vendor == "postgresql"
    with nullcontext() if alone else transaction.atomic(using=using):
        answers = [
            answer
            for start in range(0, len(jobs), CHUNK)
            for answer in _insert_chunk(using, jobs[start : start + CHUNK])
        ]
        _wake(using, jobs, answers)
    return answers


def _insert_chunk(using: str, jobs: Sequence[NewJob]) -> list[EnqueuedJob]:
    keyed = len(jobs) > 1 and any(job.idempotency_key is not None for job in jobs)
    # A key may be freed between the refusal and the look-up, when its job is pruned just then. The
    # chunk is undone before it is tried again: keys are taken in their order or not at all, since
    # two batches that each hold some and ask for others could deadlock.
    for _ in range(_TRIES):
        with transaction.atomic(using=using) if keyed else nullcontext():
            answers = _insert_or_find(using, jobs)
            if len(answers) == len(jobs):
                return [answers[n] for n in range(len(jobs))]
            if keyed:
                transaction.set_rollback(True, using=using)
    raise DatabaseError("the jobs of these idempotency keys come and go too fast to be read")


def _insert_or_find(using: str, jobs: Sequence[NewJob]) -> dict[int, EnqueuedJob]:
    """Answers by position; one is missing where a key was taken and is free again."""
    inserted = dialect(using).insert_jobs(using, jobs)
    answers = {
        n: EnqueuedJob(
            row.id,
            JobStatus(row.status),
            True,
            time_of(row.created_epoch),
            time_of(row.run_after_epoch),
        )
        for n, row in enumerate(inserted)
        if row is not None
    }
    refused = {n: job for n, job in enumerate(jobs) if n not in answers}
    return answers | _existing(using, refused) if refused else answers


def _existing(using: str, asked: dict[int, NewJob]) -> dict[int, EnqueuedJob]:
    keys = {job.idempotency_key for job in asked.values()}
    found = {
        key: (pk, status, fingerprint)
        for key, pk, status, fingerprint in Job.objects.using(using)
        .filter(idempotency_key__in=keys)
        .values_list("idempotency_key", "pk", "status", "idempotency_hash")
    }
    answers = {}
    for n, job in asked.items():
        if job.idempotency_key in found:
            pk, status, fingerprint = found[job.idempotency_key]
            if fingerprint != job.idempotency_hash:
                raise IdempotencyConflict(str(job.idempotency_key), pk)
            answers[n] = EnqueuedJob(pk, JobStatus(status), created=False)
    return answers


def _wake(using: str, jobs: Sequence[NewJob], answers: Sequence[EnqueuedJob]) -> None:
    messages = {
        notify.QUEUE + job.queue if answer.status is JobStatus.QUEUED else notify.SCHEDULED
        for job, answer in zip(jobs, answers, strict=True)
        if answer.created
    }
    if messages:
        notify.after_commit(using, messages)
