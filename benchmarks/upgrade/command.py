"""`python -m benchmarks migrations`: from the first schema to the newest, beside many jobs."""

from __future__ import annotations

import os
import time
from typing import Final

import django

LIMIT_SECONDS: Final = 1.0
FIRST: Final = "0002_storage"
_EVENTS: Final = """
INSERT INTO job_events (job_id, kind, from_status, to_status, attempt, worker, data)
SELECT id, kind, '', 'queued', 0, '', '{}'
FROM jobs CROSS JOIN (VALUES ('enqueued'), ('claimed')) AS events (kind)
"""


def run(*, jobs: int) -> int:
    """Fill, migrate step by step and report; 1 when somebody waited for longer than a second."""
    django.setup()
    from django.core.management import call_command
    from django.db.migrations.loader import MigrationLoader

    from benchmarks.upgrade.others import Locks, Waits, at_work, read_long

    names = sorted(name for app, name in MigrationLoader(None).disk_migrations if app == "qforge")
    call_command("migrate", "qforge", FIRST, verbosity=0)
    _fill(jobs)
    print("| migration | seconds | longest wait, ms | longest lock, ms |\n|---|---:|---:|---:|")
    bad = 0
    for name in names[names.index(FIRST) + 1 :]:
        waits, locks = Waits(), Locks()
        with at_work(os.environ["DATABASE_URL"], waits.look, locks.look, read_long):
            started = time.monotonic()
            call_command("migrate", "qforge", name, verbosity=0)
            spent = time.monotonic() - started
        over = max(waits.longest, locks.longest) > LIMIT_SECONDS
        bad += over
        waited = f"{waits.longest * 1000:.0f} ({waits.statement})"
        held = f"{locks.longest * 1000:.0f} ({locks.lock})" if locks.lock else "none seen"
        print(f"| {name} | {spent:.1f} | {waited} | {held} |{' too long' * over}", flush=True)
    print(f"\n{bad} of them made others wait for more than {LIMIT_SECONDS:g} s.")
    return 1 if bad else 0


def _fill(jobs: int) -> None:
    """Most jobs have ended, as in a table that has been used for long; two events for each."""
    from benchmarks.database import execute, fill_rows, settle

    started = time.monotonic()
    for status, share in (("succeeded", 8), ("queued", 1), ("scheduled", 1)):
        fill_rows(status, jobs * share // 10)
    execute(_EVENTS)
    settle()
    print(f"{jobs:,} jobs written in {time.monotonic() - started:.0f} s\n", flush=True)
