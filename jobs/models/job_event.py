"""The history of jobs: one row for every change of status, and the feed that live views read."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.deconstruct import deconstructible

from jobs.payload import ExactEncoder
from jobs.states import EventKind, JobStatus


@deconstructible
class CurrentTransactionId(models.Func):
    """The 64-bit id of the writing transaction; 0 where the database has none.

    A reader that knows a snapshot can tell exactly which events it has not seen, however late
    they were committed ("Transaction ID and Snapshot Information Functions", PostgreSQL manual).
    """

    output_field = models.BigIntegerField()

    template = "0"

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return self.as_sql(compiler, connection, template="(pg_current_xact_id()::text::bigint)")


_STATUSES = [(s.value, s.value) for s in JobStatus]


class JobEvent(models.Model):
    """One event. Written with the change it tells of, in the same transaction."""

    id = models.BigAutoField(primary_key=True)
    job = models.ForeignKey(
        "qforge.Job", on_delete=models.CASCADE, related_name="events", db_index=False
    )
    kind = models.CharField(max_length=24, choices=[(k.value, k.value) for k in EventKind])
    at = models.DateTimeField(db_default=Now())
    from_status = models.CharField(max_length=16, default="", blank=True, choices=_STATUSES)
    to_status = models.CharField(max_length=16, choices=_STATUSES)
    attempt = models.IntegerField(default=0)
    worker = models.CharField(max_length=128, default="", blank=True)
    lease_token = models.UUIDField(null=True, blank=True)
    data = models.JSONField(default=dict, blank=True, encoder=ExactEncoder)
    transaction_id = models.BigIntegerField(db_default=CurrentTransactionId())

    class Meta:
        db_table = "job_events"
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                name="job_events_kind_known", condition=Q(kind__in=[k.value for k in EventKind])
            ),
            models.CheckConstraint(
                name="job_events_statuses_known",
                condition=Q(from_status__in=["", *(s.value for s in JobStatus)])
                & Q(to_status__in=[s.value for s in JobStatus]),
            ),
            models.CheckConstraint(
                name="job_events_attempt_not_negative", condition=Q(attempt__gte=0)
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["job", "id"], name="job_events_of_job"),
            models.Index(fields=["transaction_id", "id"], name="job_events_feed"),
        ]

    def __str__(self) -> str:
        return f"job {self.job_id} {self.kind}"
