"""When the next try happens: exponential backoff with a cap and jitter. Pure arithmetic."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from jobs.errors import InvalidInput, shown

# 2**62 seconds is past any cap; stopping there keeps the power a plain float.
_MAX_EXPONENT = 62

MAX_DELAY_SECONDS = 10 * 365 * 86400.0
"""The longest delay, backoff or snooze accepted anywhere: ten years."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """`delay = min(base * 2**(attempt - 1), cap)`, less a random share of up to `jitter`.

    Jitter only shortens, so `cap_seconds` is a true bound. `permanent` names the exceptions after
    which no other attempt is made. "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015)
    explains why the share must be random.
    """

    base_seconds: float = 5.0
    cap_seconds: float = 3600.0
    jitter: float = 0.2
    permanent: tuple[type[BaseException], ...] = ()

    def __post_init__(self) -> None:
        _check("cap_seconds", self.cap_seconds, MAX_DELAY_SECONDS)
        _check("base_seconds", self.base_seconds, self.cap_seconds)
        _check("jitter", self.jitter, 1)

    def delay_seconds(self, attempt: int, rng: Callable[[], float] = random.random) -> float:
        """Seconds to wait after failed attempt number `attempt` (the first is 1)."""
        exponent = min(max(attempt - 1, 0), _MAX_EXPONENT)
        full = min(self.base_seconds * 2.0**exponent, self.cap_seconds)
        return full * (1 - self.jitter * rng())

    def is_permanent(self, error: BaseException) -> bool:
        return isinstance(error, self.permanent)


def _check(field: str, value: float, high: float) -> None:
    # NaN fails the comparison.
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= high:
        raise InvalidInput(field, f"must be a number from 0 to {high:,.10g}, not {shown(value)}")
