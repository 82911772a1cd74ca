"""The numbers every open page shows, and marks that differ when something else has changed."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db import connections

from jobs import stats
from jobs.live.shared import Shared

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


_CONTROLS: Final = """
SELECT name, paused_at, paused_by, pause_reason FROM job_queues ORDER BY name LIMIT %s
"""
_SCHEDULES: Final = """
SELECT MAX(updated_at), MAX(last_run_at), MAX(last_skipped_at), MAX(next_run_at), MAX(id)
FROM (SELECT * FROM job_schedules ORDER BY id LIMIT %s) known
"""


def _marks(using: str) -> Marks:
    pools = [
        (p.name, p.version, p.queues, p.threads, p.busy, p.stopping, p.lost)
        for p in stats.pool_states(using)
    ]
    return Marks(
        queues=_mark(_read(using, _CONTROLS)),
        workers=_mark(pools),
        schedules=_mark(_read(using, _SCHEDULES)),
    )


def _read(using: str, statement: str) -> list[Any]:
    with connections[using].cursor() as cursor:
        cursor.execute(statement, [stats.BOUND])
        return list(cursor.fetchall())


def _mark(rows: Iterable[Any]) -> str:
    digest = hashlib.blake2b(digest_size=_MARK_CHARS // 2)
    for row in rows:
        digest.update(repr(row).encode())
    return digest.hexdigest()
