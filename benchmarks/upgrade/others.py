"""Those who work while a migration runs, and the locks that it holds meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import psycopg

EVERY_SECONDS: Final = 0.02
_READ_SECONDS: Final = 2.0
_PAUSE_SECONDS: Final = 0.6
# What each release since the first migration can do: a worker's look, its write, an application's.
STATEMENTS: Final = {
    "select": "SELECT status FROM jobs WHERE id = 1",
    "update": "UPDATE jobs SET priority = priority WHERE id = 1",
    "insert": "INSERT INTO jobs (task, queue, payload, args, status, priority, attempts,"
    " max_attempts, locked_by, error, idempotency_hash)"
    " VALUES ('benchmarks.noop', 'default', '{}', '[]', 'queued', 0, 0, 3, '', '', '')",
}
# Those that stop writers or readers, held by others than the one who asks.
_LOCKS: Final = """
SELECT l.pid, c.relname, l.mode FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
WHERE l.granted AND c.relname IN ('jobs', 'job_events') AND l.mode IN
      ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
"""

Session = psycopg.Connection[Any]


class Waits:
    """The longest time that one of the small statements took, in seconds, and which it was."""

    def __init__(self) -> None:
        self.longest, self.statement = 0.0, ""

    def look(self, session: Session) -> None:
        for name, statement in STATEMENTS.items():
            started = time.monotonic()
            session.execute(statement)
            if (spent := time.monotonic() - started) > self.longest:
                self.longest, self.statement = spent, name


class Locks:
    """The longest time that a lock was seen, in seconds, and which it was."""

    def __init__(self) -> None:
        self.longest, self.lock = 0.0, ""
        self._since: dict[tuple[Any, ...], float] = {}

    def look(self, session: Session) -> None:
        asked = time.monotonic()
        held = session.execute(_LOCKS).fetchall()
        self._since = {lock: self._since.get(lock, asked) for lock in held}
        for (_, table, mode), since in self._since.items():
            if (spent := time.monotonic() - since) > self.longest:
                self.longest, self.lock = spent, f"{mode} on {table}"


def read_long(session: Session) -> None:
    """A report that keeps its transaction, and with it a lock, open for two seconds."""
    with session.transaction():
        session.execute("SELECT status FROM jobs WHERE id = 1")
        time.sleep(_READ_SECONDS)
    time.sleep(_PAUSE_SECONDS)


@contextmanager
def at_work(url: str, *looks: Callable[[Session], None]) -> Iterator[None]:
    """Call each of `looks` again and again within the block, on a thread and session of its own.

    Raises what one of them has raised, when the block ends.
    """
    stop = threading.Event()
    errors: list[BaseException] = []

    def work(look: Callable[[Session], None]) -> None:
        try:
            with psycopg.connect(url, autocommit=True) as session:
                while not stop.wait(EVERY_SECONDS):
                    look(session)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=[look]) for look in looks]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    if errors:
        raise errors[0]
