"""Facts about the tables: whether they are as the models have them."""

from __future__ import annotations

import re
from typing import Any, Final

from django.apps import apps
from django.db import connections
from django.db.migrations.executor import MigrationExecutor

from jobs.doctor.facts import Missing
from jobs.permissions import APP_LABEL

_QUOTED: Final = re.compile(r'"(\w+)"')
_INVALID: Final = """
SELECT i.indexrelid::regclass::text FROM pg_index i
JOIN pg_class t ON t.oid = i.indrelid WHERE t.oid = to_regclass(%s) AND NOT i.indisvalid
UNION ALL
SELECT conname::text FROM pg_constraint
WHERE conrelid = to_regclass(%s) AND contype = 'c' AND NOT convalidated
"""


def migrations(using: str) -> dict[str, Any]:
    executor = MigrationExecutor(connections[using])
    targets = [node for node in executor.loader.graph.leaf_nodes() if node[0] == APP_LABEL]
    planned = [migration for migration, _ in executor.migration_plan(targets)]
    names = [migration.name for migration in planned if migration.app_label == APP_LABEL]
    return {"missing_migrations": names}


def drift(using: str) -> dict[str, Any]:
    """Indexes and constraints by name; what stands in them is the migrations' own matter."""
    connection = connections[using]
    missing = []
    with connection.cursor() as cursor:
        for model in apps.get_app_config(APP_LABEL).get_models():
            table = model._meta.db_table
            there = _names(connection, cursor, table)
            wanted = [
                *(index.name for index in model._meta.indexes),
                *(constraint.name for constraint in model._meta.constraints),
            ]
            missing += [Missing(table, name, False) for name in wanted if name not in there]
            if connection.vendor == "postgresql":
                cursor.execute(_INVALID, [table, table])
                missing += [Missing(table, name, True) for (name,) in cursor.fetchall()]
    return {"missing": missing}


def _names(connection: Any, cursor: Any, table: str) -> set[str]:
    """Of the indexes and constraints of a table."""
    if connection.vendor != "sqlite":
        return set(connection.introspection.get_constraints(cursor, table))
    # SQLite keeps what it was told; Django's reading of it does not find every check.
    cursor.execute("SELECT sql FROM sqlite_master WHERE tbl_name = %s", [table])
    return {name for (sql,) in cursor.fetchall() for name in _QUOTED.findall(sql or "")}
