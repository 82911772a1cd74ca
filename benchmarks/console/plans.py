"""Which of the statements of a request read a large table as a whole, or without an end."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from django.db import connection

LARGE: Final = ("jobs", "job_events")
_FROM_LARGE: Final = re.compile(r'(?:FROM|JOIN) "?(jobs|job_events)"?\b')
_BOUNDED: Final = re.compile(r"\bLIMIT\b|\bMIN\(|\bMAX\(|= ?ANY|\.\"?id\"? = ", re.IGNORECASE)


def findings(request: Callable[[], Any]) -> list[str]:
    """What is wrong with the statements that `request` sends; empty when nothing is."""
    sent: list[tuple[str, Any]] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        sent.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        request()
    found = []
    for sql, params in sent:
        if not _FROM_LARGE.search(sql):
            continue
        if not _BOUNDED.search(sql):
            found.append(f"no limit: {sql[:160]}")
        scanned = {
            node["Relation Name"]
            for node in _nodes(_plan(sql, params))
            if node["Node Type"] == "Seq Scan" and node["Relation Name"] in LARGE
        }
        found += [f"reads all of {table}: {sql[:160]}" for table in sorted(scanned)]
    return found


def _plan(sql: str, params: Any) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}", params)
        told = cursor.fetchone()[0]
    plan = told if isinstance(told, list) else json.loads(told)
    root: dict[str, Any] = plan[0]["Plan"]
    return root


def _nodes(root: dict[str, Any]) -> Iterator[dict[str, Any]]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.get("Plans", [])
