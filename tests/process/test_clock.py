from __future__ import annotations

from collections.abc import Callable

import pytest

from jobs import JobSpec, enqueue, enqueue_many
from jobs.models import Job
from jobs.states import JobStatus
from tests.process import MARKS
from tests.support import history
from tests.support.evidence import Evidence
from tests.support.faults import skewed
from tests.support.processes import Workers
from tests.support.waiting import wait_until

pytestmark = MARKS


@pytest.mark.parametrize("skew", ["600", pytest.param("-600", marks=pytest.mark.long)])
def test_a_worker_with_a_wrong_clock_takes_nothing_early_and_steals_nothing(
    workers: Workers, evidence: Evidence, all_done: Callable[..., None], skew: str
) -> None:
    future = enqueue("check.mark", {"key": "future"}, delay_seconds=300)
    workers.start(threads=1)
    enqueue("check.held", {"key": "live"})
    wait_until(lambda: evidence.starts("live"))
    wrong = workers.start(
        "--lease",
        "1",
        "--heartbeat",
        "0.3",
        runner=("-m", skewed.__name__),
        **{skewed.VARIABLE: skew},
    )
    enqueue_many(JobSpec(task="check.mark", payload={"key": str(n)}) for n in range(20))
    enqueue("check.fail", {"key": "retried", "times": 1})
    all_done(payload__key__in=[*map(str, range(20)), "retried"])
    evidence.let_go("live")
    all_done(payload__key="live")
    assert Job.objects.get(pk=future.id).status == JobStatus.SCHEDULED
    assert len(evidence.starts("live")) == 1
    assert len(evidence.starts("retried")) == 2
    assert {line["pid"] for line in evidence.starts("0")} == {wrong.pid}
    history.assert_sound(finished=False)
