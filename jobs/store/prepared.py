"""The statements the engine sends all day, planned by PostgreSQL once a connection.

To plan the finishing of jobs takes it as long as to finish forty of them, so where exchanges are
small, as for a lone job or the steps of a workflow, planning was most of the work. Such a plan is
made for any parameters (`connections` asks for that), which suits statements that find every row by
its key. The claim's pick is planned anew each time: its order must come from an index, and a plan
made while the table was empty might sort.

A connection says by psycopg's `prepare_threshold` whether it prepares. Django's own do not, unless
the project has set it; those of the engine do where nothing stands between them and the server.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connections
from psycopg import Cursor


def fetch(using: str, statement: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Execute and read all rows. Parameters must be cast to their types in the statement."""
    connection: Any = connections[using]
    connection.ensure_connection()
    raw = connection.connection
    if raw.prepare_threshold is None:
        execution = connection.cursor()
    else:
        execution = connection._prepare_cursor(Cursor(raw))
    with execution as cursor:
        cursor.execute(statement, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
