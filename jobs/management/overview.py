"""What `manage.py jobs status` shows: the API's numbers, and per queue what has failed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from django.db import connections, transaction

from jobs import stats
from jobs.conf import conf
from jobs.states import JobStatus
from jobs.stats.pools import PoolState
from jobs.stats.queues import QueueState
from jobs.store.dialects import dialect

# With a LIMIT alone the planner may hope for early hits and read the whole table; the order of
# the status's own index leaves it no such choice. The status stands in the text, so that the
# planner sees that the index serves.
_TROUBLED: Final = {
    JobStatus.SCHEDULED: """
        SELECT queue, attempts > 0, count(*)
        FROM (SELECT queue, attempts FROM jobs WHERE status = 'scheduled'
              ORDER BY available_at, id LIMIT %s) AS bounded
        GROUP BY 1, 2""",
    JobStatus.FAILED: """
        SELECT queue, true, count(*)
        FROM (SELECT queue FROM jobs WHERE status = 'failed'
              ORDER BY finished_at DESC, id DESC LIMIT %s) AS bounded
        GROUP BY 1, 2""",
}


@dataclass(frozen=True, slots=True)
class QueueOverview:
    """A queue as the API shows it, and what of it is in trouble."""

    state: QueueState
    scheduled: stats.BoundedCount
    """Waiting for a first attempt."""
    retrying: stats.BoundedCount
    """Scheduled with failed attempts behind them."""
    failed: stats.BoundedCount
    rates: stats.QueueRates


@dataclass(frozen=True, slots=True)
class Overview:
    queues: list[QueueOverview]
    pools: list[PoolState]

    @property
    def live(self) -> list[PoolState]:
        """Pools heard of within a lease."""
        return [pool for pool in self.pools if not pool.lost]

    @property
    def lost(self) -> list[PoolState]:
        return [pool for pool in self.pools if pool.lost]


def look(using: str) -> Overview:
    """Queues and pools, in queries that read no more than `stats.BOUND` rows of a status.

    Raises OperationalError for one that takes longer than `API_TIMEOUT_SECONDS`.
    """
    with transaction.atomic(using=using):
        dialect(using).statement_timeout(using, conf.API_TIMEOUT_SECONDS)
        states = {state.name: state for state in stats.queue_states(using)}
        scheduled, scheduled_exact = _counts(using, JobStatus.SCHEDULED)
        failed, failed_exact = _counts(using, JobStatus.FAILED)
        pools, rates = stats.pool_states(using), stats.queue_rates(using)
    for name, _ in failed:
        states.setdefault(name, QueueState(name))
    queues = [
        QueueOverview(
            state=states[name],
            scheduled=stats.BoundedCount(scheduled[name, False], scheduled_exact),
            retrying=stats.BoundedCount(scheduled[name, True], scheduled_exact),
            failed=stats.BoundedCount(failed[name, True], failed_exact),
            rates=rates.get(name, stats.QueueRates()),
        )
        for name in sorted(states)
    ]
    return Overview(queues, pools)


def _counts(using: str, status: JobStatus) -> tuple[Counter[tuple[str, bool]], bool]:
    """Jobs by queue and whether attempts have failed, and whether all were counted."""
    with connections[using].cursor() as cursor:
        cursor.execute(_TROUBLED[status], [stats.BOUND + 1])
        counts = Counter({(name, bool(tried)): count for name, tried, count in cursor.fetchall()})
    return counts, counts.total() <= stats.BOUND
