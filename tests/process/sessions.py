"""The sessions of the test's database besides our own."""

from __future__ import annotations

from tests.support.database import scalar

_OTHERS = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


def count() -> int:
    return int(scalar(f"SELECT count(*) {_OTHERS}"))


def terminate() -> int:
    """End all of them; returns how many."""
    return int(scalar(f"SELECT count(pg_terminate_backend(pid)) {_OTHERS}"))
