"""Many steps one after the other, through the ORM, for databases other than PostgreSQL."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import Count, F, Q
from django.db.models.functions import Now
from django.utils import timezone

from jobs.models import Dependency, Job, Workflow
from jobs.states import EventKind, JobStatus, OnFailure, Verb, ended_as
from jobs.store import portable, transitions
from jobs.store.origin import enqueued_by
from jobs.store.values import Closed, NewEvent, StepRow


def lock(using: str, workflow_ids: Collection[int]) -> list[int]:
    rows = Workflow.objects.using(using).filter(pk__in=workflow_ids).order_by("pk")
    return list(rows.select_for_update().values_list("pk", flat=True))


def insert_steps(using: str, workflow_id: int, rows: Sequence[StepRow]) -> list[tuple[int, str]]:
    inserted = [_insert(using, workflow_id, row) for row in rows]
    events = [
        NewEvent(
            job_id=job_id,
            kind=EventKind.ENQUEUED,
            from_status="",
            to_status=status,
            data={**enqueued_by()}
            | ({} if row.kept_from is None else {"kept_from": row.kept_from}),
        )
        for (job_id, status), row in zip(inserted, rows, strict=True)
    ]
    portable.record(using, events)
    return inserted


def _insert(using: str, workflow_id: int, row: StepRow) -> tuple[int, str]:
    job, now = row.step.job, timezone.now()
    jobs = Job.objects.using(using)
    available_at = max(job.available_at or now, now)
    status = JobStatus.SCHEDULED if available_at > now else JobStatus.QUEUED
    kept = {}
    if row.kept_from is not None:
        status = JobStatus.SUCCEEDED
        kept = {"finished_at": now, "result": jobs.get(pk=row.kept_from).result}
    elif row.open_dependencies:
        status = JobStatus.BLOCKED
    made = jobs.create(
        task=job.task,
        queue=job.queue,
        payload=json.loads(job.payload),
        args=json.loads(job.args),
        status=status,
        priority=job.priority,
        max_attempts=job.max_attempts,
        timeout_seconds=job.timeout_seconds,
        available_at=available_at,
        created_at=now,
        workflow_id=workflow_id,
        step_name=row.step.name,
        on_failure=row.step.on_failure,
        open_dependencies=row.open_dependencies,
        tasks_backend=job.tasks_backend,
        run_after=job.available_at if job.tasks_backend else None,
        **kept,
    )
    return made.pk, made.status


def insert_edges(using: str, edges: Sequence[tuple[int, int, bool]]) -> None:
    Dependency.objects.using(using).bulk_create(
        Dependency(parent_id=parent, child_id=child, appended=appended)
        for parent, child, appended in edges
    )


def cancel_steps(using: str, rows: Sequence[tuple[int, str, dict[str, Any]]]) -> None:
    for job_id, error, data in rows:
        transitions.change(
            using,
            Verb.CANCEL,
            [Job.objects.using(using).get(pk=job_id)],
            to_status=JobStatus.CANCELLED,
            values={"finished_at": Now(), "open_dependencies": 0, "error": error},
            data=data,
        )


def close(using: str, job_ids: Sequence[int]) -> Closed:
    queues, scheduled = set(), False
    for child in _freed(using, job_ids):
        due = child.available_at <= timezone.now()
        values: dict[str, Any] = {"open_dependencies": 0}
        if due:
            values["available_at"] = Now()
            queues.add(child.queue)
        scheduled = scheduled or not due
        transitions.change(
            using,
            Verb.UNBLOCK,
            [child],
            to_status=JobStatus.QUEUED if due else JobStatus.SCHEDULED,
            values=values,
        )
    _count(using, job_ids)
    return Closed(frozenset(queues), scheduled)


def _freed(using: str, job_ids: Sequence[int]) -> list[Job]:
    """Children that waited for these steps alone; the others wait for fewer from now on."""
    closed = Q(parent__status=JobStatus.SUCCEEDED) | Q(parent__on_failure=OnFailure.CONTINUE)
    edges = Dependency.objects.using(using).filter(closed, parent_id__in=job_ids)
    freed = Counter(edges.values_list("child_id", flat=True))
    blocked = Job.objects.using(using).filter(status=JobStatus.BLOCKED)
    alone = []
    for child in blocked.filter(pk__in=freed).order_by("pk"):
        parents = freed[child.pk]
        if child.open_dependencies == parents:
            alone.append(child)
        else:
            blocked.filter(pk=child.pk).update(open_dependencies=F("open_dependencies") - parents)
    return alone


def _count(using: str, job_ids: Sequence[int]) -> None:
    failed, cancelled = Q(status=JobStatus.FAILED), Q(status=JobStatus.CANCELLED)
    tolerated = Q(on_failure=OnFailure.CONTINUE)
    counted = (
        Job.objects.using(using)
        .filter(pk__in=job_ids)
        .values("workflow_id")
        .annotate(
            closed=Count("pk"),
            failed=Count("pk", filter=failed),
            cancelled=Count("pk", filter=cancelled),
            tolerated_failures=Count("pk", filter=failed & tolerated),
            tolerated_cancels=Count("pk", filter=cancelled & tolerated),
        )
    )
    for row in counted:
        workflow = Workflow.objects.using(using).get(pk=row["workflow_id"])
        workflow.open_steps -= row["closed"]
        workflow.failed_steps += row["failed"]
        workflow.cancelled_steps += row["cancelled"]
        workflow.tolerated_failures += row["tolerated_failures"]
        workflow.tolerated_cancels += row["tolerated_cancels"]
        if workflow.open_steps == 0:
            workflow.finished_at = timezone.now()
            workflow.status = ended_as(
                failed=workflow.failed_steps,
                cancelled=workflow.cancelled_steps,
                tolerated_failures=workflow.tolerated_failures,
                tolerated_cancels=workflow.tolerated_cancels,
                stopped=workflow.cancel_requested_at is not None,
            )
        workflow.save(using=using)
