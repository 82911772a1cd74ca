"""Waits for the database and migrates it, one process at a time: `python -m config.migrate`."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import django
from django.core.management import call_command
from django.db import OperationalError, connection
from django.db.backends.utils import CursorWrapper

# The same for every process that migrates this project's database.
LOCK_KEY = 7_304_201_866


def wait_for_database(timeout_seconds: float) -> None:
    """Return once the database takes connections.

    Raises:
        OperationalError: it did not within the time; the last refusal.
    """
    end = time.monotonic() + timeout_seconds
    told = False
    while True:
        try:
            connection.ensure_connection()
            return
        except OperationalError as error:
            if time.monotonic() >= end:
                raise
            if not told:
                print(f"Waiting for the database: {error}".strip(), flush=True)
                told = True
        time.sleep(0.5)


@contextmanager
def migration_lock() -> Iterator[None]:
    """Hold a lock that lets one process migrate at a time, for as long as its session lives."""
    if connection.vendor != "postgresql":
        yield
        return
    # A session of its own: `migrate` may close and reopen the default connection.
    session = connection.copy()
    try:
        with session.cursor() as cursor:
            # Asked for again and again: a statement that waits for it would hold a snapshot, and
            # the other process may build an index that waits until nobody holds an older one.
            while not _taken(cursor):
                time.sleep(0.5)
            yield
    finally:
        session.close()


def _taken(cursor: CursorWrapper) -> bool:
    cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK_KEY])
    return bool(cursor.fetchone()[0])


def main(arguments: list[str] | None = None) -> int:
    """Wait, lock, migrate; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m config.migrate", description=__doc__)
    parser.add_argument("--wait-seconds", type=float, default=60)
    options = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    try:
        wait_for_database(options.wait_seconds)
    except OperationalError as error:
        print(f"The database cannot be reached: {error}".strip(), file=sys.stderr)
        return 1
    with migration_lock():
        call_command("migrate", interactive=False, verbosity=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
