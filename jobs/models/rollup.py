"""Sums of what has happened, so that charts need not read the events."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar, Final

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from jobs.histogram import BUCKETS

SPANS_SECONDS: Final = (60, 300, 900, 3600)
"""Lengths of time a row of `job_rollups` sums up."""


class RollupOutcome(StrEnum):
    ENQUEUED = "enqueued"
    """Asked for, or asked for again."""
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    RETRYING = "retrying"
    """An attempt failed and another follows."""


_OUTCOMES = [(outcome.value, outcome.value) for outcome in RollupOutcome]
WAIT_BUCKETS: Final = tuple(f"wait_{number}" for number in range(BUCKETS))
RUN_BUCKETS: Final = tuple(f"run_{number}" for number in range(BUCKETS))
SUMS: Final = ("jobs", "wait_sum", "run_sum", *WAIT_BUCKETS, *RUN_BUCKETS)
"""Columns that add up."""
MAXIMA: Final = ("wait_max", "run_max")
"""Columns of which the greatest counts."""


class Measures(models.Model):
    """What a row sums up: how many events, and the times of the attempts among them in seconds.

    The buckets are columns of their own: sums of integers are what a database does fastest.
    """

    outcome = models.CharField(max_length=16, choices=_OUTCOMES)
    jobs = models.BigIntegerField(default=0)
    wait_sum = models.FloatField(default=0)
    wait_max = models.FloatField(default=0)
    run_sum = models.FloatField(default=0)
    run_max = models.FloatField(default=0)

    class Meta:
        abstract = True


for _name in (*WAIT_BUCKETS, *RUN_BUCKETS):
    Measures.add_to_class(_name, models.IntegerField(default=0))


def _measured(table: str) -> list[Any]:
    known = [outcome.value for outcome in RollupOutcome]
    return [
        models.CheckConstraint(name=f"{table}_outcome_known", condition=Q(outcome__in=known)),
        models.CheckConstraint(
            name=f"{table}_not_negative",
            condition=Q(jobs__gte=1, wait_sum__gte=0, wait_max__gte=0, run_sum__gte=0)
            & Q(run_max__gte=0),
        ),
    ]


class Rollup(Measures):
    """One span of time, queue and outcome."""

    id = models.BigAutoField(primary_key=True)
    span_seconds = models.IntegerField()
    at = models.DateTimeField()
    """When the span begins, a whole multiple of its length."""
    queue = models.CharField(max_length=64)

    class Meta:
        db_table = "job_rollups"
        constraints: ClassVar[list[Any]] = [
            # Also the index the charts read by.
            models.UniqueConstraint(
                name="job_rollups_of_span", fields=["span_seconds", "at", "queue", "outcome"]
            ),
            models.CheckConstraint(
                name="job_rollups_span_known", condition=Q(span_seconds__in=SPANS_SECONDS)
            ),
            *_measured("job_rollups"),
        ]

    def __str__(self) -> str:
        return f"{self.queue} {self.outcome} {self.at}"


class TaskRollup(Measures):
    """One hour, task and outcome."""

    id = models.BigAutoField(primary_key=True)
    at = models.DateTimeField()
    """When the hour begins."""
    task = models.CharField(max_length=255)

    class Meta:
        db_table = "job_taskrollups"
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                name="job_taskrollups_of_hour", fields=["at", "task", "outcome"]
            ),
            *_measured("job_taskrollups"),
        ]

    def __str__(self) -> str:
        return f"{self.task} {self.outcome} {self.at}"


class RollupPosition(models.Model):
    """How far the events have been summed up; the one row is also the lock of who does it."""

    id = models.BigAutoField(primary_key=True)
    cursor = models.TextField(default="", db_default="", blank=True)
    """Of the event feed; empty for the beginning."""
    started_at = models.DateTimeField(db_default=Now())
    complete_at = models.DateTimeField(null=True, blank=True)
    """Up to when all that had committed was summed up."""

    class Meta:
        db_table = "job_rollupstate"
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(name="job_rollupstate_is_one", condition=Q(id=1)),
        ]

    def __str__(self) -> str:
        return f"complete at {self.complete_at}"
