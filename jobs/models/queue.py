"""Controls of a queue. A queue without a row here has none: it runs."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from jobs.permissions import Permission


class Queue(models.Model):
    """A queue somebody has paused at least once."""

    id = models.BigAutoField(primary_key=True)
    name = models.CharField(max_length=64, unique=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    paused_by = models.CharField(max_length=150, default="", blank=True)
    pause_reason = models.CharField(max_length=500, default="", blank=True)

    class Meta:
        db_table = "job_queues"
        permissions: ClassVar[list[Any]] = [
            (Permission.PAUSE_QUEUE.value, "Can pause and resume queues"),
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(name="job_queues_name_not_empty", condition=~Q(name="")),
            models.CheckConstraint(
                name="job_queues_reason_needs_pause",
                condition=Q(paused_at__isnull=False) | Q(paused_by="", pause_reason=""),
            ),
        ]

    def __str__(self) -> str:
        return self.name
