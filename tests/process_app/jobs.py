"""Handlers that leave a mess, and one that looks whether any is left."""

from __future__ import annotations

import contextlib
import contextvars
import datetime as dt
import decimal
import os
import socket
import sys
import time
from typing import Any

from django.db import DatabaseError, connection, connections, transaction
from django.utils import timezone, translation

from jobs import JobContext, RetryPolicy, task
from tests.support import evidence

_left_over: contextvars.ContextVar[str] = contextvars.ContextVar("left_over", default="")
_AT_ONCE = RetryPolicy(base_seconds=0.0, cap_seconds=0.0, jitter=0.0)


@task(name="check.base_exc", max_attempts=1)
def base_exc(kind: str) -> None:
    """Raises what ends threads and processes elsewhere."""
    kinds = {
        "SystemExit": SystemExit(3),
        "KeyboardInterrupt": KeyboardInterrupt(),
        "GeneratorExit": GeneratorExit(),
        "BaseException": BaseException("bare"),
    }
    raise kinds[kind]


class Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text of mine")


@task(name="check.bad_str", max_attempts=1)
def bad_str() -> None:
    """Raises an exception that cannot be printed."""
    raise Unprintable


@task(name="check.big_error", max_attempts=1)
def big_error(megabytes: int) -> None:
    """Raises an exception with a text of that size, with a NUL and a lone surrogate in it."""
    raise RuntimeError("\x00\ud800" + "x" * megabytes * 1024 * 1024)


@task(name="check.deep", max_attempts=1)
def deep(levels: int) -> None:
    """Raises from below so many calls."""
    if levels:
        deep.handler(levels - 1)
    raise RuntimeError("from the bottom")


class _Odd(dict[str, Any]):
    def items(self) -> Any:
        raise RuntimeError("not for you")


@task(name="check.result", max_attempts=1)
def result(kind: str) -> Any:
    """Returns what cannot be stored as JSON."""
    kinds: dict[str, Any] = {
        "nan": float("nan"),
        "nul": "a\x00b",
        "bytes": b"raw",
        "datetime": dt.datetime.now(dt.UTC),
        "large": "x" * 1024 * 1024,
        "odd": _Odd(a=1),
    }
    return kinds[kind]


@task(name="check.dirty_db", backoff=_AT_ONCE)
def dirty_db(how: str) -> None:
    """Leaves its connection in a state that nobody could use."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    if how == "open":
        transaction.atomic().__enter__()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    elif how == "abort":
        transaction.set_autocommit(False)
        with contextlib.suppress(DatabaseError), connection.cursor() as cursor:
            cursor.execute("SELECT 1 / 0")
    elif how == "close":
        connections.close_all()
    elif how == "terminate":
        with contextlib.suppress(DatabaseError), connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")


@task(name="check.dirty_env")
def dirty_env() -> None:
    """Changes what belongs to the thread, and what belongs to the process."""
    timezone.activate("Asia/Tokyo")
    translation.activate("de")
    _left_over.set("left over")
    os.chdir("/")
    os.environ["TZ"] = "Asia/Tokyo"
    time.tzset()
    socket.setdefaulttimeout(0.001)
    decimal.getcontext().prec = 3


@task(name="check.probe", max_attempts=1)
def probe() -> dict[str, Any]:
    """What a job finds where another one has been."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return {
        "atomic": connection.in_atomic_block,
        "autocommit": connection.get_autocommit(),
        "language": translation.get_language(),
        "left over": _left_over.get(),
        "timezone": timezone.get_current_timezone_name(),
    }


@task(name="check.forker", max_attempts=1)
def forker(key: str, context: JobContext) -> int:
    """Forks; the child leaves as programs do. Returns the child's exit status."""
    with evidence.run(context, key):
        child = os.fork()
        if child == 0:
            sys.exit(7)
        _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)
