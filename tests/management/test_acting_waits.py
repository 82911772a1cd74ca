"""`manage.py jobs retry --wait`, beside a pool that carries the operation out."""

from __future__ import annotations

import pytest

from jobs.models import Operation
from jobs.states import JobStatus
from tests.management.terminal import run
from tests.support import factories
from tests.support.live import running_pool


@pytest.mark.postgres
@pytest.mark.parametrize(("bad", "code"), [(False, 0), (True, 1)])
def test_waiting_ends_with_the_operation(committed_db: None, bad: bool, code: int) -> None:
    rows = factories.jobs(3, JobStatus.FAILED, queue="nobody")
    ids = [row.pk for row in rows] + [999_999_999] * bad
    with running_pool(queues=("default",)):
        ran = run("jobs", "retry", *map(str, ids), "--yes", "--wait")
    operation = Operation.objects.get()
    more = ", 1 skipped" if bad else ""
    assert (ran.code, ran.out) == (code, f"operation {operation.pk} has succeeded: 3 done{more}\n")
