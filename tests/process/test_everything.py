"""All at once: what each of the other tests does alone."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable

import pytest

from jobs import JobSpec, Workflow, cancel, enqueue_many, retry
from jobs.errors import IllegalTransition
from jobs.models import Job, JobEvent
from jobs.models import Workflow as WorkflowRow
from jobs.states import ARROWS, TERMINAL, JobStatus, Verb, WorkflowStatus
from tests.process import MARKS, sessions
from tests.support import history
from tests.support.database import table_lock
from tests.support.evidence import Evidence
from tests.support.faults.proxy import Proxy
from tests.support.processes import Worker, Workers

pytestmark = [*MARKS, pytest.mark.long]

SECONDS = 60
# Longer than any silence below, so that no living worker loses a lease.
LEASE = {"QFORGE_LEASE_SECONDS": "12", "QFORGE_HEARTBEAT_SECONDS": "0.5"}
MOST_OPEN = 300


class Storm:
    """Does something at random, again and again."""

    def __init__(self, workers: Workers, proxy: Proxy, seed: int) -> None:
        self.chance = random.Random(seed)
        self.workers = workers
        self.proxy = proxy
        self.running: list[Worker] = [self.start() for _ in range(3)]
        self.enqueued = 0

    def start(self) -> Worker:
        return self.workers.start(threads=6, wait=False, **LEASE)

    def step(self) -> None:
        often = [self.enqueue, self.submit, self.cancel_some, self.retry_some]
        seldom = [self.kill, self.stop, self.cut, self.silence, self.terminate, self.lock]
        self.chance.choice(often * 3 + seldom)()

    def enqueue(self) -> None:
        if Job.objects.exclude(status__in=TERMINAL).count() > MOST_OPEN:
            time.sleep(0.1)
            return
        specs = []
        for _ in range(self.chance.randrange(40)):
            self.enqueued += 1
            key = str(self.enqueued)
            task, payload = self.chance.choice(
                [
                    ("check.mark", {"key": key, "seconds": self.chance.choice([0, 0, 0.02, 0.3])}),
                    ("check.fail", {"key": key, "times": self.chance.randrange(4)}),
                    ("check.patient", {"key": key, "seconds": self.chance.choice([0.05, 1])}),
                    ("check.enqueue_inside", {"key": key}),
                ]
            )
            specs.append(
                JobSpec(
                    task=task,
                    payload=payload,
                    priority=self.chance.randrange(-5, 5),
                    delay_seconds=self.chance.choice([None, None, 0.5, 2]),
                    max_attempts=20 if task != "check.fail" else 3,
                )
            )
        enqueue_many(specs)

    def submit(self) -> None:
        self.enqueued += 1
        key = f"workflow-{self.enqueued}"
        times = self.chance.choice([0, 0, 1, 5])
        made = Workflow(key)
        made.step("a", "check.mark", {"key": f"{key}-a"}, max_attempts=20)
        made.step("b", "check.fail", {"key": f"{key}-b", "times": times}, after="a")
        made.step("c", "check.mark", {"key": f"{key}-c"}, after="a", max_attempts=20)
        made.step("d", "check.mark", {"key": f"{key}-d"}, after=["b", "c"], max_attempts=20)
        made.submit()

    def some(self, statuses: list[JobStatus]) -> list[int]:
        rows = Job.objects.filter(status__in=statuses).order_by("?")
        return list(rows.values_list("pk", flat=True)[:3])

    def cancel_some(self) -> None:
        for pk in self.some(sorted(ARROWS[Verb.CANCEL].sources)):
            with contextlib.suppress(IllegalTransition):
                cancel(pk, reason="by chance")

    def retry_some(self) -> None:
        for pk in self.some(sorted(ARROWS[Verb.RETRY].sources)):
            with contextlib.suppress(IllegalTransition):
                retry(pk, reason="by chance")

    def kill(self) -> None:
        number = self.chance.randrange(3)
        self.running[number].kill()
        self.running[number] = self.start()

    def stop(self) -> None:
        number = self.chance.randrange(3)
        if self.running[number].said("worker.started"):
            assert self.running[number].stop() in (0, 5)
            self.running[number] = self.start()

    def cut(self) -> None:
        self.proxy.cut()

    def silence(self) -> None:
        self.proxy.hold()
        time.sleep(self.chance.uniform(0, 1.5))
        self.proxy.mend()

    def terminate(self) -> None:
        sessions.terminate()

    def lock(self) -> None:
        with table_lock(self.chance.choice(["ACCESS EXCLUSIVE", "SHARE"])):
            time.sleep(self.chance.uniform(0, 1.5))


@pytest.mark.timeout(400)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_whatever_happens_every_job_ends_once_and_no_two_runs_of_one_overlap(
    workers: Workers,
    evidence: Evidence,
    all_done: Callable[..., None],
    proxy: Proxy,
    seed: int,
) -> None:
    workers.through(proxy.port)
    storm = Storm(workers, proxy, seed)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        storm.step()
    all_done(seconds=120)
    history.assert_sound()
    evidence.assert_no_overlap()
    assert not WorkflowRow.objects.filter(status=WorkflowStatus.RUNNING).exists()
    assert Job.objects.count() > 100
    assert JobEvent.objects.filter(kind=ARROWS[Verb.RESCUE].event).exists()
