from __future__ import annotations

from jobs.models import Job, JobEvent, Operation
from jobs.operations import requests
from jobs.states import BulkAction, JobStatus
from tests.process import MARKS
from tests.support import factories
from tests.support.factories import USING
from tests.support.processes import SHORT_LEASE, Workers
from tests.support.triggers import becomes, trigger
from tests.support.waiting import wait_until

pytestmark = MARKS


def test_an_operation_whose_worker_is_killed_in_a_batch_does_each_job_once(
    workers: Workers,
) -> None:
    factories.jobs(1500, JobStatus.FAILED, queue="nobody")
    spec = requests.OperationSpec(action=BulkAction.RETRY, filter={"queue": "nobody"})
    operation = requests.create(USING, spec).operation

    def now() -> Operation:
        return requests.get(USING, operation.pk)

    # A batch takes seconds, so the kill comes in the middle of one.
    with trigger(becomes("queued"), "PERFORM pg_sleep(0.004)"):
        first = workers.start("--queues", "default", **SHORT_LEASE)
        wait_until(lambda: now().done >= 500, seconds=30)
        first.kill()
        assert now().done < 1500
    workers.start("--queues", "default", **SHORT_LEASE)
    wait_until(lambda: now().status == "succeeded", seconds=40)
    assert (now().done, now().skipped, now().failed) == (1500, 0, 0)
    assert Job.objects.filter(queue="nobody", status="queued").count() == 1500
    assert JobEvent.objects.filter(kind="retried").count() == 1500
    runner = Job.objects.get(pk=operation.runner_job_id)
    assert JobEvent.objects.filter(job=runner, kind="rescued").exists()
