"""How PostgreSQL carries out the very statements that an operation sends.

The fixture `plans` asks for each four times: with statistics of the time when the tables were empty
and with fresh ones, with the parameters known and before they are. A module that uses it says in a
fixture `backlog` of its own what the tables hold.
"""

from __future__ import annotations

import datetime as dt
import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from tests.support.database import statements

SORTS = {"Sort", "Incremental Sort"}
STALE, FRESH = "statistics of an empty table", "fresh statistics"
_ON_OUR_TABLES = re.compile(r'FROM "?job|UPDATE "?job|INTO job_error')


@dataclass(frozen=True)
class Plan:
    """A statement and its plan, with what was counted while it ran."""

    sql: str
    root: dict[str, Any]

    def nodes(self) -> Iterator[dict[str, Any]]:
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.get("Plans", [])

    @property
    def kinds(self) -> set[str]:
        return {node["Node Type"] for node in self.nodes()}

    @property
    def indexes(self) -> set[str]:
        return {node["Index Name"] for node in self.nodes() if "Index Name" in node}

    @property
    def rows_read(self) -> int:
        """Rows that scans of tables and indexes came upon, kept or not."""
        return sum(
            int(
                (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"]
            )
            for node in self.nodes()
            if node["Node Type"].endswith("Scan")
            and ("Relation Name" in node or "Index Name" in node)
        )

    @property
    def blocks(self) -> int:
        """Pages of tables and indexes touched."""
        return int(self.root["Shared Hit Blocks"] + self.root["Shared Read Blocks"])


@pytest.fixture(scope="module", params=[STALE, FRESH])
def statistics(backlog: None, request: pytest.FixtureRequest) -> str:
    if request.param == FRESH:
        execute("ANALYZE jobs, job_events, job_error_groups, job_error_hours, job_rollups")
    return str(request.param)


@pytest.fixture(params=["custom plan", "generic plan"])
def plans(
    statistics: str, request: pytest.FixtureRequest, django_db_blocker: DjangoDbBlocker
) -> Iterator[Callable[..., list[Plan]]]:
    """`plans(operation)`: as `plans_of`."""
    with django_db_blocker.unblock():
        yield partial(plans_of, generic=request.param == "generic plan")


def execute(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def plans_of(operation: Callable[[], Any], *, generic: bool) -> list[Plan]:
    """Plans of the statements on the app's tables that `operation` sends; nothing of it stays.

    `generic` plans a prepared statement before its parameters are known, the worst PostgreSQL
    may do to one that is sent again and again.
    """
    with _undone(), statements() as found:
        operation()
    wanted = [(sql, params) for sql, params in found if _ON_OUR_TABLES.search(sql)]
    explain = _explain_generic if generic else _explain
    return [Plan(sql, explain(sql, params)) for sql, params in wanted]


@contextmanager
def _undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


_EXPLAIN = "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) "


def _explain(sql: str, params: Any) -> dict[str, Any]:
    with _undone(), connection.cursor() as cursor:
        cursor.execute(_EXPLAIN + sql, params)
        return _root(cursor.fetchone()[0])


def _positional(sql: str, params: Any) -> tuple[str, list[Any]]:
    """The same with `%s` only, where values were named."""
    if not isinstance(params, Mapping):
        return sql, list(params or ())
    names = re.findall(r"%\((\w+)\)s", sql)
    return re.sub(r"%\(\w+\)s", "%s", sql), [params[name] for name in names]


def _explain_generic(sql: str, params: Any) -> dict[str, Any]:
    sql, params = _positional(sql, params)
    numbers = itertools.count(1)
    prepared = re.sub(r"%s|%%", lambda m: "%" if m[0] == "%%" else f"${next(numbers)}", sql)
    # As the driver sends them: of most values it leaves the type to the server.
    types = ["interval" if isinstance(value, dt.timedelta) else "unknown" for value in params]
    declared, values = ", ".join(types), ", ".join(["%s"] * len(types))
    with _undone(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        cursor.execute(f"PREPARE planned{f'({declared})' if types else ''} AS {prepared}")
        try:
            cursor.execute(f"{_EXPLAIN} EXECUTE planned{f'({values})' if types else ''}", params)
            return _root(cursor.fetchone()[0])
        finally:
            cursor.execute("DEALLOCATE planned")


def _root(told: Any) -> dict[str, Any]:
    plan = told if isinstance(told, list) else json.loads(told)
    root: dict[str, Any] = plan[0]["Plan"]
    return root
