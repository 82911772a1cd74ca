"""A report from the database: how many jobs there are of each task and status."""

from __future__ import annotations

import csv
import io

from django.db.models import Count, Max

from jobs.models import Job
from jobs.store.connections import alias

HEADER = ("task", "status", "jobs", "most_attempts")


def jobs_by_task() -> tuple[bytes, int]:
    """The report as CSV in UTF-8, and its number of rows without the header."""
    rows = (
        Job.objects.using(alias())
        .values_list("task", "status")
        .annotate(jobs=Count("pk"), most_attempts=Max("attempts"))
        .order_by("task", "status")
    )
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(HEADER)
    count = 0
    for row in rows:
        writer.writerow(row)
        count += 1
    return out.getvalue().encode(), count
