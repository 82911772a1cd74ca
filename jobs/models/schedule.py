"""The schedule: a job that is enqueued again and again, by a cron expression or at an interval."""

from __future__ import annotations

from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from jobs import timing
from jobs.errors import InvalidInput
from jobs.payload import ExactEncoder
from jobs.permissions import Permission
from jobs.registry import PRIORITIES
from jobs.timing import Missed, Overlap


class Schedule(models.Model):
    """One schedule. `jobs.schedules` writes it; a row put in by hand is picked up as it is."""

    class DeclaredIn(models.TextChoices):
        DATABASE = "database", "database"
        CODE = "code", "code"

    id = models.BigAutoField(primary_key=True)
    name = models.CharField(max_length=255, unique=True)
    task = models.CharField(max_length=255)
    payload = models.JSONField(default=dict, db_default={}, blank=True, encoder=ExactEncoder)
    queue = models.CharField(max_length=64, default="", db_default="", blank=True)
    """Empty: the task's own."""
    priority = models.SmallIntegerField(null=True, blank=True)
    """None: the task's own."""
    cron = models.CharField(max_length=255, default="", db_default="", blank=True)
    interval_seconds = models.IntegerField(null=True, blank=True)
    timezone = models.CharField(max_length=64, default="UTC", db_default="UTC")
    missed = models.CharField(
        max_length=8,
        default=Missed.LAST.value,
        db_default=Missed.LAST.value,
        choices=[(m.value, m.value) for m in Missed],
    )
    missed_limit = models.IntegerField(
        default=timing.DEFAULTS["missed_limit"], db_default=timing.DEFAULTS["missed_limit"]
    )
    """The most jobs enqueued at once to catch up, when `missed` is `all`."""
    overlap = models.CharField(
        max_length=8,
        default=Overlap.ALLOW.value,
        db_default=Overlap.ALLOW.value,
        choices=[(o.value, o.value) for o in Overlap],
    )
    enabled = models.BooleanField(default=True, db_default=True)
    disabled_reason = models.CharField(max_length=1000, default="", db_default="", blank=True)
    declared_in = models.CharField(
        max_length=8,
        default=DeclaredIn.DATABASE,
        db_default=DeclaredIn.DATABASE,
        choices=DeclaredIn.choices,
    )
    next_run_at = models.DateTimeField(null=True, blank=True)
    """None: worked out at the next look. The next ones of an interval count from it."""
    last_run_at = models.DateTimeField(null=True, blank=True)
    """The last fire time that got a job."""
    last_job_id = models.BigIntegerField(null=True, blank=True)
    """The job enqueued last. No foreign key: pruning the job must not wait for the schedule."""
    last_skipped_at = models.DateTimeField(null=True, blank=True)
    last_skip_reason = models.CharField(max_length=255, default="", db_default="", blank=True)
    created_at = models.DateTimeField(db_default=Now())
    updated_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "job_schedules"
        permissions: ClassVar[list[Any]] = [
            (Permission.MANAGE_SCHEDULE.value, "Can make, change and run schedules"),
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                name="job_schedules_names_not_empty", condition=~Q(name="") & ~Q(task="")
            ),
            models.CheckConstraint(
                name="job_schedules_cron_or_interval",
                condition=(~Q(cron="") & Q(interval_seconds__isnull=True))
                # A comparison with NULL is unknown, which a check lets pass.
                | Q(
                    cron="",
                    interval_seconds__isnull=False,
                    interval_seconds__range=timing.INTERVAL_SECONDS,
                ),
            ),
            models.CheckConstraint(
                name="job_schedules_priority_in_range",
                condition=Q(priority__isnull=True) | Q(priority__range=PRIORITIES),
            ),
            models.CheckConstraint(
                name="job_schedules_policy_known",
                condition=Q(missed__in=[m.value for m in Missed])
                & Q(overlap__in=[o.value for o in Overlap])
                & Q(declared_in__in=["database", "code"]),
            ),
            models.CheckConstraint(
                name="job_schedules_missed_limit_in_range",
                condition=Q(missed_limit__range=timing.MISSED_LIMITS),
            ),
            models.CheckConstraint(
                name="job_schedules_reason_needs_disabled",
                condition=Q(enabled=False) | Q(disabled_reason=""),
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["next_run_at", "id"], name="job_schedules_due", condition=Q(enabled=True)
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """What the columns alone cannot say: the expression, the zone, cron or interval."""
        options = {field: getattr(self, field) for field in (*timing.DEFAULTS, "timezone")}
        try:
            timing.check_times(options)
            timing.check_policy(options)
        except InvalidInput as error:
            raise ValidationError({error.field: error.message}, code=error.code) from error
