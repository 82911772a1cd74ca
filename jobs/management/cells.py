"""Values as the cells of a table show them to people."""

from __future__ import annotations

import datetime as dt

from jobs.management.console import duration
from jobs.stats import BoundedCount
from jobs.stats.queues import QueueState


def count(value: BoundedCount) -> str:
    """`1,234`, and with a `+` where counting stopped there."""
    return f"{value.count:,}" + ("" if value.exact else "+")


def state(queue: QueueState, now: dt.datetime) -> str:
    """Whether a queue is paused: by whom, for how long and why."""
    if queue.paused_at is None:
        return "active"
    by = f" by {queue.paused_by}" if queue.paused_by else ""
    reason = f' "{queue.pause_reason}"' if queue.pause_reason else ""
    # For people, by this machine's clock; the time itself is in the document.
    return f"PAUSED{by} {duration((now - queue.paused_at).total_seconds())}{reason}"


def ago(now: dt.datetime, at: dt.datetime | None) -> str:
    """How long ago, or `in` how long; `-` for None."""
    if at is None:
        return "-"
    seconds = (now - at).total_seconds()
    return duration(seconds) if seconds >= 0 else f"in {duration(-seconds)}"
