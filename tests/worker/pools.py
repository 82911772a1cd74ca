"""Whole pools in this process, each at work on a thread of the test."""

from __future__ import annotations

import threading
from typing import Any

from jobs.worker.exits import Exit
from jobs.worker.options import PoolOptions
from jobs.worker.pool import Pool
from tests.support.threads import Worker, running


class Running:
    """A pool at work on a thread of the test."""

    def __init__(self, pool: Pool, thread: Worker) -> None:
        self.pool = pool
        self.thread = thread

    def end(self, reason: str = "shutdown") -> Exit:
        self.pool.stop(reason)
        code: Exit = self.thread.wait()
        return code


def drain(**options: Any) -> tuple[Exit, Pool]:
    """Run a pool until nothing is ready; its exit code, and the pool."""
    plain: dict[str, Any] = {"threads": 3, "drain": True, "poll_seconds": 0.1}
    pool = Pool(PoolOptions(**plain | options))
    with running(pool.run) as thread:
        return thread.wait(), pool


def ours() -> list[str]:
    """Threads of pools that live."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("qforge-")]
