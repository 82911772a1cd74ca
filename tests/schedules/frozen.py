"""A database clock that tests set.

All code asks the database for the time by `statement_timestamp()`. A function of that name in a
schema that is searched before the server's own answers instead, for every connection to the test
database that is opened while the clock is frozen.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


class FrozenClock:
    """The time the database shows."""

    def set(self, at: dt.datetime | str) -> dt.datetime:
        """Set it; text is UTC, as in `2026-03-29 01:00`. Returns the time as a datetime."""
        if isinstance(at, str):
            at = dt.datetime.fromisoformat(at).replace(tzinfo=dt.UTC)
        with connection.cursor() as cursor:
            cursor.execute("UPDATE frozen.clock SET at = %s", [at])
        return at

    def advance(self, **by: float) -> dt.datetime:
        """Move it on, by the arguments of a timedelta."""
        return self.set(self.now() + dt.timedelta(**by))

    def now(self) -> dt.datetime:
        with connection.cursor() as cursor:
            cursor.execute("SELECT at FROM frozen.clock")
            at: dt.datetime = cursor.fetchone()[0]
        return at.astimezone(dt.UTC)


_FREEZE = """
CREATE SCHEMA frozen;
CREATE TABLE frozen.clock AS SELECT pg_catalog.statement_timestamp() AS at;
CREATE FUNCTION frozen.statement_timestamp() RETURNS timestamptz
    LANGUAGE sql STABLE AS 'SELECT at FROM frozen.clock';
"""


@contextmanager
def frozen_clock() -> Iterator[FrozenClock]:
    """Freeze the test database's clock within the block."""
    name = connection.ops.quote_name(connection.settings_dict["NAME"])
    with connection.cursor() as cursor:
        cursor.execute(_FREEZE)
        cursor.execute(f"ALTER DATABASE {name} SET search_path = frozen, pg_catalog, public")
    connection.close()
    try:
        yield FrozenClock()
    finally:
        # Whatever the test left this connection in.
        connection.close()
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER DATABASE {name} RESET search_path")
            cursor.execute("DROP SCHEMA frozen CASCADE")
        connection.close()
