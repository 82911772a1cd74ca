"""The baseline: threads that claim and finish one job a transaction, on the same tables.

`python -m benchmarks.plain_loop THREADS` drains the queue. Two transactions and two events a job,
durable, as a queue without an exchange would do it.
"""

from __future__ import annotations

import sys
import threading
import uuid

import django


def main(threads: int) -> None:
    django.setup()
    workers = [threading.Thread(target=_drain, args=[f"plain-{n}"]) for n in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def _drain(name: str) -> None:
    from django.db import connection

    while (job_id := _claim(name)) is not None:
        _finish(job_id, name)
    connection.close()


def _claim(name: str) -> int | None:
    import datetime as dt

    from django.db import transaction
    from django.db.models.functions import Now

    from jobs.models import Job, JobEvent

    with transaction.atomic():
        queued = Job.objects.select_for_update(skip_locked=True).filter(status="queued")
        job = queued.order_by(*Job.CLAIM_ORDER).first()
        if job is None:
            return None
        Job.objects.filter(pk=job.pk, status="queued").update(
            status="running",
            attempts=job.attempts + 1,
            locked_by=name,
            lease_token=uuid.uuid4(),
            lease_expires_at=Now() + dt.timedelta(seconds=30),
            started_at=Now(),
        )
        JobEvent.objects.create(
            job=job, kind="claimed", from_status="queued", to_status="running", worker=name
        )
        return job.pk


def _finish(job_id: int, name: str) -> None:
    from django.db import transaction
    from django.db.models.functions import Now

    from jobs.models import Job, JobEvent

    with transaction.atomic():
        Job.objects.filter(pk=job_id, status="running", locked_by=name).update(
            status="succeeded",
            result={"ok": 1},
            locked_by="",
            lease_token=None,
            lease_expires_at=None,
            finished_at=Now(),
        )
        JobEvent.objects.create(
            job_id=job_id,
            kind="succeeded",
            from_status="running",
            to_status="succeeded",
            worker=name,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]))
