"""Gives every pytest run a database of its own, and the --full option.

A run uses DATABASE_URL when it is set, an SQLite file with TEST_DATABASE_ENGINE=sqlite, and
otherwise an embedded PostgreSQL that is gone when the run ends.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from devtools.ephemeral import ephemeral
from devtools.errors import PostgresError

_OF_THE_CONTROLLER = "PYTEST_EPHEMERAL_DATABASE"
_resources = contextlib.ExitStack()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="also run the tests marked `long`")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests() -> Generator[None]:
    """Choose the database before Django's settings are read."""
    os.environ.setdefault("SECRET_KEY", "for tests only")
    if os.environ.get("TEST_DATABASE_ENGINE") == "sqlite":
        folder = _resources.enter_context(tempfile.TemporaryDirectory(prefix="qforge-sqlite-"))
        os.environ["DATABASE_URL"] = f"sqlite:///{Path(folder) / 'db.sqlite3'}"
    elif not os.environ.get("DATABASE_URL") or os.environ.get(_OF_THE_CONTROLLER):
        try:
            server = _resources.enter_context(ephemeral())
        except (PostgresError, OSError) as error:
            raise pytest.UsageError(str(error)) from error
        os.environ["DATABASE_URL"] = server.url("qforge")
        # Tests look at all sessions of a server, so each parallel process has one of its own.
        os.environ[_OF_THE_CONTROLLER] = "1"
    return (yield)


def pytest_unconfigure() -> None:
    _resources.close()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = set()
    if not config.getoption("--full"):
        left_out.add("long")
    if os.environ.get("TEST_DATABASE_ENGINE") == "sqlite":
        left_out.add("postgres")
    dropped = [item for item in items if any(item.get_closest_marker(name) for name in left_out)]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = [item for item in items if item not in set(dropped)]
