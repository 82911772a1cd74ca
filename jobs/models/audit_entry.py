"""The audit: what people have changed, whichever way they came."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from jobs.payload import ExactEncoder
from jobs.permissions import Permission


class AuditEntry(models.Model):
    """One change by a person. Written by `jobs.store.audit` alone, and never changed."""

    class Via(models.TextChoices):
        API = "api", "api"
        CLI = "cli", "cli"
        ADMIN = "admin", "admin"

    id = models.BigAutoField(primary_key=True)
    at = models.DateTimeField(db_default=Now())
    actor = models.CharField(max_length=150)
    via = models.CharField(max_length=8, choices=Via.choices)
    action = models.CharField(max_length=32)
    """`queue.pause`, `schedule.update`: what it was done to, and the verb."""
    target = models.CharField(max_length=255)
    """Name or id of what it was done to."""
    reason = models.CharField(max_length=500, default="", db_default="", blank=True)
    before = models.JSONField(null=True, blank=True, encoder=ExactEncoder)
    after = models.JSONField(null=True, blank=True, encoder=ExactEncoder)
    request_id = models.CharField(max_length=100, default="", db_default="", blank=True)

    class Meta:
        db_table = "job_audit"
        default_permissions = ()
        permissions: ClassVar[list[Any]] = [
            (Permission.VIEW_AUDIT.value, "Can view the audit"),
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                name="job_audit_says_who_and_what",
                condition=~Q(actor="") & ~Q(target="") & Q(action__contains="."),
            ),
            models.CheckConstraint(
                name="job_audit_via_known", condition=Q(via__in=["api", "cli", "admin"])
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["action", "target", "id"], name="job_audit_target"),
            models.Index(fields=["actor", "id"], name="job_audit_actor"),
        ]

    def __str__(self) -> str:
        return f"{self.actor}: {self.action} {self.target}"
