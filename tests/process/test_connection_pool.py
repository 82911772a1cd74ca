"""Django's own pool of connections (`OPTIONS["pool"]`), smaller than the number of threads."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from jobs import JobSpec, enqueue, enqueue_many
from jobs.models import Job
from jobs.states import JobStatus
from tests.process import MARKS, sessions
from tests.support import history
from tests.support.evidence import Evidence
from tests.support.processes import Worker, Workers
from tests.support.waiting import wait_until

pytestmark = MARKS
AllDone = Callable[..., None]

MESSES = ["open", "abort", "close", "terminate"]


def start_pooled(workers: Workers, size: int) -> Worker:
    pool = {"min_size": 1, "max_size": size, "timeout": 5}
    changes = {"CONN_MAX_AGE": 0, "OPTIONS": {"pool": pool}}
    worker = workers.start(
        "--lease",
        "5",
        "--heartbeat",
        "0.5",
        "--poll-interval",
        "30",
        threads=8,
        TEST_DATABASE_SETTINGS=json.dumps(changes),
    )
    wait_until(lambda: worker.said("worker.listening"))
    return worker


@pytest.mark.parametrize(
    ("count", "long", "seconds"),
    [
        (100, 1.5, 0.02),
        pytest.param(400, 30, 0.2, marks=[pytest.mark.long, pytest.mark.timeout(240)]),
    ],
)
def test_a_pool_smaller_than_the_threads_only_slows_them(
    workers: Workers,
    evidence: Evidence,
    all_done: AllDone,
    count: int,
    long: float,
    seconds: float,
) -> None:
    worker = start_pooled(workers, 4)
    # A handler keeps its connection to its end, so the others may wait for one in vain.
    enqueue_many(
        JobSpec(
            task="check.orm",
            payload={"key": f"{kind}-{n}", "seconds": takes},
            max_attempts=50,
        )
        for kind, number, takes in (("long", 8, long), ("short", count, seconds))
        for n in range(number)
    )
    wait_until(lambda: len(evidence.starts()) > 8)
    # The pool's four, and the engine's own four for the exchange, the heartbeat, the sums and the
    # listener.
    assert sessions.count() <= 8
    all_done(seconds=200)
    assert not Job.objects.exclude(status=JobStatus.SUCCEEDED).exists()
    evidence.assert_no_overlap()
    history.assert_sound()
    enqueue("check.mark", {"key": "woken"})
    all_done(seconds=2)
    assert worker.stop() == 0


@pytest.mark.parametrize(
    "count", [60, pytest.param(3000, marks=[pytest.mark.long, pytest.mark.timeout(240)])]
)
def test_a_single_pooled_connection_is_enough(
    workers: Workers, evidence: Evidence, all_done: AllDone, count: int
) -> None:
    start_pooled(workers, 1)
    enqueue_many(
        JobSpec(task=task, payload={"key": f"{task}-{n}"}, max_attempts=10)
        for n in range(count)
        for task in ("check.orm", "check.enqueue_inside")
    )
    # Connections that are thrown away must not be given back to the pool as good ones.
    enqueue_many(JobSpec(task="check.dirty_db", payload={"how": how}) for how in MESSES * 3)
    all_done(seconds=200)
    assert not Job.objects.exclude(status=JobStatus.SUCCEEDED).exists()
    assert Job.objects.filter(task="check.mark").count() == count
    history.assert_sound()
