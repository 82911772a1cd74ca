"""The registry of live pools, for people. The engine writes it and never reads it."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db.models.functions import Now

from jobs.models import WorkerPool


def beat(using: str, name: str, **fields: Any) -> None:
    """Say that the pool `name` is alive, creating its row when it is gone or new."""
    pools = WorkerPool.objects.using(using)
    changing = {key: fields[key] for key in ("busy", "stopping", "services")}
    if not pools.filter(name=name).update(heartbeat_at=Now(), **changing):
        pools.bulk_create([WorkerPool(name=name, **fields)], ignore_conflicts=True)


def leave(using: str, name: str) -> None:
    """The pool has stopped cleanly."""
    WorkerPool.objects.using(using).filter(name=name).delete()


def forget_lost(using: str, *, age_seconds: float) -> int:
    """Delete pools not heard of for `age_seconds`; returns how many."""
    lost = WorkerPool.objects.using(using).filter(
        heartbeat_at__lt=Now() - dt.timedelta(seconds=age_seconds)
    )
    return lost.delete()[0]
