"""What must hold before a worker starts: the database answers and its tables are up to date."""

from __future__ import annotations

import time
from typing import Any

from django.db import DatabaseError, InterfaceError, connections
from django.db.migrations.executor import MigrationExecutor

from jobs.store.connections import alias


def missing_migrations(timeout_seconds: float) -> list[str]:
    """Names of this app's migrations that have not been applied.

    While the database does not answer, tries for so long; then raises the last try's error.
    """
    end = time.monotonic() + timeout_seconds
    connection = connections[alias()]
    while True:
        try:
            return _missing(connection)
        except (DatabaseError, InterfaceError):
            # It may be restarting: the next try needs a new connection.
            connection.close()
            if time.monotonic() >= end:
                raise
            time.sleep(min(0.5, timeout_seconds))


def _missing(connection: Any) -> list[str]:
    connection.ensure_connection()
    executor = MigrationExecutor(connection)
    targets = [node for node in executor.loader.graph.leaf_nodes() if node[0] == "qforge"]
    return [
        f"{migration.app_label}.{migration.name}"
        for migration, _ in executor.migration_plan(targets)
        if migration.app_label == "qforge"
    ]
