"""What must hold before a worker starts: the database answers and its tables are up to date."""

from __future__ import annotations

import time

from django.db import DatabaseError, InterfaceError, connections
from django.db.migrations.executor import MigrationExecutor

from jobs.store.connections import alias


def wait_for_database(timeout_seconds: float) -> str | None:
    """Try to connect for so long; returns None when it worked, else what the last try said."""
    end = time.monotonic() + timeout_seconds
    connection = connections[alias()]
    while True:
        try:
            connection.ensure_connection()
        except (DatabaseError, InterfaceError) as error:
            if time.monotonic() >= end:
                return str(error).strip()
            time.sleep(min(0.5, timeout_seconds))
        else:
            return None


def missing_migrations() -> list[str]:
    """Names of this app's migrations that have not been applied."""
    executor = MigrationExecutor(connections[alias()])
    targets = [node for node in executor.loader.graph.leaf_nodes() if node[0] == "qforge"]
    return [
        f"{migration.app_label}.{migration.name}"
        for migration, _ in executor.migration_plan(targets)
        if migration.app_label == "qforge"
    ]
