"""The pools of workers, as they last told of themselves."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Final

from django.db.models.functions import Now

from jobs.conf import conf
from jobs.models import WorkerPool
from jobs.stats.measures import age_seconds

MAX_POOLS: Final = 1_000


@dataclass(frozen=True, slots=True)
class PoolState:
    """One pool of workers. `lost` is one not heard of for longer than a lease."""

    name: str
    host: str
    pid: int
    version: str
    queues: list[str]
    threads: int
    busy: int
    stopping: bool
    started_at: dt.datetime
    heartbeat_age_seconds: float
    lost: bool


def pool_states(using: str) -> list[PoolState]:
    """The pools in the registry, by name."""
    rows = WorkerPool.objects.using(using).annotate(now=Now()).order_by("name")[:MAX_POOLS]
    states = []
    for row in rows:
        age = age_seconds(row.now, row.heartbeat_at)
        states.append(
            PoolState(
                name=row.name,
                host=row.host,
                pid=row.pid,
                version=row.version,
                queues=row.queues,
                threads=row.threads,
                busy=row.busy,
                stopping=row.stopping,
                started_at=row.started_at,
                heartbeat_age_seconds=age,
                lost=age > conf.LEASE_SECONDS,
            )
        )
    return states
