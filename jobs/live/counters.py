"""The numbers every open page shows, and marks that differ when something else has changed."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db.models import Max

from jobs import stats
from jobs.live.shared import Shared
from jobs.models import Queue, Schedule

SECONDS: Final = 2.0
"""How long the numbers hold."""
_MARK_CHARS: Final = 8


@dataclass(frozen=True, slots=True)
class Marks:
    """Short texts: each differs from the one before when something in its table has changed.

    These tables have no events of their own, and are small.
    """

    queues: str
    workers: str
    schedules: str


@dataclass(frozen=True, slots=True)
class Counters:
    glance: stats.Glance
    marks: Marks
    spent_seconds: float
    """What they cost to work out."""

    def shows(self, other: Counters) -> bool:
        """The same numbers, though they may have been counted at another time."""
        return replace(self.glance, at=other.glance.at) == other.glance

    @property
    def busy(self) -> bool:
        """Something runs, or could."""
        return any(self.glance.jobs[status].count for status in ("queued", "running"))


def _count(using: str) -> Counters:
    started = time.perf_counter()
    glance, marks = stats.glance(using), _marks(using)
    return Counters(glance, marks, time.perf_counter() - started)


counters: Final = Shared(_count, seconds=SECONDS)
"""`counters.get(using)`: those of at most two seconds ago."""


def _marks(using: str) -> Marks:
    controls = Queue.objects.using(using).order_by("name")[: stats.BOUND]
    pools = [
        (p.name, p.version, p.queues, p.threads, p.busy, p.stopping, p.lost)
        for p in stats.pool_states(using)
    ]
    schedules = Schedule.objects.using(using).order_by("pk")[: stats.BOUND]
    moves = ("updated_at", "last_run_at", "last_skipped_at", "next_run_at", "pk")
    return Marks(
        queues=_mark(controls.values_list("name", "paused_at", "paused_by", "pause_reason")),
        workers=_mark(pools),
        schedules=_mark([schedules.aggregate(*map(Max, moves))]),
    )


def _mark(rows: Iterable[Any]) -> str:
    digest = hashlib.blake2b(digest_size=_MARK_CHARS // 2)
    for row in rows:
        digest.update(repr(row).encode())
    return digest.hexdigest()
