from __future__ import annotations

from collections.abc import Callable

from jobs import JobSpec, enqueue, enqueue_many, retry
from jobs.models import Job, JobEvent
from jobs.states import EventKind, JobStatus
from tests.process import MARKS
from tests.support import factories, history
from tests.support.evidence import Evidence
from tests.support.processes import Workers
from tests.support.waiting import wait_until

pytestmark = MARKS
AllDone = Callable[..., None]


def enqueue_marks(names: str, count: int, seconds: float, priority: int = 0) -> None:
    enqueue_many(
        JobSpec(
            task="check.mark",
            payload={"key": f"{names}-{n}", "seconds": seconds},
            priority=priority,
        )
        for n in range(count)
    )


def test_priority_is_strict_so_a_flood_of_urgent_jobs_starves_the_rest(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    enqueue("check.mark", {"key": "low"}, priority=-1)
    queued = Job.objects.filter(status=JobStatus.QUEUED, priority=10)
    enqueue_marks("urgent-0", 20, 0.02, priority=10)
    workers.start(threads=1)
    for batch in range(1, 6):
        wait_until(lambda: queued.count() < 10)
        enqueue_marks(f"urgent-{batch}", 20, 0.02, priority=10)
        assert not evidence.starts("low")
    all_done()
    assert evidence.starts()[-1]["key"] == "low"


def test_a_recovered_or_retried_job_keeps_its_place_before_a_flood(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    urgent = {"priority": 10, "max_attempts": 3}
    rescued = factories.job(
        JobStatus.RUNNING,
        task="check.mark",
        payload={"key": "rescued"},
        lease_seconds=-1,
        **urgent,
    )
    by_hand = factories.job(
        JobStatus.FAILED, task="check.mark", payload={"key": "by hand"}, **urgent
    )
    enqueue_marks("flood", 60, 0.1)
    workers.start(threads=1)
    wait_until(lambda: evidence.starts())
    failing = enqueue("check.fail", {"key": "failing", "times": 1}, priority=10)
    wait_until(lambda: evidence.ends("failing"))
    retry(by_hand.pk)
    wanted = {rescued.pk, by_hand.pk, failing.id}
    all_done(pk__in=wanted)
    assert Job.objects.filter(status=JobStatus.QUEUED).count() > 10
    for pk in wanted:
        events = JobEvent.objects.order_by("id")
        queued = events.filter(job=pk, to_status=JobStatus.QUEUED).last()
        assert queued is not None
        following = events.filter(kind=EventKind.CLAIMED, id__gt=queued.pk)
        # One claim may be under way while the job is being queued.
        assert pk in [event.job_id for event in following[:2]]


def test_a_backlog_of_retries_does_not_hold_up_fresh_jobs(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    enqueue_many(
        JobSpec(task="check.fail_slowly", payload={"key": f"failing-{n}", "times": 9})
        for n in range(200)
    )
    workers.start()
    wait_until(lambda: JobEvent.objects.filter(kind=EventKind.FAILED).count() >= 200)
    enqueue_marks("fresh", 50, 0)
    all_done(seconds=5, task="check.mark")
    assert Job.objects.filter(task="check.fail_slowly").exclude(status=JobStatus.FAILED).exists()
    all_done()
    history.assert_sound()
