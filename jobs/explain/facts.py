"""What there is to know about a job's wait, read in a fixed number of bounded queries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.db import connections
from django.db.models import BooleanField, ExpressionWrapper, F, Q
from django.db.models.fields.json import KT
from django.db.models.functions import Now

from jobs.conf import conf
from jobs.errors import JobNotFound
from jobs.explain.line import jobs_ahead
from jobs.models import Dependency, Job, JobEvent, Queue, WorkerPool
from jobs.states import TERMINAL, WAITING, JobStatus
from jobs.stats import BoundedCount
from jobs.store import clock

MAX_STEPS: Final = 10
"""Most steps named that a job waits for."""
MAX_POOLS: Final = 1_000
_MAX_EVENTS: Final = 50
_MAX_QUEUES: Final = 1_000
_LARGEST_ID: Final = 2**63 - 1
_COLUMNS: Final = (
    "task",
    "queue",
    "status",
    "priority",
    "attempts",
    "max_attempts",
    "timeout_seconds",
    "available_at",
    "created_at",
    "started_at",
    "finished_at",
    "locked_by",
    "lease_expires_at",
    "cancel_requested_at",
    "workflow",
    "open_dependencies",
)


@dataclass(frozen=True, slots=True)
class Pools:
    """The live pools of workers, in numbers. Threads are those of pools that serve the queue."""

    live: int = 0
    serving: int = 0
    """Those that claim from the job's queue and are not stopping."""
    stopping: int = 0
    """Those that served it until they were told to stop."""
    knowing: int = 0
    """Those of the serving that know the task."""
    threads: int = 0
    busy: int = 0
    queues: frozenset[str] | None = frozenset()
    """All queues that the serving ones claim from; None means any."""


@dataclass(frozen=True, slots=True)
class OpenStep:
    job: int
    step: str
    status: str


@dataclass(frozen=True, slots=True)
class Told:
    """What an event tells of why; its texts are empty where it says nothing."""

    kind: str
    from_status: str
    to_status: str
    actor: str
    reason: str
    cause: str
    """Id of the job whose end brought it about."""
    error_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """A job and what surrounds it, at one moment of the database's clock."""

    job: Job
    now: dt.datetime
    events: Mapping[str, Told] = field(default_factory=dict)
    """The latest event of each kind, the latest of all first."""
    paused: Queue | None = None
    """The job's queue, when it is paused."""
    pools: Pools = field(default_factory=Pools)
    waits_for: Sequence[OpenStep] = ()
    """Some of the steps it waits for."""
    ahead: BoundedCount = field(default_factory=BoundedCount)
    """Queued jobs that the workers of its queue will take before it."""


def gather(using: str, job_id: int) -> Facts:
    """Read them. Raises JobNotFound."""
    found = Job.objects.using(using).filter(pk=job_id) if job_id <= _LARGEST_ID else None
    job = found.only(*_COLUMNS).first() if found is not None else None
    if job is None:
        raise JobNotFound(job_id)
    now, events = clock.now(using), _latest_events(using, job_id)
    if job.status in TERMINAL:
        return Facts(job=job, now=now, events=events)
    pools, paused = _pools(using, job), dict[str, Queue]()
    if job.status in WAITING:
        rows = Queue.objects.using(using).filter(paused_at__isnull=False)
        paused = {row.name: row for row in rows[:_MAX_QUEUES]}
    blocked, queued = job.status == JobStatus.BLOCKED, job.status == JobStatus.QUEUED
    return Facts(
        job=job,
        now=now,
        events=events,
        paused=paused.get(job.queue),
        pools=pools,
        waits_for=_open_steps(using, job_id) if blocked else (),
        ahead=jobs_ahead(using, job, pools.queues, set(paused)) if queued else BoundedCount(),
    )


def _latest_events(using: str, job_id: int) -> dict[str, Told]:
    # Of the data the words alone: there may be a traceback in it.
    rows = (
        JobEvent.objects.using(using)
        .filter(job_id=job_id)
        .order_by("-id")
        .values_list(
            "kind",
            "from_status",
            "to_status",
            KT("data__actor"),
            KT("data__reason"),
            KT("data__cause"),
            KT("data__error__type"),
        )
    )
    found: dict[str, Told] = {}
    for kind, start, end, *words in rows[:_MAX_EVENTS]:
        told = Told(kind, start, end, *("" if word is None else str(word) for word in words))
        found.setdefault(kind, told)
    return found


def _open_steps(using: str, job_id: int) -> list[OpenStep]:
    rows = (
        Dependency.objects.using(using)
        .filter(child_id=job_id)
        .exclude(parent__status__in=TERMINAL)
        .order_by("parent_id")
        .values_list("parent_id", "parent__step_name", "parent__status")
    )
    return [OpenStep(*row) for row in rows[:MAX_STEPS]]


def _pools(using: str, job: Job) -> Pools:
    # The list of tasks may be long and the pools many, so the database looks, where it can.
    asks = connections[using].features.supports_json_field_contains
    contains = ExpressionWrapper(Q(tasks__contains=[job.task]), output_field=BooleanField())
    live = (
        WorkerPool.objects.using(using)
        .filter(heartbeat_at__gte=Now() - dt.timedelta(seconds=conf.LEASE_SECONDS))
        .order_by("id")
        .values("queues", "stopping", "threads", "busy", knows=contains if asks else F("tasks"))
    )[:MAX_POOLS]
    able = [row for row in live if not row["queues"] or job.queue in row["queues"]]
    serving = [row for row in able if not row["stopping"]]
    every = any(not row["queues"] for row in serving)
    return Pools(
        live=len(live),
        serving=len(serving),
        stopping=len(able) - len(serving),
        knowing=sum(row["knows"] if asks else job.task in row["knows"] for row in serving),
        threads=sum(row["threads"] for row in serving),
        busy=sum(row["busy"] for row in serving),
        queues=None if every else frozenset(name for row in serving for name in row["queues"]),
    )
