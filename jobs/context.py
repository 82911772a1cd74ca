"""What a handler may know and do about its own job while it runs."""

from __future__ import annotations

import logging
import math
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from jobs.errors import Cancel, InvalidInput


@dataclass(slots=True)
class JobContext:
    """Passed to a handler that has a parameter named `context`."""

    job_id: int
    task: str
    queue: str
    attempt: int
    """1 on the first try."""
    max_attempts: int
    timeout_seconds: float | None
    logger: logging.LoggerAdapter[logging.Logger]
    started: float = field(default_factory=time.monotonic)
    _cancel: threading.Event = field(default_factory=threading.Event)
    _lost: threading.Event = field(default_factory=threading.Event)
    _progress: dict[str, Any] | None = None

    @property
    def deadline_seconds(self) -> float | None:
        """Seconds left before the attempt times out, never negative; None without a timeout."""
        if self.timeout_seconds is None:
            return None
        return max(self.timeout_seconds - (time.monotonic() - self.started), 0.0)

    @property
    def cancel_requested(self) -> bool:
        """Somebody asked for this job to stop. Handlers that run long should look."""
        return self._cancel.is_set()

    @property
    def lease_lost(self) -> bool:
        """Another worker may own the job now; whatever this attempt returns is dropped."""
        return self._lost.is_set()

    def raise_if_cancelled(self) -> None:
        """Raises Cancel when the job was asked to stop or its lease is gone."""
        if self._cancel.is_set() or self._lost.is_set():
            raise Cancel("cancel requested" if self._cancel.is_set() else "lease lost")

    def sleep(self, seconds: float) -> None:
        """Sleep that a cancel request cuts short. Raises Cancel then."""
        self._cancel.wait(seconds)
        self.raise_if_cancelled()

    def progress(self, percent: float, message: str = "") -> None:
        """Say how far the job is, 0 to 100; stored with the next renewal of the lease."""
        if (
            isinstance(percent, bool)
            or not isinstance(percent, int | float)
            or not math.isfinite(percent)
        ):
            raise InvalidInput("percent", f"must be a number from 0 to 100, not {percent!r}")
        if not 0 <= percent <= 100:
            raise InvalidInput("percent", f"must be between 0 and 100, not {percent!r}")
        self._progress = {"percent": percent, "message": str(message)[:200]}
