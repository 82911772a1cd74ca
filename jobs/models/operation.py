"""The operation: one action on many jobs, and what became of those it was not done to."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from jobs.payload import ExactEncoder
from jobs.states import BulkAction, OperationStatus

RATES = (0.01, 10_000.0)
"""Smallest and largest `rate_per_second`."""


def _times() -> Q:
    """What an operation in each status has behind it."""
    started, finished = Q(started_at__isnull=False), Q(finished_at__isnull=False)
    return (
        Q(status=OperationStatus.PENDING.value) & ~started & ~finished
        | Q(status=OperationStatus.RUNNING.value) & started & ~finished
        | Q(status=OperationStatus.CANCELLED.value) & finished
        | Q(status__in=[OperationStatus.SUCCEEDED.value, OperationStatus.FAILED.value])
        & started
        & finished
    )


class Operation(models.Model):
    """One operation. `jobs.operations` writes it; its cursor and counts move with its work."""

    id = models.BigAutoField(primary_key=True)
    action = models.CharField(max_length=16, choices=[(a.value, a.value) for a in BulkAction])
    filter = models.JSONField(null=True, blank=True, encoder=ExactEncoder)
    """Conditions by name, as the list of jobs takes them; empty for every job."""
    job_ids = models.JSONField(null=True, blank=True)
    """Or the jobs themselves, by rising id."""
    snapshot = models.TextField()
    """What was committed when it was asked for: a `pg_snapshot`, or elsewhere the last event."""
    max_job_id = models.BigIntegerField()
    """The newest job of that moment."""
    rate_per_second = models.FloatField(null=True, blank=True)
    actor = models.CharField(max_length=150, default="", blank=True)
    reason = models.CharField(max_length=500, default="", blank=True)
    status = models.CharField(
        max_length=16,
        default=OperationStatus.PENDING.value,
        choices=[(s.value, s.value) for s in OperationStatus],
    )
    matched = models.BigIntegerField(null=True, blank=True)
    """Jobs that matched when it started."""
    done = models.BigIntegerField(default=0)
    also_changed = models.BigIntegerField(default=0)
    """Steps of workflows that had to change along with those done."""
    skipped = models.BigIntegerField(default=0)
    failed = models.BigIntegerField(default=0)
    last_job_id = models.BigIntegerField(default=0)
    """How far it is: no job up to this one is looked at again."""
    runner_job_id = models.BigIntegerField(null=True, blank=True)
    """The job that carries it out. No foreign key: retention may prune that first."""
    error = models.TextField(default="", blank=True)
    """Why it failed."""
    cancelled_by = models.CharField(max_length=150, default="", db_default="", blank=True)
    cancel_reason = models.CharField(max_length=500, default="", db_default="", blank=True)
    idempotency_key = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001 - unique where set
    idempotency_hash = models.CharField(max_length=64, default="", blank=True)
    created_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "job_operations"
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                name="job_operations_choices_known",
                condition=Q(action__in=[a.value for a in BulkAction])
                & Q(status__in=[s.value for s in OperationStatus]),
            ),
            models.CheckConstraint(
                name="job_operations_filter_or_ids",
                condition=Q(filter__isnull=False, job_ids__isnull=True)
                | Q(filter__isnull=True, job_ids__isnull=False),
            ),
            models.CheckConstraint(name="job_operations_times", condition=_times()),
            models.CheckConstraint(
                name="job_operations_counts_not_negative",
                condition=(Q(matched__isnull=True) | Q(matched__gte=0))
                & Q(done__gte=0, also_changed__gte=0, skipped__gte=0, failed__gte=0)
                & Q(last_job_id__gte=0, max_job_id__gte=0),
            ),
            models.CheckConstraint(
                name="job_operations_rate_in_range",
                condition=Q(rate_per_second__isnull=True) | Q(rate_per_second__range=RATES),
            ),
            models.CheckConstraint(
                name="job_operations_error_of_failed",
                condition=Q(error="") | Q(status=OperationStatus.FAILED.value),
            ),
            models.CheckConstraint(
                name="job_operations_cancel_of_cancelled",
                condition=Q(cancelled_by="", cancel_reason="")
                | Q(status=OperationStatus.CANCELLED.value),
            ),
            models.UniqueConstraint(
                name="job_operations_idempotency_key",
                fields=["idempotency_key"],
                condition=Q(idempotency_key__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.action} #{self.pk} ({self.status})"


class OperationItem(models.Model):
    """A job that an operation left as it was, and why. Those it changed have it in their events."""

    class Outcome(models.TextChoices):
        SKIPPED = "skipped", "skipped"
        FAILED = "failed", "failed"

    id = models.BigAutoField(primary_key=True)
    operation = models.ForeignKey(
        Operation, on_delete=models.CASCADE, related_name="items", db_index=False
    )
    job_id = models.BigIntegerField()
    """No foreign key: the job may be gone, or never have been there."""
    outcome = models.CharField(max_length=8, choices=Outcome.choices)
    reason = models.CharField(max_length=500)

    class Meta:
        db_table = "job_operation_items"
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                name="job_operation_items_outcome_known",
                condition=Q(outcome__in=["skipped", "failed"]) & ~Q(reason=""),
            ),
            # Also the index that finds the items of an operation.
            models.UniqueConstraint(name="job_operation_items_job", fields=["operation", "job_id"]),
        ]

    def __str__(self) -> str:
        return f"job {self.job_id} {self.outcome}"
