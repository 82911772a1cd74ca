"""Who is at work: a registry of pools, for people. Nothing is recovered by joining on it."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from jobs.permissions import Permission


class WorkerPool(models.Model):
    """One pool, that is one process of `run_job_workers`."""

    id = models.BigAutoField(primary_key=True)
    name = models.CharField(max_length=128, unique=True)
    host = models.CharField(max_length=255)
    pid = models.IntegerField()
    version = models.CharField(max_length=32)
    queues = models.JSONField(default=list)
    tasks = models.JSONField(default=list)
    threads = models.IntegerField()
    busy = models.IntegerField(default=0)
    stopping = models.BooleanField(default=False)
    services = models.JSONField(default=dict)
    started_at = models.DateTimeField(db_default=Now())
    heartbeat_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "job_workers"
        permissions: ClassVar[list[Any]] = [
            (Permission.CONTROL_WORKER.value, "Can control workers"),
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                name="job_workers_threads_in_range", condition=Q(threads__gte=1, busy__gte=0)
            ),
            models.CheckConstraint(name="job_workers_name_not_empty", condition=~Q(name="")),
        ]

    def __str__(self) -> str:
        return self.name
