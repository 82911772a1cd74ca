from __future__ import annotations

import datetime as dt
import signal
from collections.abc import Callable

import pytest
from django.db.models import F

from jobs import JobSpec, enqueue, enqueue_many
from jobs.models import Job
from jobs.states import JobStatus
from tests.process import MARKS
from tests.support import history
from tests.support.evidence import Evidence
from tests.support.processes import Workers
from tests.support.waiting import wait_until

pytestmark = MARKS
AllDone = Callable[..., None]


@pytest.mark.parametrize(
    ("processes", "threads", "count"),
    [
        (1, 10, 60),
        (4, 10, 2000),
        pytest.param(4, 10, 5000, marks=pytest.mark.long),
    ],
)
def test_each_job_is_started_by_exactly_one_thread(
    workers: Workers,
    evidence: Evidence,
    all_done: AllDone,
    processes: int,
    threads: int,
    count: int,
) -> None:
    workers.start(processes=processes, threads=threads)
    enqueue_many(JobSpec(task="check.mark", payload={"key": str(n)}) for n in range(count))
    all_done(seconds=50)
    evidence.assert_once_each(count)
    evidence.assert_no_overlap()
    history.assert_sound()
    assert not Job.objects.exclude(attempts=1, status=JobStatus.SUCCEEDED).exists()


def test_a_claimed_job_is_nobody_elses_while_its_worker_pauses(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    paused = workers.start("--lease", "10", threads=1)
    enqueue("check.mark", {"key": "held", "seconds": 0.1})
    wait_until(lambda: evidence.starts("held"))
    paused.signal(signal.SIGSTOP)
    workers.start("--lease", "10", threads=1)
    enqueue_many(JobSpec(task="check.mark", payload={"key": str(n)}) for n in range(5))
    all_done(payload__key__in=[str(n) for n in range(5)])
    assert not evidence.ends("held")
    paused.signal(signal.SIGCONT)
    all_done()
    evidence.assert_once_each(6)
    history.assert_sound()


@pytest.mark.parametrize(
    ("lease", "delay", "processes"),
    [("1", 2.5, 1), pytest.param("2", 9.0, 3, marks=pytest.mark.long)],
)
def test_a_job_delayed_beyond_a_lease_runs_once_and_not_early(
    workers: Workers,
    evidence: Evidence,
    all_done: AllDone,
    lease: str,
    delay: float,
    processes: int,
) -> None:
    workers.start("--lease", lease, "--heartbeat", "0.3", processes=processes)
    enqueue_many(
        JobSpec(task="check.mark", payload={"key": str(n)}, delay_seconds=delay) for n in range(50)
    )
    untouched = Job.objects.filter(status=JobStatus.SCHEDULED, locked_by="", attempts=0)
    # Until the first is due, all wait and belong to nobody.
    wait_until(lambda: untouched.count() < 50, seconds=delay + 5)
    all_done()
    evidence.assert_once_each(50)
    history.assert_sound()
    assert not Job.objects.filter(started_at__lt=F("available_at")).exists()
    late = F("available_at") + dt.timedelta(seconds=2)
    assert not Job.objects.filter(started_at__gt=late).exists()
    assert not Job.objects.exclude(attempts=1).exists()
