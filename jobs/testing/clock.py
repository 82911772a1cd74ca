"""Time travel: the clock of the queue's database, as the test's own connection sees it.

The engine asks the database for the time by `statement_timestamp()` and nothing else. PostgreSQL
finds functions along its search path, so one of that name in a schema before the server's own
answers instead, for this session alone. SQLite has no clock but its host's: there the function
that Django writes into statements is replaced. `django.utils.timezone.now` travels along.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final
from unittest import mock

from django.db import DatabaseError, connections
from django.utils import timezone

from jobs.store import clock
from jobs.store.connections import alias

_ENTER: Final = """
CREATE SCHEMA IF NOT EXISTS qforge_testing;
CREATE OR REPLACE FUNCTION qforge_testing.statement_timestamp() RETURNS timestamptz
    LANGUAGE sql STABLE AS $$
        SELECT pg_catalog.statement_timestamp()
               + pg_catalog.current_setting('qforge_testing.travelled')::pg_catalog.interval
    $$;
"""
_real_now = timezone.now
_clocks: dict[str, Clock] = {}


class Clock:
    """The clock of the queue's database. It runs on from wherever it is set."""

    def __init__(self, using: str) -> None:
        self._using = using
        self._travelled = dt.timedelta()

    def now(self) -> dt.datetime:
        """The time as the queue sees it, in UTC."""
        return clock.now(self._using)

    def advance(self, by: dt.timedelta | float) -> dt.datetime:
        """Move on by a timedelta or by seconds, which may be negative; returns the new time."""
        self._travelled += by if isinstance(by, dt.timedelta) else dt.timedelta(seconds=by)
        self._show()
        return self.now()

    def set(self, at: dt.datetime) -> dt.datetime:
        """Go to a time, which must have a zone; returns it, a moment later."""
        if timezone.is_naive(at):
            raise ValueError(f"a clock is set to a time with a zone, not to {at!r}")
        return self.advance(at - self.now())

    def _show(self) -> None:
        connection = connections[self._using]
        if connection.vendor == "postgresql":
            seconds = f"{self._travelled / dt.timedelta(microseconds=1):.0f} microseconds"
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT set_config('qforge_testing.travelled', %s, false)", [seconds]
                )

    def _python_now(self) -> dt.datetime:
        return _real_now() + self._travelled


@contextmanager
def time_travel() -> Iterator[Clock]:
    """Give the test a clock of the queue to move; the block's end sets it right again.

    Only this thread's connection sees it, as `run_pending` and its like do. Inside another block
    it is the same clock. Raises ValueError for databases other than PostgreSQL and SQLite.
    """
    using = alias()
    if using in _clocks:
        yield _clocks[using]
        return
    made = Clock(using)
    connection: Any = connections[using]
    if connection.vendor not in ("postgresql", "sqlite"):
        raise ValueError(f"the clock of {connection.display_name} cannot be moved")
    connection.ensure_connection()
    shift = _shift_postgres if connection.vendor == "postgresql" else _shift_sqlite
    with shift(connection, made), mock.patch("django.utils.timezone.now", made._python_now):
        _clocks[using] = made
        try:
            yield made
        finally:
            del _clocks[using]


@contextmanager
def _shift_postgres(connection: Any, clock: Clock) -> Iterator[None]:
    clock._show()
    with connection.cursor() as cursor:
        cursor.execute(_ENTER)
        cursor.execute("SELECT current_setting('search_path')")
        path = cursor.fetchone()[0]
        _search(cursor, f"qforge_testing, pg_catalog, {path}" if path else "qforge_testing")
    try:
        yield
    finally:
        # In a transaction that is broken nothing can be set, and its end sets all of it back.
        with suppress(DatabaseError), connection.cursor() as cursor:
            _search(cursor, path)
            cursor.execute("DROP SCHEMA qforge_testing CASCADE")


def _search(cursor: Any, path: str) -> None:
    cursor.execute("SELECT set_config('search_path', %s, false)", [path])


@contextmanager
def _shift_sqlite(connection: Any, clock: Clock) -> Iterator[None]:
    def strftime(form: str, at: str) -> str:
        # What SQLite writes as %f are seconds with their thousandths.
        moving = _clocks.get(clock._using)
        now = _real_now() if moving is None else moving._python_now()
        shown = now if at.upper() == "NOW" else dt.datetime.fromisoformat(at)
        seconds = f"{shown.second:02d}.{shown.microsecond // 1000:03d}"
        return shown.astimezone(dt.UTC).strftime(form.replace("%f", seconds))

    # It stays for as long as the connection: SQLite's own does not come back from under it.
    connection.connection.create_function("STRFTIME", 2, strftime)
    yield
