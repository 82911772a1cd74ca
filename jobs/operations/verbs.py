"""The actions on a batch of locked jobs: a few statements, however many jobs there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models.functions import Now

from jobs.models import Job
from jobs.states import BulkAction, EventKind, JobStatus, Verb
from jobs.store import notify, prune, told, transitions
from jobs.workflows import closing, revival


@dataclass(slots=True)
class Result:
    """What became of a batch."""

    done: int = 0
    also_changed: int = 0
    skipped: dict[int, str] = field(default_factory=dict)


def _cancel(using: str, jobs: Sequence[Job], data: dict[str, Any]) -> Result:
    """Cancel what waits, ask what runs to stop."""
    running = [job for job in jobs if job.status == JobStatus.RUNNING]
    asked = [job for job in running if job.cancel_requested_at is None]
    waiting = [job for job in jobs if job.status != JobStatus.RUNNING]
    if asked:
        rows = Job.objects.using(using).filter(pk__in=[job.pk for job in asked])
        rows.update(cancel_requested_at=Now())
        transitions.note(using, asked, EventKind.CANCEL_REQUESTED, data)
        notify.after_commit(using, [notify.CANCEL])
    doomed: list[int] = []
    if waiting:
        transitions.change(
            using,
            Verb.CANCEL,
            waiting,
            to_status=JobStatus.CANCELLED,
            values=transitions.STOPPED,
            data=data,
        )
        told.cancelled_after_commit(using, waiting)
        steps = [job.pk for job in waiting if job.workflow_id is not None]
        doomed = closing.close(using, dead=steps, origin=data)
    before = [job.pk for job in running if job.cancel_requested_at is not None]
    skipped = dict.fromkeys(before, "it was asked to stop before")
    return Result(len(asked) + len(waiting), len(doomed), skipped)


def _retry(using: str, jobs: Sequence[Job], data: dict[str, Any]) -> Result:
    """Queue failed and cancelled jobs anew, steps with what was cancelled below them."""
    plain = [job for job in jobs if job.workflow_id is None]
    steps = [job for job in jobs if job.workflow_id is not None]
    if plain:
        transitions.change(
            using,
            Verb.RETRY,
            plain,
            to_status=JobStatus.QUEUED,
            values=transitions.FRESH,
            data=data,
        )
        notify.after_commit(using, {notify.QUEUE + job.queue for job in plain})
    revived = revival.retry_steps(using, steps, data) if steps else revival.Revived(0, {})
    asked = len(steps) - len(revived.refused)
    return Result(len(plain) + asked, revived.steps - asked, revived.refused)


def _run_now(using: str, jobs: Sequence[Job], data: dict[str, Any]) -> Result:
    """Queue scheduled jobs before their time."""
    transitions.change(
        using,
        Verb.PROMOTE,
        jobs,
        to_status=JobStatus.QUEUED,
        values={"available_at": Now()},
        data=data,
    )
    notify.after_commit(using, {notify.QUEUE + job.queue for job in jobs})
    return Result(len(jobs))


def _delete(using: str, jobs: Sequence[Job], data: dict[str, Any]) -> Result:
    """Delete finished jobs with their events; steps stay as long as their workflow."""
    kept = {
        job.pk: "it is a step; steps go with their workflow"
        for job in jobs
        if job.workflow_id is not None
    }
    prune.delete_jobs(using, [job.pk for job in jobs if job.pk not in kept])
    return Result(len(jobs) - len(kept), 0, kept)


ACTIONS: Final[Mapping[BulkAction, Callable[[str, Sequence[Job], dict[str, Any]], Result]]] = {
    BulkAction.RETRY: _retry,
    BulkAction.CANCEL: _cancel,
    BulkAction.RUN_NOW: _run_now,
    BulkAction.DELETE: _delete,
}
"""Each takes jobs that are locked, with their workflows, in a status it may start from."""
