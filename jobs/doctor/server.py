"""Facts about the database itself."""

from __future__ import annotations

import json
import time
import uuid
from typing import Any, Final

from django.db import connections
from django.utils import timezone

from jobs.doctor.facts import ClaimPlan, Holder, Table
from jobs.store import clock, notify, pick
from jobs.store.connections import EngineConnection, alias

_PROBE_SECONDS: Final = 3.0
_PROBE: Final = "probe:"
_LOOKS: Final = 3
_DEAD: Final = """
SELECT relname, n_live_tup, n_dead_tup FROM pg_stat_user_tables
WHERE relid IN ('jobs'::regclass, 'job_events'::regclass) ORDER BY relname DESC
"""
# A vacuum's own transaction holds nothing up. Without the right to see them, the sessions of other
# users have no times here.
_OLDEST: Final = """
SELECT pid, COALESCE(application_name, ''), COALESCE(usename::text, ''), COALESCE(state, ''),
       EXTRACT(EPOCH FROM clock_timestamp() - xact_start)::float8 AS age
FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
  AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)
  AND backend_type <> 'autovacuum worker'
UNION ALL
SELECT NULL, gid, owner::text, 'prepared',
       EXTRACT(EPOCH FROM clock_timestamp() - prepared)::float8
FROM pg_prepared_xacts WHERE database = current_database()
ORDER BY age DESC LIMIT 1
"""
_ROWS: Final = "SELECT GREATEST(reltuples, 0)::bigint FROM pg_class WHERE oid = 'jobs'::regclass"


def version(using: str) -> dict[str, Any]:
    connection: Any = connections[using]
    return {"vendor": connection.vendor, "version": tuple(connection.get_database_version())}


def clocks(using: str) -> dict[str, Any]:
    """The quickest of a few looks tells the most; half its way is what nobody can know."""
    best: tuple[float, float] | None = None
    for _ in range(_LOOKS):
        started, before = time.monotonic(), timezone.now()
        theirs = clock.now(using)
        way = time.monotonic() - started
        ahead = (before - theirs).total_seconds() + way / 2
        if best is None or way < best[0]:
            best = way, ahead
    way, ahead = best or (0.0, 0.0)
    certain = max(abs(ahead) - way / 2, 0.0)
    return {"skew_seconds": certain if ahead > 0 else -certain}


def listening() -> bool | None:
    """Whether a notification sent over one connection arrives at another that listens."""
    if connections[alias()].vendor != "postgresql":
        return None
    ears, mouth = EngineConnection(), EngineConnection()
    message = _PROBE + uuid.uuid4().hex
    try:
        with ears.borrowed() as hearing:
            with hearing.cursor() as cursor:
                cursor.execute(f"LISTEN {notify.CHANNEL}")
            with mouth.borrowed() as saying, saying.cursor() as cursor:
                cursor.execute("SELECT pg_notify(%s, %s)", [notify.CHANNEL, message])
            end = time.monotonic() + _PROBE_SECONDS
            while (left := end - time.monotonic()) > 0:
                for received in hearing.connection.notifies(timeout=left, stop_after=1):
                    if received.payload == message:
                        return True
        return False
    finally:
        ears.close()
        mouth.close()


def claim_plan(using: str) -> dict[str, Any]:
    if connections[using].vendor != "postgresql":
        return {}
    whole = False
    with connections[using].cursor() as cursor:
        for parameters in ((), ("default",)):
            statement = pick.statement_of(using, 10, one_queue=bool(parameters))
            cursor.execute(f"EXPLAIN (FORMAT JSON) {statement}", parameters)
            told = cursor.fetchone()[0]
            plan = json.loads(told) if isinstance(told, str) else told
            whole = whole or _reads_whole_table(plan[0]["Plan"])
        cursor.execute(_ROWS)
        rows = cursor.fetchone()[0]
    return {"claim": ClaimPlan(whole, rows)}


def _reads_whole_table(node: dict[str, Any]) -> bool:
    if node["Node Type"] == "Seq Scan" and node.get("Relation Name") == "jobs":
        return True
    return any(_reads_whole_table(child) for child in node.get("Plans", []))


def dead_rows(using: str) -> dict[str, Any]:
    if connections[using].vendor != "postgresql":
        return {}
    with connections[using].cursor() as cursor:
        cursor.execute(_DEAD)
        return {"tables": [Table(*row) for row in cursor.fetchall()]}


def oldest_transaction(using: str) -> dict[str, Any]:
    if connections[using].vendor != "postgresql":
        return {}
    with connections[using].cursor() as cursor:
        cursor.execute(_OLDEST)
        row = cursor.fetchone()
    return {"holder": Holder(*row) if row else None}
