"""The workflow: a named graph of steps, each of which is a job."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from jobs.permissions import Permission
from jobs.states import WorkflowStatus


def _ended_as() -> Q:
    """`states.ended_as` as a condition: what the counts must be for each status.

    The four cases exclude one another, so that a row can agree with one status only.
    """
    stopped = Q(cancel_requested_at__isnull=False, cancelled_steps__gt=0)
    failed = Q(failed_steps__gt=F("tolerated_failures"))
    cancelled = Q(cancelled_steps__gt=F("tolerated_cancels"))
    ended = Q(open_steps=0, finished_at__isnull=False)
    return (
        Q(status=WorkflowStatus.RUNNING.value, open_steps__gt=0, finished_at__isnull=True)
        | Q(status=WorkflowStatus.FAILED.value) & ended & failed & ~stopped
        | Q(status=WorkflowStatus.CANCELLED.value) & ended & (stopped | (cancelled & ~failed))
        | Q(status=WorkflowStatus.SUCCEEDED.value) & ended & ~stopped & ~failed & ~cancelled
    )


class Workflow(models.Model):
    """One workflow. Its counts are kept by whoever changes a step, so its status costs no scan."""

    id = models.BigAutoField(primary_key=True)
    name = models.CharField(max_length=255)
    status = models.CharField(max_length=16, choices=[(s.value, s.value) for s in WorkflowStatus])
    steps = models.IntegerField()
    open_steps = models.IntegerField()
    """Steps that have not ended."""
    failed_steps = models.IntegerField(default=0)
    cancelled_steps = models.IntegerField(default=0)
    tolerated_failures = models.IntegerField(default=0)
    """Failed steps whose `on_failure` is `continue`."""
    tolerated_cancels = models.IntegerField(default=0)
    """Cancelled steps whose `on_failure` is `continue`."""
    idempotency_key = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001 - unique where set
    idempotency_hash = models.CharField(max_length=64, default="", blank=True)
    rerun_of = models.BigIntegerField(null=True, blank=True)
    """Id of the workflow this one repeats, which may have been pruned since."""
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "job_workflows"
        permissions: ClassVar[list[Any]] = [
            (Permission.MANAGE_WORKFLOW.value, "Can submit, cancel, retry and rerun workflows"),
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                name="job_workflows_status_known",
                condition=Q(status__in=[s.value for s in WorkflowStatus]),
            ),
            models.CheckConstraint(
                name="job_workflows_names_not_empty",
                condition=~Q(name="") & ~Q(idempotency_key=""),
            ),
            models.CheckConstraint(
                name="job_workflows_counts_in_range",
                condition=Q(
                    open_steps__gte=0,
                    tolerated_failures__gte=0,
                    tolerated_cancels__gte=0,
                    failed_steps__gte=F("tolerated_failures"),
                    cancelled_steps__gte=F("tolerated_cancels"),
                    steps__gte=F("open_steps") + F("failed_steps") + F("cancelled_steps"),
                )
                & Q(steps__gte=1),
            ),
            models.CheckConstraint(name="job_workflows_ended_as", condition=_ended_as()),
            models.UniqueConstraint(
                name="job_workflows_idempotency_key",
                fields=["idempotency_key"],
                condition=Q(idempotency_key__isnull=False),
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["status", "finished_at", "id"], name="job_workflows_finished"),
            models.Index(fields=["status", "id"], name="job_workflows_status"),
            models.Index(fields=["name", "id"], name="job_workflows_name"),
        ]

    def __str__(self) -> str:
        return f"{self.name} #{self.pk} ({self.status})"
