"""The pacer: when an exchange may be tried again, and when an idle pool looks for work."""

from __future__ import annotations

import random
import time
from typing import Final

QUICK_SECONDS: Final = 0.02
_FIRST_BACKOFF_SECONDS: Final = 0.05
_MAX_BACKOFF_SECONDS: Final = 5.0


class Pacer:
    """Quick after activity, calm when idle, patient after failures.

    All methods are called with the exchange's lock held. Times are those of `time.monotonic`.
    """

    def __init__(self, poll_seconds: float) -> None:
        self.wakeups = 0
        self.failures = 0
        self.next_poll = 0.0
        self.not_before = 0.0
        self._poll_seconds = poll_seconds
        self._pause = QUICK_SECONDS

    def wake(self) -> None:
        """Work may have come."""
        self.wakeups += 1
        self.next_poll = 0.0
        self._pause = QUICK_SECONDS

    def looked(self, *, found: int, filled: bool, wakeups: int) -> None:
        """A claim found so many jobs. One that was `filled`, or that missed a wake-up meanwhile, is
        followed by another at once."""
        now = time.monotonic()
        if found:
            self._pause = QUICK_SECONDS
        if filled or self.wakeups != wakeups:
            self.next_poll = now
            return
        self.next_poll = now + self._pause * _jitter(0.8)
        self._pause = min(self._pause * 2, self._poll_seconds)

    def failed(self) -> bool:
        """Returns whether this is the first failure in a row."""
        self.failures += 1
        full = _FIRST_BACKOFF_SECONDS * 2.0 ** min(self.failures, 10)
        self.not_before = time.monotonic() + min(full, _MAX_BACKOFF_SECONDS) * _jitter(0.5)
        return self.failures == 1

    def succeeded(self) -> int:
        """Returns how many failures this ended."""
        ended, self.failures = self.failures, 0
        return ended


def _jitter(least: float) -> float:
    return random.uniform(least, 1)  # noqa: S311 - spreads load, guards nothing
