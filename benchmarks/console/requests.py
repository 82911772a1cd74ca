"""What the console asks, as it asks it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from benchmarks.database import execute

Get = Callable[[str], Any]


def paths(get: Get) -> dict[str, str]:
    """The requests by name; `get` fetches the document of a path."""
    now = dt.datetime.now(dt.UTC)

    def at(days: float) -> str:
        return (now - dt.timedelta(days=days)).isoformat()

    def listed(**query: Any) -> str:
        return f"/api/jobs/?{urlencode(query)}"

    newest, failed = _newest("succeeded"), _newest("failed")
    cursor = get("/api/live/")["cursor"]
    older = get("/api/jobs/")["next"]
    found = {
        "jobs": listed(),
        "jobs, next page": older.removeprefix("http://testserver"),
        "jobs, one status": listed(status="succeeded"),
        "jobs, failed, newest end first": listed(status="failed", ordering="-finished_at"),
        "jobs, queued, in the order of claims": listed(status="queued", ordering="-priority"),
        "jobs, scheduled, next due first": listed(status="scheduled", ordering="available_at"),
        "jobs, running": listed(status="running"),
        "jobs, a queue": listed(queue="queue-4"),
        "jobs, a queue that has none": listed(queue="nothing"),
        "jobs, a task": listed(task="tasks.number_7"),
        "jobs, a task that has none": listed(task="nothing"),
        "jobs, text": listed(q="number_7"),
        "jobs, text that is nowhere": listed(q="nowhere-at-all"),
        "jobs, failed with a text": listed(status="failed", q="customer 25"),
        "jobs, created an hour ago or later": listed(created_after=at(1 / 24)),
        "jobs, created before five days ago": listed(created_before=at(5)),
        "jobs, created within an hour long ago": listed(
            created_after=at(5), created_before=at(5 - 1 / 24)
        ),
        "jobs, finished within an hour": listed(
            ordering="-finished_at", finished_after=at(4), finished_before=at(4 - 1 / 24)
        ),
        "job": f"/api/jobs/{newest}/",
        "job, failed": f"/api/jobs/{failed}/",
        "job, events": f"/api/jobs/{newest}/events/?ordering=-id",
        "live": f"/api/live/?{urlencode({'cursor': cursor})}",
        "live, first": "/api/live/",
        "stats": "/api/stats/",
        "queues": "/api/queues/",
        "workers": "/api/workers/",
        "slowest tasks": "/api/stats/tasks/?range=24h",
        "failures": "/api/failures/",
        "workflows": "/api/workflows/",
        "schedules": "/api/schedules/",
        "events": "/api/events/",
    }
    for name in ("1h", "6h", "24h", "7d"):
        found[f"charts, {name}"] = f"/api/stats/timeseries/?range={name}"
    found["charts, 7d, a queue"] = "/api/stats/timeseries/?range=7d&queue=queue-4"
    return found


def _newest(status: str) -> int:
    statement = "SELECT max(id) FROM jobs WHERE status = %s"
    return int(execute(statement, [status])[0][0])
