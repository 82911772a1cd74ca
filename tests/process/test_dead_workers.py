from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from jobs import JobSpec, enqueue, enqueue_many
from jobs.lifecycle import LEASE_EXPIRED
from jobs.models import Job, JobEvent, WorkerPool
from jobs.states import EventKind, JobStatus
from tests.process import MARKS
from tests.support import factories, history
from tests.support.evidence import Evidence
from tests.support.processes import SHORT_LEASE, Workers
from tests.support.waiting import wait_until

pytestmark = MARKS
AllDone = Callable[..., None]

RESCUED = ["enqueued", "claimed", "rescued", "promoted", "claimed", "succeeded"]


@pytest.mark.parametrize("name", ["twin", pytest.param("", marks=pytest.mark.long)])
def test_a_job_whose_worker_was_killed_runs_again(
    workers: Workers, evidence: Evidence, all_done: AllDone, name: str
) -> None:
    named = ["--name", name] if name else []
    first = workers.start(*named, **SHORT_LEASE)
    job = enqueue("check.slow_first", {"key": "a", "seconds": 60})
    wait_until(lambda: evidence.starts("a"))
    first.kill()
    # A replacement of the same name must not keep the old claim alive.
    workers.start(*named, **SHORT_LEASE)
    all_done()
    assert history.kinds(job.id) == RESCUED
    assert JobEvent.objects.get(job=job.id, kind=EventKind.RESCUED).data["reason"]
    evidence.assert_no_overlap()
    history.assert_sound()


def test_an_expired_lease_is_rescued_whoever_is_said_to_hold_it(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    WorkerPool.objects.create(name="alive", host="here", pid=1, version="1", threads=1)
    held_by = ["unheard-of", "just-forgotten", "alive"]
    held = [
        factories.job(
            JobStatus.RUNNING,
            task="check.mark",
            payload={"key": worker},
            locked_by=worker,
            lease_seconds=-3600,
        )
        for worker in held_by
    ]
    workers.start(**SHORT_LEASE)
    all_done(seconds=5)
    for row in held:
        assert history.kinds(row.pk) == ["rescued", "promoted", "claimed", "succeeded"]
    evidence.assert_once_each(3)


def test_a_job_that_kills_its_worker_ends_failed_and_the_rest_goes_on(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    supervisor = workers.start(processes=2, **SHORT_LEASE)
    poison = enqueue("check.suicide", {"key": "poison"}, max_attempts=3)
    # What runs beside it in the same process loses an attempt each time as well.
    enqueue_many(
        JobSpec(task="check.mark", payload={"key": str(n)}, max_attempts=10) for n in range(20)
    )
    all_done()
    assert len(evidence.starts("poison")) == 3
    row = Job.objects.get(pk=poison.id)
    assert (row.status, row.attempts, row.error) == (JobStatus.FAILED, 3, LEASE_EXPIRED)
    assert not Job.objects.exclude(pk=poison.id).exclude(status=JobStatus.SUCCEEDED).exists()
    history.assert_sound()
    died = supervisor.said("pool.died")
    assert [line["exit_code"] for line in died] == [-9, -9, -9]


@pytest.mark.parametrize(
    ("count", "kills", "seconds"),
    [
        (600, 4, 0.05),
        pytest.param(20_000, 100, 0.1, marks=[pytest.mark.long, pytest.mark.timeout(900)]),
    ],
)
def test_nothing_is_lost_or_left_running_however_many_pools_are_killed(
    workers: Workers,
    evidence: Evidence,
    all_done: AllDone,
    count: int,
    kills: int,
    seconds: float,
) -> None:
    threads = 8
    # Held up by their neighbours' starts, the living must not lose what they run.
    lease = {"QFORGE_LEASE_SECONDS": "4", "QFORGE_HEARTBEAT_SECONDS": "0.5"}
    running = [workers.start(threads=threads, **lease) for _ in range(3)]
    enqueue_many(
        JobSpec(task="check.mark", payload={"key": str(n), "seconds": seconds}, max_attempts=50)
        for n in range(count)
    )
    succeeded = Job.objects.filter(status=JobStatus.SUCCEEDED)
    choice = random.Random(kills)
    for number in range(kills):
        share = count * (number + 1) / (kills + 2)
        wait_until(lambda share=share: succeeded.count() > share, seconds=60, pause=0.05)  # type: ignore[misc]
        victim = choice.randrange(len(running))
        running[victim].kill()
        running[victim] = workers.start(threads=threads, wait=False, **lease)
    all_done(seconds=300)
    assert succeeded.count() == count
    assert len(evidence.starts()) <= count + kills * threads
    evidence.assert_no_overlap()
    history.assert_sound()
