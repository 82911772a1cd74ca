from __future__ import annotations

import datetime as dt
import random
import time
from collections.abc import Callable

import pytest
from django.db import connection, transaction
from django.db.models import F

from jobs import JobSpec, enqueue, enqueue_many
from jobs.models import Job
from tests.process import MARKS
from tests.support import history
from tests.support.database import scalar
from tests.support.evidence import Evidence
from tests.support.processes import Worker, Workers
from tests.support.waiting import wait_until

pytestmark = MARKS
AllDone = Callable[..., None]
_UNWOKEN = 20
"""Seconds that only a busy machine takes: whoever is not woken here sleeps half a minute. How fast
a pool wakes up is measured by the benchmarks."""


@pytest.fixture
def sleepy(workers: Workers) -> Worker:
    """A pool that would sleep half a minute if nobody woke it."""
    worker = workers.start("--poll-interval", "30", QFORGE_PROMOTE_SECONDS="30")
    wait_until(lambda: worker.said("worker.listening"))
    return worker


def test_an_idle_pool_is_woken_for_every_job(
    sleepy: Worker, evidence: Evidence, all_done: AllDone
) -> None:
    gaps = random.Random(1)
    for number in range(200):
        enqueue("check.mark", {"key": str(number)})
        # Not to wait for anything: gaps of all lengths are what is tested.
        time.sleep(gaps.uniform(0, 0.03))
    all_done(seconds=_UNWOKEN)
    evidence.assert_once_each(200)
    late = F("created_at") + dt.timedelta(seconds=_UNWOKEN)
    assert not Job.objects.filter(started_at__gt=late).exists()


@pytest.mark.parametrize("longest", [2.5, pytest.param(10.0, marks=pytest.mark.long)])
def test_delayed_and_retried_jobs_start_when_they_are_due(
    sleepy: Worker, evidence: Evidence, all_done: AllDone, longest: float
) -> None:
    delays = random.Random(2)
    enqueue_many(
        JobSpec(
            task="check.mark",
            payload={"key": str(n)},
            delay_seconds=delays.uniform(0.5, longest),
        )
        for n in range(20)
    )
    enqueue("check.fail", {"key": "retried", "times": 2})
    all_done(seconds=longest + _UNWOKEN)
    late = F("available_at") + dt.timedelta(seconds=_UNWOKEN)
    assert not Job.objects.filter(started_at__lt=F("available_at")).exists()
    assert not Job.objects.filter(started_at__gt=late).exists()
    history.assert_sound()


def test_a_lost_listen_connection_is_restored_and_what_it_missed_is_found(
    sleepy: Worker, evidence: Evidence, all_done: AllDone
) -> None:
    listening = "SELECT pid FROM pg_stat_activity WHERE query = 'LISTEN qforge'"
    first = scalar(listening)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [first])
        enqueue("check.mark", {"key": "missed"})
    all_done(seconds=5)
    wait_until(lambda: scalar(listening) not in (None, first))
    enqueue("check.mark", {"key": "heard"})
    all_done(seconds=2)


def test_a_job_is_announced_when_its_transaction_commits(
    sleepy: Worker, evidence: Evidence, all_done: AllDone
) -> None:
    with transaction.atomic():
        enqueue("check.mark", {"key": "a"})
        # Nothing may happen meanwhile; how long nothing happens is what is tested.
        time.sleep(0.5)
        assert not evidence.starts()
    all_done(seconds=2)
