from __future__ import annotations

from collections.abc import Callable

from jobs import cancel, enqueue
from jobs.models import Job
from jobs.states import JobStatus
from tests.process import MARKS
from tests.support import history
from tests.support.evidence import Evidence
from tests.support.processes import Workers
from tests.support.waiting import wait_until

pytestmark = MARKS


def test_the_end_of_a_job_that_is_asked_to_stop_is_decided_once(
    workers: Workers, evidence: Evidence, all_done: Callable[..., None]
) -> None:
    workers.start()
    succeeding = enqueue("check.held", {"key": "succeeding", "until": "end"})
    failing = enqueue("check.fail_held", {"key": "failing", "until": "end"})
    stopping = enqueue("check.patient", {"key": "stopping", "seconds": 60})
    wait_until(lambda: len(evidence.starts()) == 3)
    waiting = enqueue("check.mark", {"key": "waiting"}, delay_seconds=60)
    for job in (succeeding, failing, stopping, waiting):
        cancel(job.id, reason="enough")
    # Asked by a notification, long before the handler would have ended.
    all_done(seconds=5, pk=stopping.id)
    evidence.let_go("end")
    all_done()
    ends = dict(Job.objects.values_list("pk", "status"))
    assert ends[succeeding.id] == JobStatus.SUCCEEDED
    assert ends[failing.id] == JobStatus.CANCELLED
    assert ends[stopping.id] == JobStatus.CANCELLED
    assert ends[waiting.id] == JobStatus.CANCELLED
    assert history.kinds(failing.id) == ["enqueued", "claimed", "cancel_requested", "failed"]
    evidence.assert_once_each(3)
    history.assert_sound()
