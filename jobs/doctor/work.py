"""Facts about the jobs that wait, and about who could take them."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Any, Final

from django.db.models import QuerySet
from django.db.models.functions import Now

from jobs import stats
from jobs.conf import conf
from jobs.doctor.facts import Stranger
from jobs.models import Job, WorkerPool
from jobs.states import JobStatus
from jobs.stats.pools import MAX_POOLS
from jobs.store.literals import literal

FIRST_IN_LINE: Final = 1_000
"""Jobs whose tasks are looked at."""


def queues(using: str) -> dict[str, Any]:
    pools = _live(using).values_list("queues", flat=True)[:MAX_POOLS]
    return {"queues": stats.queue_states(using), "served": [frozenset(names) for names in pools]}


def strangers(using: str) -> dict[str, Any]:
    waiting = Job.objects.using(using).filter(status=literal(JobStatus.QUEUED))
    first = waiting.order_by(*Job.CLAIM_ORDER).values_list("task", "queue")[:FIRST_IN_LINE]
    counted = Counter(first)
    pools = list(_live(using).values_list("queues", "tasks")[:MAX_POOLS]) if counted else []
    found = []
    for (task, queue), jobs in sorted(counted.items()):
        serving = [tasks for names, tasks in pools if not names or queue in names]
        if serving and not any(task in tasks for tasks in serving):
            found.append(Stranger(task, queue, jobs))
    return {"strangers": found}


def _live(using: str) -> QuerySet[WorkerPool]:
    since = Now() - dt.timedelta(seconds=conf.LEASE_SECONDS)
    pools = WorkerPool.objects.using(using).filter(heartbeat_at__gte=since, stopping=False)
    return pools.order_by("id")
