"""Every statement of the store once, in the order of a job's life."""

from __future__ import annotations

import uuid

from jobs import lifecycle
from jobs.models import Job
from jobs.states import JobStatus
from jobs.store import claim, enqueue, leases, prune, queues, workers
from jobs.store.claim import everything
from jobs.store.values import Claimed, Outcome, cancelled, failed, released, succeeded
from tests.support.factories import new_job

WORKER = "worker-of-scenario"


def run_through(using: str) -> None:
    """Enqueue, claim, renew, finish, rescue, promote, retry, cancel and prune on `using`."""
    wanted = [new_job(priority=-n, idempotency_key=f"k{n}" if n < 2 else None) for n in range(6)]
    answers = enqueue.insert(using, wanted)
    assert [a.created for a in enqueue.insert(using, wanted[:2])] == [False, False]
    (single,) = enqueue.insert(using, [new_job(delay_seconds=3600, priority=-9)])

    queues.pause(using, "paused", by="me", reason="why")
    assert queues.open_queues(using, []) == ["default"]
    queues.resume(using, "paused")

    taken = take(using, 5)
    assert [job.id for job in taken] == [answer.id for answer in answers[:5]]
    assert len(claim.held(using, [taken[0].token])) == 5
    held = {job.id: job.token for job in taken}
    assert leases.renew(using, held, lease_seconds=30).lost == frozenset()
    leases.save_progress(using, held, {taken[0].id: {"percent": 5, "message": "a"}})

    write(
        using,
        succeeded(taken[0], '{"n": 1}', run_seconds=0.1),
        failed(taken[1].id, taken[1].token, error="no", delay_seconds=None, data={}),
        released(taken[2].id, taken[2].token, reason="shutdown"),
        cancelled(taken[3], reason="stop"),
    )
    assert leases.ended(using, [taken[0].id]) == {(taken[0].id, taken[0].token, "succeeded")}
    assert leases.renew(using, held, lease_seconds=-1).lost == {job.id for job in taken[:4]}
    (rescued,) = lifecycle.rescue(using, limit=10, worker=WORKER)
    assert rescued.job_id == taken[4].id
    # A stale outcome leaves a note and nothing else.
    stale = succeeded(taken[4], None, run_seconds=0.1)
    assert not lifecycle.exchange(using, [stale], None, worker=WORKER).written

    assert lifecycle.run_now(using, single.id, actor="me").status == JobStatus.QUEUED
    assert lifecycle.promote(using, limit=10).count == 0
    assert lifecycle.retry(using, taken[1].id, actor="me", reason="").status == JobStatus.QUEUED
    assert lifecycle.cancel(using, taken[1].id, actor="me", reason="").status == "cancelled"
    assert take(using, 1, ["default", "other"])[0].id == taken[2].id
    assert lifecycle.cancel(using, taken[2].id, actor="me", reason="").status == "running"

    workers.beat(using, WORKER, **pool())
    workers.leave(using, WORKER)
    assert workers.forget_lost(using, age_seconds=1) == 0
    assert prune.prune_batch(using, JobStatus.SUCCEEDED, age_seconds=0, limit=10) == 1
    assert not Job.objects.using(using).filter(pk=taken[0].id).exists()


def take(using: str, limit: int, queue_names: list[str] | None = None) -> list[Claimed]:
    request = lifecycle.ClaimRequest(
        queues=queue_names, limit=limit, choose=everything, token=uuid.uuid4(), lease_seconds=30
    )
    return lifecycle.exchange(using, [], request, worker=WORKER).claimed


def write(using: str, *outcomes: Outcome) -> None:
    written = lifecycle.exchange(using, outcomes, None, worker=WORKER).written
    assert len(written) == len(outcomes)


def pool() -> dict[str, object]:
    return {
        "host": "h",
        "pid": 1,
        "version": "1",
        "queues": [],
        "tasks": [],
        "threads": 1,
        "busy": 0,
        "stopping": False,
        "services": {},
    }
