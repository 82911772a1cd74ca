from __future__ import annotations

from collections.abc import Callable

from jobs import enqueue, retry
from jobs.models import Job
from jobs.states import JobStatus
from tests.process import MARKS
from tests.support import factories, history
from tests.support.evidence import Evidence
from tests.support.processes import Workers

pytestmark = MARKS


def test_a_job_whose_task_a_worker_does_not_know_is_kept_and_can_be_retried(
    workers: Workers, evidence: Evidence, all_done: Callable[..., None]
) -> None:
    """As during a deployment: the new code enqueues, an old worker claims."""
    old = workers.start()
    row = factories.job(task="check.of_next_release", payload={"key": "new"}, max_attempts=1)
    enqueue("check.mark", {"key": "known"})
    all_done()
    job = Job.objects.get(pk=row.pk)
    assert job.status == JobStatus.FAILED
    assert "no task named 'check.of_next_release' is registered" in job.error
    assert old.alive()
    assert old.stop() == 0
    workers.start(TEST_NEXT_RELEASE="yes")
    retry(row.pk)
    all_done()
    assert Job.objects.get(pk=row.pk).status == JobStatus.SUCCEEDED
    assert history.kinds(row.pk) == ["claimed", "failed", "retried", "claimed", "succeeded"]
    evidence.assert_once_each(2)
