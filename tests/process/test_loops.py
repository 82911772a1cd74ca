from __future__ import annotations

from collections.abc import Callable

import pytest

from jobs import JobSpec, enqueue, enqueue_many
from jobs.models import Job, WorkerPool
from jobs.states import JobStatus
from tests.support import factories, history
from tests.support.evidence import Evidence
from tests.support.faults.triggers import CLAIMS, RENEWS, Triggers
from tests.support.processes import Workers
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.process, pytest.mark.postgres]
AllDone = Callable[..., None]

# An error that no loop expects.
ODD = "P0001"


def test_every_loop_outlives_an_error_of_one_pass(
    workers: Workers, evidence: Evidence, all_done: AllDone, triggers: Triggers
) -> None:
    worker = workers.start("--lease", "2", QFORGE_PRUNE_SECONDS="0.2")

    def fail_once(condition: str, **where: str) -> None:
        triggers.clear()
        triggers.fail(condition, ODD, times=1, **where)

    def recovered(service: str) -> bool:
        return any(line["service"] == service for line in worker.said("service.recovered"))

    enqueue("check.held", {"key": "renewed"})
    wait_until(lambda: evidence.starts("renewed"))
    fail_once(RENEWS)
    wait_until(lambda: recovered("heartbeat"))

    fail_once("NEW.status = 'queued' AND OLD.status = 'scheduled'")
    promoted = enqueue("check.mark", {"key": "promoted"}, delay_seconds=0.1)
    all_done(pk=promoted.id)
    wait_until(lambda: recovered("promote"))

    fail_once("OLD.status = 'running' AND NEW.status = 'scheduled'")
    rescued = factories.job(
        JobStatus.RUNNING, task="check.mark", payload={"key": "rescued"}, lease_seconds=-1
    )
    all_done(pk=rescued.pk)
    wait_until(lambda: recovered("rescue"))

    fail_once("true", events="DELETE")
    old = factories.job(JobStatus.SUCCEEDED, finished_seconds=400 * 86400)
    wait_until(lambda: not Job.objects.filter(pk=old.pk).exists())
    wait_until(lambda: recovered("prune"))

    fail_once(CLAIMS)
    enqueue_many(JobSpec(task="check.mark", payload={"key": str(n)}) for n in range(3))
    all_done(payload__key__in=["0", "1", "2"])
    wait_until(lambda: worker.said("worker.recovered"))

    fail_once("true", table="job_workers")
    wait_until(lambda: len(worker.said("service.recovered")) >= 5)
    evidence.let_go("renewed")
    all_done()
    assert len(evidence.starts("renewed")) == 1
    services = WorkerPool.objects.get().services
    assert {"heartbeat", "promote", "rescue", "prune", "listener"} <= services.keys()
    assert all(services[name]["failures"] == 0 for name in services)
    Job.objects.filter(pk=rescued.pk).delete()
    history.assert_sound()
