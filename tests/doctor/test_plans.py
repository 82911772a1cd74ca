"""The doctor beside many jobs: it reads a bounded number of rows."""

from __future__ import annotations

import pytest
from django.db import connection

from jobs.doctor import reading
from jobs.states import JobStatus
from tests.support.backlog import fill
from tests.support.factories import USING
from tests.support.plans import plans_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
ROWS = 60_000
# Asks for a plan itself.
_PARTS = sorted(set(reading._PARTS) - {"claim"})


@pytest.fixture
def many() -> None:
    old, just_now = "interval '90 days' + random() * interval '7 days'", "random() * interval '1 s'"
    fill(ROWS, JobStatus.SUCCEEDED, age=old)
    for status in (JobStatus.QUEUED, JobStatus.FAILED, JobStatus.RUNNING):
        fill(3_000, status, age=just_now)
    with connection.cursor() as cursor:
        # A table as small as this one may rightly be read as a whole.
        cursor.execute("ANALYZE jobs, job_events; SET LOCAL enable_seqscan = off")


def test_no_part_reads_the_whole_of_a_large_table(many: None) -> None:
    for part in _PARTS:
        for plan in plans_of(lambda: reading._PARTS[part](USING), generic=False):  # noqa: B023
            whole = [
                node["Relation Name"]
                for node in plan.nodes()
                if node["Node Type"] == "Seq Scan"
                and node.get("Relation Name") in ("jobs", "job_events")
                and node["Actual Rows"] + node.get("Rows Removed by Filter", 0) > 10_500
            ]
            assert whole == [], (part, plan.sql)
            assert plan.rows_read <= 25_000, (part, plan.sql)
