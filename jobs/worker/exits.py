"""Exit codes of `run_job_workers`."""

from __future__ import annotations

import signal
from enum import IntEnum
from typing import Final


class Exit(IntEnum):
    OK = 0
    """A clean stop, or everything drained."""
    ERROR = 1
    USAGE = 2
    DATABASE = 3
    """The database could not be reached at the start."""
    NOT_READY = 4
    """System checks failed or migrations are missing."""
    RELEASED = 5
    """The grace ran out and running jobs were given back."""
    JOB_FAILED = 6
    """With --fail-on-error: an attempt failed."""
    RECYCLE = 75
    """Threads are stuck; a fresh process should take over."""


FORCED: Final = {signal.SIGINT: 130, signal.SIGTERM: 143}
"""After a second signal: 128 + its number, as shells have it."""
