"""Durations counted by size: what the rollups keep, and the percentiles that come out of it. Pure.

The bounds grow by about the same factor, so an estimate is off by a share of itself, whether it is
milliseconds or hours, and histograms of any two spans add up to that of both.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

BOUNDS_SECONDS: Final = (
    *(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0),
    *(60.0, 300.0, 1800.0, 7200.0),
)
"""Where one bucket ends and the next begins, at the bound itself."""
BUCKETS: Final = len(BOUNDS_SECONDS) + 1


def bucket(seconds: float) -> int:
    """The number of the bucket that counts such a duration."""
    return bisect_right(BOUNDS_SECONDS, seconds)


def percentile(counts: Sequence[int], percent: float, longest: float) -> float | None:
    """About the duration that `percent` of those counted do not exceed; None when there is none.

    `longest` is the greatest of them, in seconds: no estimate is above it.
    """
    rank = sum(counts) * percent / 100
    below = 0
    for number, count in enumerate(counts):
        if count and below + count >= rank:
            low = BOUNDS_SECONDS[number - 1] if number else 0.0
            high = BOUNDS_SECONDS[number] if number < len(BOUNDS_SECONDS) else longest
            high = max(min(high, longest), low)
            return min(low + (high - low) * max(rank - below, 0) / count, longest)
        below += count
    return None
