"""How many, how old, how fast: reads for the API, the console and the metrics.

Every count is bounded, so that its cost does not grow with the table, and says whether it is
exact. Ages are measured on the database's clock.
"""

from jobs.stats.failures import jobs_now, last_day
from jobs.stats.measures import BOUND, BoundedCount, clock
from jobs.stats.overview import (
    FINISHED,
    PERCENTILES,
    Glance,
    glance,
    latency,
    oldest_queued_seconds,
    totals,
)
from jobs.stats.pools import pool_states
from jobs.stats.queues import OPEN, queue_states

__all__ = [
    "BOUND",
    "FINISHED",
    "OPEN",
    "PERCENTILES",
    "BoundedCount",
    "Glance",
    "clock",
    "glance",
    "jobs_now",
    "last_day",
    "latency",
    "oldest_queued_seconds",
    "pool_states",
    "queue_states",
    "totals",
]
