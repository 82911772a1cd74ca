"""The job: one row of work, from the moment it is asked for until retention prunes it."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from jobs.payload import ExactEncoder
from jobs.permissions import Permission
from jobs.registry import DEFAULT_QUEUE, PRIORITIES
from jobs.states import SHAPE, TERMINAL, WAITING, JobStatus, OnFailure


def _shape_of(status: JobStatus) -> Q:
    """What a row in `status` must look like, from `states.SHAPE`."""
    shape = SHAPE[status]
    leased = (
        ~Q(locked_by="") & Q(lease_token__isnull=False) & Q(lease_expires_at__isnull=False)
        if shape.leased
        else Q(locked_by="", lease_token__isnull=True, lease_expires_at__isnull=True)
    )
    return Q(status=status.value) & leased & Q(finished_at__isnull=not shape.finished)


def _shape() -> Q:
    whole = Q()
    for status in JobStatus:
        whole |= _shape_of(status)
    return whole


def _budget() -> Q:
    """A claim takes an attempt, so whoever waits must have one left and whoever runs has one."""
    waiting = Q(status__in=sorted(s.value for s in WAITING), attempts__lt=F("max_attempts"))
    running = Q(status=JobStatus.RUNNING.value, attempts__gte=1)
    finished = Q(status__in=sorted(s.value for s in TERMINAL))
    within = Q(attempts__gte=0, attempts__lte=F("max_attempts"), max_attempts__gte=1)
    return within & (waiting | running | finished)


class Job(models.Model):
    """One job. Written by `jobs.store` alone."""

    id = models.BigAutoField(primary_key=True)
    task = models.CharField(max_length=255)
    queue = models.CharField(max_length=64, default=DEFAULT_QUEUE)
    payload = models.JSONField(default=dict, encoder=ExactEncoder)
    args = models.JSONField(default=list, encoder=ExactEncoder)
    status = models.CharField(max_length=16, choices=[(s.value, s.value) for s in JobStatus])
    priority = models.SmallIntegerField(default=0)
    attempts = models.IntegerField(default=0)
    max_attempts = models.IntegerField()
    timeout_seconds = models.FloatField(null=True, blank=True)
    available_at = models.DateTimeField(db_default=Now())
    locked_by = models.CharField(max_length=128, default="", blank=True)
    lease_token = models.UUIDField(null=True, blank=True)
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    progress = models.JSONField(null=True, blank=True)
    result = models.JSONField(null=True, blank=True, encoder=ExactEncoder)
    error = models.TextField(default="", blank=True)
    error_fingerprint = models.CharField(max_length=32, default="", db_default="", blank=True)
    """The group of `error`, when that is how an attempt failed."""
    idempotency_key = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001 - unique where set
    idempotency_hash = models.CharField(max_length=64, default="", blank=True)
    created_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    workflow = models.ForeignKey(
        "qforge.Workflow",
        on_delete=models.CASCADE,
        related_name="jobs",
        null=True,
        blank=True,
        db_index=False,
    )
    step_name = models.CharField(max_length=200, default="", db_default="", blank=True)
    on_failure = models.CharField(
        max_length=8,
        default="",
        db_default="",
        blank=True,
        choices=[(choice.value, choice.value) for choice in OnFailure],
    )
    open_dependencies = models.IntegerField(default=0, db_default=0)
    """Parents that have yet to end in a way that lets this step run."""
    tasks_backend = models.CharField(max_length=64, default="", db_default="", blank=True)
    """Of a Django task: the alias in `TASKS` of the backend that it was enqueued with."""
    run_after = models.DateTimeField(null=True, blank=True)
    """Of a Django task: the earliest start that was asked for; retries move `available_at`."""

    CLAIM_ORDER: ClassVar[tuple[str, ...]] = ("-priority", "available_at", "created_at", "id")

    class Meta:
        db_table = "jobs"
        permissions: ClassVar[list[Any]] = [
            (Permission.VIEW_PAYLOAD.value, "Can view payloads, results and errors"),
            (Permission.ENQUEUE_JOB.value, "Can enqueue jobs"),
            (Permission.RETRY_JOB.value, "Can retry jobs"),
            (Permission.CANCEL_JOB.value, "Can cancel jobs"),
            (Permission.BULK_OPERATE.value, "Can act on many jobs at once"),
            (Permission.EXPORT_JOB.value, "Can export jobs"),
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                name="jobs_status_known", condition=Q(status__in=[s.value for s in JobStatus])
            ),
            models.CheckConstraint(name="jobs_row_shape", condition=_shape()),
            models.CheckConstraint(
                name="jobs_attempts_in_budget",
                condition=_budget(),
            ),
            models.CheckConstraint(
                name="jobs_priority_in_range",
                condition=Q(priority__gte=PRIORITIES[0], priority__lte=PRIORITIES[1]),
            ),
            models.CheckConstraint(
                name="jobs_names_not_empty",
                condition=~Q(task="") & ~Q(queue="") & ~Q(idempotency_key=""),
            ),
            models.CheckConstraint(
                name="jobs_timeout_positive",
                condition=Q(timeout_seconds__isnull=True) | Q(timeout_seconds__gt=0),
            ),
            models.CheckConstraint(
                name="jobs_blocked_by_open_dependencies",
                condition=Q(status=JobStatus.BLOCKED.value, open_dependencies__gt=0)
                | (~Q(status=JobStatus.BLOCKED.value) & Q(open_dependencies=0)),
            ),
            models.CheckConstraint(
                name="jobs_step_of_workflow",
                condition=Q(workflow__isnull=True, step_name="", on_failure="")
                | (
                    Q(workflow__isnull=False, on_failure__in=[o.value for o in OnFailure])
                    & ~Q(step_name="")
                ),
            ),
            models.CheckConstraint(
                name="jobs_fingerprint_needs_error",
                condition=Q(error_fingerprint="") | ~Q(error=""),
            ),
            models.CheckConstraint(
                name="jobs_run_after_of_backend",
                condition=Q(run_after__isnull=True) | ~Q(tasks_backend=""),
            ),
            models.UniqueConstraint(
                name="jobs_idempotency_key",
                fields=["idempotency_key"],
                condition=Q(idempotency_key__isnull=False),
            ),
            # Also the index that finds the steps of a workflow.
            models.UniqueConstraint(
                name="jobs_step_name",
                fields=["workflow", "step_name"],
                condition=Q(workflow__isnull=False),
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                models.F("priority").desc(),
                "available_at",
                "created_at",
                "id",
                name="jobs_claim",
                condition=Q(status=JobStatus.QUEUED.value),
            ),
            models.Index(
                "queue",
                models.F("priority").desc(),
                "available_at",
                "created_at",
                "id",
                name="jobs_claim_queue",
                condition=Q(status=JobStatus.QUEUED.value),
            ),
            models.Index(
                fields=["available_at", "id"],
                name="jobs_due",
                condition=Q(status=JobStatus.SCHEDULED.value),
            ),
            models.Index(
                fields=["queue", "id"],
                name="jobs_blocked",
                condition=Q(status=JobStatus.BLOCKED.value),
            ),
            models.Index(
                fields=["lease_expires_at"],
                name="jobs_lease",
                condition=Q(status=JobStatus.RUNNING.value),
            ),
            models.Index(
                fields=["status", "finished_at", "id"],
                name="jobs_finished",
                condition=Q(status__in=sorted(s.value for s in TERMINAL)),
            ),
            models.Index(
                fields=["error_fingerprint", "status", "id"],
                name="jobs_error_group",
                condition=~Q(error_fingerprint=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task} #{self.pk} ({self.status})"
