"""For the tests of projects that use QForge; `docs/guides/testing.md` shows how."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jobs.testing.asserts import assert_enqueued as assert_enqueued
    from jobs.testing.asserts import assert_not_enqueued as assert_not_enqueued
    from jobs.testing.asserts import enqueued as enqueued
    from jobs.testing.clock import Clock as Clock
    from jobs.testing.clock import time_travel as time_travel
    from jobs.testing.running import JobFailed as JobFailed
    from jobs.testing.running import drain as drain
    from jobs.testing.running import inline as inline
    from jobs.testing.running import run_pending as run_pending
    from jobs.testing.running import run_schedules as run_schedules

_HOME = {
    "Clock": "jobs.testing.clock",
    "JobFailed": "jobs.testing.running",
    "assert_enqueued": "jobs.testing.asserts",
    "assert_not_enqueued": "jobs.testing.asserts",
    "drain": "jobs.testing.running",
    "enqueued": "jobs.testing.asserts",
    "inline": "jobs.testing.running",
    "run_pending": "jobs.testing.running",
    "run_schedules": "jobs.testing.running",
    "time_travel": "jobs.testing.clock",
}

__all__ = [
    "Clock",
    "JobFailed",
    "assert_enqueued",
    "assert_not_enqueued",
    "drain",
    "enqueued",
    "inline",
    "run_pending",
    "run_schedules",
    "time_travel",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
