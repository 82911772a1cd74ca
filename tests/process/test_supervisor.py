from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

import pytest

from jobs import JobSpec, enqueue, enqueue_many
from jobs.models import Job
from jobs.states import JobStatus
from tests.process import MARKS
from tests.support import history
from tests.support.evidence import Evidence
from tests.support.processes import Workers, exists, slowness
from tests.support.waiting import wait_until

pytestmark = MARKS
AllDone = Callable[..., None]


def enqueue_held(count: int) -> None:
    enqueue_many(
        JobSpec(task="check.held", payload={"key": str(n), "until": "end"}) for n in range(count)
    )


def test_a_pool_that_was_killed_is_replaced_after_growing_pauses(
    workers: Workers, all_done: AllDone
) -> None:
    supervisor = workers.start(processes=2)
    for deaths in (1, 2):
        victim, bystander = supervisor.pools()
        supervisor.kill_pool(victim)
        wait_until(lambda deaths=deaths: len(supervisor.said("pool.died")) == deaths)  # type: ignore[misc]
        wait_until(lambda: len(supervisor.pools()) == 2, seconds=20)
        assert bystander in supervisor.pools()
        assert victim not in supervisor.pools()
    wait_until(lambda: len(supervisor.said("worker.started")) == 4, seconds=20)
    died = supervisor.said("pool.died")
    assert {line["exit_code"] for line in died} == {-signal.SIGKILL}
    assert all(line["restart_in_seconds"] >= 0.5 for line in died)
    enqueue("check.mark", {"key": "a"})
    all_done()
    assert supervisor.stop() == 0


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.long)]
)
def test_a_signal_to_the_supervisor_ends_all_pools_within_the_grace(
    workers: Workers, evidence: Evidence, number: signal.Signals
) -> None:
    supervisor = workers.start(processes=2, threads=1)
    enqueue_held(2)
    wait_until(lambda: len(evidence.starts()) == 2)
    pools = supervisor.pools()
    supervisor.signal(number)
    wait_until(lambda: len(supervisor.said("worker.stopping")) == 2)
    evidence.let_go("end")
    assert supervisor.wait() == 0
    assert not any(exists(pid) for pid in pools)
    assert Job.objects.filter(status=JobStatus.SUCCEEDED, attempts=1).count() == 2
    history.assert_sound()


def test_ctrl_c_in_a_terminal_reaches_everybody_and_still_ends_cleanly(
    workers: Workers, evidence: Evidence
) -> None:
    supervisor = workers.start(processes=2, threads=1)
    enqueue_held(2)
    wait_until(lambda: len(evidence.starts()) == 2)
    # The terminal signals the whole foreground group, the pools too.
    os.killpg(supervisor.pid, signal.SIGINT)
    wait_until(lambda: len(supervisor.said("worker.stopping")) == 2)
    evidence.let_go("end")
    assert supervisor.wait() == 0
    assert not Job.objects.exclude(status=JobStatus.SUCCEEDED).exists()


def test_ctrl_c_while_the_pools_are_still_starting_ends_them_quietly(workers: Workers) -> None:
    supervisor = workers.start(processes=2, wait=False)
    wait_until(lambda: supervisor.alive() and len(supervisor.pools()) == 2, seconds=30)
    os.killpg(supervisor.pid, signal.SIGINT)
    assert supervisor.wait() == 0
    assert "Traceback" not in supervisor.output()


def test_a_second_signal_and_an_exceeded_grace_are_told_by_the_exit_code(
    workers: Workers, evidence: Evidence
) -> None:
    enqueue_held(2)
    supervisor = workers.start("--grace", "0.3", processes=2, threads=1)
    wait_until(lambda: len(evidence.starts()) == 2)
    assert supervisor.stop() == 5
    supervisor = workers.start("--grace", "60", processes=2, threads=1)
    wait_until(lambda: len(evidence.starts()) == 4)
    supervisor.signal(signal.SIGTERM)
    wait_until(lambda: len(supervisor.said("worker.stopping")) == 2)
    begun = time.monotonic()
    supervisor.signal(signal.SIGTERM)
    assert supervisor.wait() == 143
    assert time.monotonic() - begun < 3.5 * slowness()
    assert Job.objects.filter(attempts=0).count() == 2
    history.assert_sound(finished=False)


def test_pools_end_when_their_supervisor_is_killed(workers: Workers, evidence: Evidence) -> None:
    supervisor = workers.start(processes=2, threads=1)
    enqueue_held(2)
    wait_until(lambda: len(evidence.starts()) == 2)
    pools = supervisor.pools()
    os.kill(supervisor.pid, signal.SIGKILL)
    wait_until(lambda: len(supervisor.said("worker.stopping")) == 2)
    evidence.let_go("end")
    wait_until(lambda: not any(exists(pid) for pid in pools))
    assert not Job.objects.exclude(status=JobStatus.SUCCEEDED, attempts=1).exists()
