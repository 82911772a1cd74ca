"""The database seen from outside: second connections, row locks, notifications, statements."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connection, connections
from django.db.utils import load_backend

from jobs.store import notify
from tests.support.threads import Worker
from tests.support.waiting import wait_until


@contextmanager
def second_connection(**options: Any) -> Iterator[Any]:
    """A Django connection of its own to the test database, closed at the end."""
    settings = dict(connections["default"].settings_dict)
    settings["OPTIONS"] = settings["OPTIONS"] | options
    wrapper: Any = load_backend(settings["ENGINE"]).DatabaseWrapper(settings, "default")
    try:
        yield wrapper
    finally:
        wrapper.close()


@contextmanager
def lent(wrapper: Any) -> Iterator[None]:
    """Within the block the ORM of this thread uses `wrapper`."""
    own = connections["default"]
    connections["default"] = wrapper
    try:
        yield
    finally:
        connections["default"] = own


@contextmanager
def row_locks(job_ids: Sequence[int]) -> Iterator[None]:
    """Within the block another connection holds the rows of these jobs, as for an update."""
    with second_connection() as other:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute("SELECT id FROM jobs WHERE id = ANY(%s) FOR UPDATE", [list(job_ids)])
            assert len(cursor.fetchall()) == len(job_ids)
        try:
            yield
        finally:
            other.rollback()


@contextmanager
def table_lock(mode: str) -> Iterator[None]:
    """Within the block another session holds the table of the jobs, as a migration does."""
    with second_connection() as other:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute(f"LOCK TABLE jobs IN {mode} MODE")
        try:
            yield
        finally:
            other.rollback()


def backend_pid() -> int:
    """The server's process behind this thread's connection."""
    return int(scalar("SELECT pg_backend_pid()"))


def wait_until_blocked(pid: int) -> None:
    """Return once the server process `pid` waits for somebody's lock."""
    wait_until(lambda: scalar("SELECT cardinality(pg_blocking_pids(%s))", [pid]))


def scalar(sql: str, parameters: Sequence[Any] = ()) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        row = cursor.fetchone()
    return row[0] if row else None


_END = "the end of what a test listens for"


class Listener:
    """A raw connection that listens on the channel of the wake-ups."""

    def __init__(self, raw: psycopg.Connection[Any]) -> None:
        self._raw = raw

    def heard(self) -> list[str]:
        """What was sent since the last call, in order.

        A message of our own marks the end: notifications arrive in the order of their commits.
        """
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [notify.CHANNEL, _END])
        return self.heard_until(_END)

    def heard_until(self, end: str) -> list[str]:
        """What arrives before the message `end`."""
        found: list[str] = []
        for notice in self._raw.notifies(timeout=10):
            if notice.payload == end:
                return found
            found.append(notice.payload)
        raise AssertionError(f"{end!r} did not arrive after {found}")


@contextmanager
def listening() -> Iterator[Listener]:
    """A listener that hears every wake-up sent within the block."""
    parameters = connections["default"].get_connection_params()
    kept = ("dbname", "user", "password", "host", "port")
    wanted = {key: parameters[key] for key in kept if key in parameters}
    with psycopg.connect(**wanted, autocommit=True) as raw:
        raw.execute(f"LISTEN {notify.CHANNEL}")
        yield Listener(raw)


@contextmanager
def statements() -> Iterator[list[tuple[str, Any]]]:
    """Collects the statements of this thread's connection: (text, parameters)."""
    found: list[tuple[str, Any]] = []

    def collect(execute: Callable[..., Any], sql: str, params: Any, *rest: Any) -> Any:
        found.append((sql, params))
        return execute(sql, params, *rest)

    with connection.execute_wrapper(collect):
        yield found


def start_blocked(work: Callable[[], Any]) -> Worker:
    """Start the work on a thread of its own; returns once it waits for somebody's lock."""
    pids: queue.Queue[int] = queue.Queue()

    def run() -> Any:
        pids.put(backend_pid())
        return work()

    worker = Worker(run)
    worker.start()
    wait_until_blocked(pids.get(timeout=10))
    return worker
