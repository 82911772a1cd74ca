from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from jobs import stats
from jobs.management import overview
from jobs.states import TERMINAL, JobStatus

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

BOUND = 50
ROWS = 5_000
QUEUES = 4
PRIORITIES = 5

_FILL = """
INSERT INTO jobs (task, queue, payload, args, status, priority, attempts, max_attempts,
                  available_at, locked_by, error, idempotency_hash, finished_at,
                  created_at)
SELECT 'tests.task', 'queue-' || n %% %s, '{}', '[]', %s, n %% %s - 2, n %% 2, 3,
       statement_timestamp() - n * interval '1 second', '', '', '',
       CASE WHEN %s THEN statement_timestamp() END, statement_timestamp()
FROM generate_series(1, %s) AS n
"""


@pytest.fixture
def backlog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stats, "BOUND", BOUND)
    with connection.cursor() as cursor:
        for status in (JobStatus.QUEUED, JobStatus.SCHEDULED, *TERMINAL):
            cursor.execute(_FILL, [QUEUES, status, PRIORITIES, status in TERMINAL, ROWS])
        cursor.execute("ANALYZE jobs")


def scanned(sql: str, parameters: list[Any]) -> int:
    """How many rows the scans of a statement read in all, those they filtered out included."""

    def scans(node: dict[str, Any]) -> Iterator[float]:
        if node["Node Type"].endswith("Scan") and node.get("Relation Name") == "jobs":
            rows = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
            yield rows * node["Actual Loops"]
        for child in node.get("Plans", []):
            yield from scans(child)

    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN (ANALYZE, FORMAT JSON) " + sql, parameters)
        found = cursor.fetchone()[0]
    plan = json.loads(found) if isinstance(found, str) else found
    return int(sum(scans(plan[0]["Plan"])))


@pytest.mark.parametrize("status", list(overview._TROUBLED))
def test_a_count_stops_at_its_bound(status: JobStatus, backlog: None) -> None:
    assert scanned(overview._TROUBLED[status], [BOUND + 1]) <= BOUND + 1


def test_no_read_of_the_overview_is_compiled(backlog: None) -> None:
    """Where PostgreSQL has a compiler, that took a second for what runs in milliseconds."""
    seen = []

    def look_up(execute: Any, sql: str, params: Any, *rest: Any) -> Any:
        if " jobs " in sql:
            seen.append(jit())
        return execute(sql, params, *rest)

    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL jit = on")
    assert jit() == "on"
    with connection.execute_wrapper(look_up):
        overview.look("default")
    assert len(seen) >= 3
    assert set(seen) == {"off"}


def jit() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW jit")
        return str(cursor.fetchone()[0])
