"""Failures that are alike, and how many there were in each hour. They outlive their jobs."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from jobs.states import ErrorGroupStatus


class ErrorGroup(models.Model):
    """What failed attempts with one fingerprint have in common. Written by `jobs.store` alone."""

    id = models.BigAutoField(primary_key=True)
    fingerprint = models.CharField(max_length=32, unique=True)
    task = models.CharField(max_length=255)
    queue = models.CharField(max_length=64)
    """That of the latest failure."""
    exception = models.CharField(max_length=255)
    culprit = models.CharField(max_length=255, default="", blank=True)
    """`module:function` of the application."""
    message = models.TextField(default="", blank=True)
    """That of the latest failure."""
    occurrences = models.BigIntegerField()
    first_seen_at = models.DateTimeField(db_default=Now())
    last_seen_at = models.DateTimeField(db_default=Now())
    first_release = models.CharField(max_length=100, default="", blank=True)
    last_release = models.CharField(max_length=100, default="", blank=True)
    status = models.CharField(
        max_length=8,
        default=ErrorGroupStatus.OPEN.value,
        choices=[(s.value, s.value) for s in ErrorGroupStatus],
    )
    ignore_until_count = models.BigIntegerField(null=True, blank=True)
    """An ignored group opens again when there were so many; None is never."""
    reopened_at = models.DateTimeField(null=True, blank=True)
    """When it last opened again by itself; None once somebody has decided anew."""
    note = models.TextField(default="", blank=True)
    changed_by = models.CharField(max_length=150, default="", blank=True)
    changed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "job_error_groups"
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                name="job_error_groups_status_known",
                condition=Q(status__in=[s.value for s in ErrorGroupStatus]),
            ),
            models.CheckConstraint(
                name="job_error_groups_names_not_empty",
                condition=~Q(fingerprint="") & ~Q(task="") & ~Q(queue="") & ~Q(exception=""),
            ),
            models.CheckConstraint(
                name="job_error_groups_seen_in_order",
                condition=Q(occurrences__gte=1, last_seen_at__gte=F("first_seen_at")),
            ),
            models.CheckConstraint(
                name="job_error_groups_limit_needs_ignored",
                condition=Q(ignore_until_count__isnull=True)
                | Q(
                    status=ErrorGroupStatus.IGNORED.value,
                    ignore_until_count__gt=F("occurrences"),
                ),
            ),
            models.CheckConstraint(
                name="job_error_groups_reopened_is_open",
                condition=Q(reopened_at__isnull=True) | Q(status=ErrorGroupStatus.OPEN.value),
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["last_seen_at", "id"], name="job_error_groups_seen"),
            models.Index(fields=["status", "last_seen_at", "id"], name="job_error_groups_status"),
        ]

    def __str__(self) -> str:
        return f"{self.exception} in {self.task}"


class ErrorHour(models.Model):
    """How many failures of a group there were in one hour, for the latest week."""

    pk = models.CompositePrimaryKey("group_id", "hour")
    group = models.ForeignKey(
        ErrorGroup, on_delete=models.CASCADE, related_name="hours", db_index=False
    )
    hour = models.DateTimeField()
    """Its beginning, in UTC."""
    occurrences = models.IntegerField()

    class Meta:
        db_table = "job_error_hours"
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                name="job_error_hours_not_empty", condition=Q(occurrences__gte=1)
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["hour"], name="job_error_hours_hour"),
        ]

    def __str__(self) -> str:
        return f"{self.occurrences} at {self.hour}"
