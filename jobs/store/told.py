"""What is told of changes that no worker makes, once they are committed."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from jobs import instrument
from jobs.models import Job


def cancelled_after_commit(using: str, jobs: Sequence[Job]) -> None:
    """Tell of each of these jobs, which waited, that it is cancelled."""

    def tell() -> None:
        for job in jobs:
            instrument.emit(
                "job.cancelled_waiting",
                job_id=job.pk,
                task=job.task,
                queue=job.queue,
                attempt=job.attempts,
                max_attempts=job.max_attempts,
                tasks_backend=job.tasks_backend,
            )

    transaction.on_commit(tell, using=using, robust=True)
