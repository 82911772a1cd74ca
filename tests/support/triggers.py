"""Faults inside the database: triggers that raise, cut or wait."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.db import connection

from tests.support.database import scalar, second_connection
from tests.support.waiting import wait_until

_numbers = itertools.count(1)


def becomes(status: str, job_id: int | None = None) -> str:
    """The condition that a job, or this one, enters a status."""
    entered = f"OLD.status IS DISTINCT FROM NEW.status AND NEW.status = '{status}'"
    return entered if job_id is None else f"{entered} AND NEW.id = {job_id}"


def raising(sqlstate: str, *, times: int | None = None) -> str:
    """A body that raises, always or for the first `times` times."""
    error = f"RAISE EXCEPTION 'injected' USING ERRCODE = '{sqlstate}'"
    if times is None:
        return error
    return f"IF nextval('{{sequence}}') <= {times} THEN {error}; END IF"


@contextmanager
def trigger(
    when: str,
    body: str,
    *,
    at_commit: bool = False,
    table: str = "jobs",
    change: str = "UPDATE",
) -> Iterator[None]:
    """Within the block `body` (PL/pgSQL) runs for every changed row that satisfies `when`.

    It runs before the change, or at the end of the transaction with `at_commit`. `{sequence}` in
    it is the name of a sequence, which no rollback sets back.
    """
    name = f"tests_fault_{next(_numbers)}"
    timing = (
        f"CREATE CONSTRAINT TRIGGER {name} AFTER {change} ON {table} DEFERRABLE INITIALLY DEFERRED"
        if at_commit
        else f"CREATE TRIGGER {name} BEFORE {change} ON {table}"
    )
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE SEQUENCE {name}")
        cursor.execute(
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN {body.format(sequence=name)}; RETURN COALESCE(NEW, OLD);"
            " END $$"
        )
        cursor.execute(f"{timing} FOR EACH ROW WHEN ({when}) EXECUTE FUNCTION {name}()")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP FUNCTION {name}() CASCADE")
            cursor.execute(f"DROP SEQUENCE {name}")


class Gate:
    """Holds transactions up until it is opened: an advisory lock that they wait for."""

    KEY: Final = 4711

    def __init__(self, holder: Any) -> None:
        self._holder = holder
        with holder.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [self.KEY])

    def wait_for_somebody(self) -> None:
        """Return once a transaction waits at the gate."""
        waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        wait_until(lambda: scalar(waiting))

    def open(self) -> None:
        self._holder.close()


@contextmanager
def gate(when: str, *, at_commit: bool = False) -> Iterator[Gate]:
    """Updates that satisfy `when` wait, at once or at their commit, until the gate is opened, at
    the latest by the end of the block."""
    body = f"PERFORM pg_advisory_xact_lock_shared({Gate.KEY})"
    with second_connection() as holder:
        made = Gate(holder)
        with trigger(when, body, at_commit=at_commit):
            try:
                yield made
            finally:
                made.open()
