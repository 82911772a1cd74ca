"""A database that is slow or refuses certain changes; `triggers.sql` does the work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from django.db import connections

_SQL = Path(__file__).with_name("triggers.sql")
ALWAYS: Final = 1_000_000

SUCCEEDS: Final = "NEW.status = 'succeeded' AND OLD.status <> 'succeeded'"
CLAIMS: Final = "NEW.status = 'running' AND OLD.status <> 'running'"
ENDS: Final = "OLD.status = 'running' AND NEW.status <> 'running'"
RENEWS: Final = "OLD.status = 'running' AND NEW.status = 'running'"


class Triggers:
    """Faults of the tables of one database."""

    def __init__(self, using: str) -> None:
        self._using = using

    def slow(
        self, condition: str, seconds: float, *, table: str = "jobs", events: str = "UPDATE"
    ) -> None:
        """Such changes take `seconds` longer."""
        self._call("SELECT fault_slow(%s, %s, %s, %s)", table, events, condition, seconds)

    def slow_commit(
        self, condition: str, seconds: float, *, table: str = "jobs", events: str = "UPDATE"
    ) -> None:
        """The COMMIT after such a change takes `seconds` longer for each of them."""
        self._call("SELECT fault_slow_commit(%s, %s, %s, %s)", table, events, condition, seconds)

    def fail(
        self,
        condition: str,
        sqlstate: str,
        *,
        times: int = ALWAYS,
        table: str = "jobs",
        events: str = "UPDATE",
    ) -> None:
        """The first `times` such changes fail with `sqlstate`."""
        self._call(
            "SELECT fault_fail(%s, %s, %s, %s, %s)", table, events, condition, times, sqlstate
        )

    def fires(self) -> int:
        """How often a failing change was tried since `fail` was last called."""
        return int(self._call("SELECT last_value - (NOT is_called)::int FROM fault_fires"))

    def clear(self) -> None:
        # A session that a fault left inside a transaction would keep its tables locked.
        self._call(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            " WHERE datname = current_database() AND state LIKE 'idle in transaction%%'"
        )
        self._call("SELECT fault_clear()")

    def _call(self, sql: str, *parameters: object) -> object:
        with connections[self._using].cursor() as cursor:
            cursor.execute(sql, parameters)
            row: tuple[object, ...] = cursor.fetchone()
        return row[0]


@contextmanager
def installed(using: str = "default") -> Iterator[Triggers]:
    """Faults for the length of the block."""
    with connections[using].cursor() as cursor:
        cursor.execute(_SQL.read_text())
    triggers = Triggers(using)
    try:
        yield triggers
    finally:
        triggers.clear()
