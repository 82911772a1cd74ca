"""Where a load test ran: what one must know to compare two reports."""

from __future__ import annotations

import os
import platform
from typing import Any

import django
from django.db import connections

import jobs
from jobs.stats import pool_states

_SETTINGS = ("fsync", "synchronous_commit", "full_page_writes", "shared_buffers", "max_connections")


def live_workers(using: str) -> dict[str, int]:
    """Pools that were heard of within a lease, and their threads."""
    live = [pool for pool in pool_states(using) if not pool.lost]
    return {"pools": len(live), "threads": sum(pool.threads for pool in live)}


def describe(using: str) -> dict[str, Any]:
    """CPU, versions, the database's settings that decide its speed, and the live workers."""
    connection = connections[using]
    database: dict[str, Any] = {"vendor": connection.vendor}
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('server_version')")
            database["version"] = cursor.fetchone()[0]
            cursor.execute(
                "SELECT name, current_setting(name) FROM unnest(%s::text[]) AS name",
                [list(_SETTINGS)],
            )
            database["settings"] = dict(cursor.fetchall())
    return {
        "cpus": os.cpu_count(),
        "machine": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "django": django.get_version(),
        "qforge": jobs.__version__,
        "database": database,
        "workers": live_workers(using),
    }
