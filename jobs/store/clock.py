"""The clock of the queue: the database's, so that no two processes disagree about what is due."""

from __future__ import annotations

import datetime as dt

from django.db import connections
from django.utils import timezone


def now(using: str) -> dt.datetime:
    """The time of this statement by the database's clock, in UTC."""
    if connections[using].vendor != "postgresql":
        # SQLite has no clock but its host's.
        return timezone.now()
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        found: dt.datetime = cursor.fetchone()[0]
    return found.astimezone(dt.UTC)
