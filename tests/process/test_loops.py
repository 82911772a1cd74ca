from __future__ import annotations

from collections.abc import Callable

from jobs import JobSpec, enqueue, enqueue_many
from jobs.models import Job, WorkerPool
from jobs.states import JobStatus
from tests.process import MARKS, sessions
from tests.support import factories, history
from tests.support.evidence import Evidence
from tests.support.processes import Workers
from tests.support.triggers import becomes, raising, trigger
from tests.support.waiting import wait_until

pytestmark = MARKS
AllDone = Callable[..., None]

# An error that no loop expects.
ODD = "P0001"
RENEWS = "OLD.status = 'running' AND NEW.status = 'running'"


def test_every_loop_outlives_an_error_of_one_pass(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    worker = workers.start(QFORGE_PRUNE_SECONDS="0.2")

    def failures() -> set[int]:
        services = WorkerPool.objects.get().services
        assert {"heartbeat", "promote", "rescue", "prune", "listener"} <= services.keys()
        return {service["failures"] for service in services.values()}

    def recovered(service: str) -> bool:
        return any(line["service"] == service for line in worker.said("service.recovered"))

    enqueue("check.held", {"key": "renewed"})
    wait_until(lambda: evidence.starts("renewed"))
    with trigger(RENEWS, raising(ODD, times=1)):
        wait_until(lambda: recovered("heartbeat"))

    promotes = "OLD.status = 'scheduled' AND NEW.status = 'queued'"
    with trigger(promotes, raising(ODD, times=1)):
        promoted = enqueue("check.mark", {"key": "promoted"}, delay_seconds=0.1)
        all_done(pk=promoted.id)
        wait_until(lambda: recovered("promote"))

    with trigger("OLD.status = 'running' AND NEW.status = 'scheduled'", raising(ODD, times=1)):
        rescued = factories.job(
            JobStatus.RUNNING, task="check.mark", payload={"key": "rescued"}, lease_seconds=-1
        )
        all_done(pk=rescued.pk)
        wait_until(lambda: recovered("rescue"))
    Job.objects.filter(pk=rescued.pk).delete()

    with trigger("true", raising(ODD, times=1), change="DELETE"):
        old = factories.job(JobStatus.SUCCEEDED, finished_seconds=400 * 86400)
        wait_until(lambda: not Job.objects.filter(pk=old.pk).exists())
        wait_until(lambda: recovered("prune"))

    with trigger(becomes("running"), raising(ODD, times=1)):
        enqueue_many(JobSpec(task="check.mark", payload={"key": str(n)}) for n in range(3))
        all_done(payload__key__in=["0", "1", "2"])
        wait_until(lambda: worker.said("worker.recovered"))

    sessions.terminate()
    wait_until(lambda: recovered("listener"))

    evidence.let_go("renewed")
    all_done()
    assert len(evidence.starts("renewed")) == 1
    # What people are shown says that all of them are well again.
    wait_until(lambda: failures() == {0})
    history.assert_sound()
