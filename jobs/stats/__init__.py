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
    stalled,
    totals,
)
from jobs.stats.pools import pool_states
from jobs.stats.queues import OPEN, QueueState, queue_states
from jobs.stats.rates import SPARKS, QueueRates, queue_rates, slowest_tasks
from jobs.stats.timeseries import RANGES, timeseries

__all__ = [
    "BOUND",
    "FINISHED",
    "OPEN",
    "PERCENTILES",
    "RANGES",
    "SPARKS",
    "BoundedCount",
    "Glance",
    "QueueRates",
    "QueueState",
    "clock",
    "glance",
    "jobs_now",
    "last_day",
    "latency",
    "oldest_queued_seconds",
    "pool_states",
    "queue_rates",
    "queue_states",
    "slowest_tasks",
    "stalled",
    "timeseries",
    "totals",
]
