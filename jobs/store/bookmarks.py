"""Bookmarks: where the waiting jobs begin, so that a claim need not step over those long gone.

While another transaction holds an old snapshot, as a dump does, nothing that was claimed since can
be cleaned away, and each look from the front of the index steps over all of it. So a pool times its
looks. When they have become slow it leaves a bookmark behind the last job that it took, and goes on
from there for ten times as long as the look lasted. A job that sorts before the bookmark, by a
higher priority or an earlier time, waits for the next look from the front, half a second at most.
"""

from __future__ import annotations

import math
import time
from typing import Final, NamedTuple

_SLOW_SECONDS: Final = 0.003
_SLOW_OVER_BEST: Final = 4.0
_SLOW_IN_A_ROW: Final = 2
_PATIENCE: Final = 10.0
_MAX_SECONDS: Final = 0.5


class Place(NamedTuple):
    """A waiting job's place in the order of claims; times are seconds since 1970."""

    priority: int
    available: float
    created: float
    job_id: int


class Bookmarks:
    """Those of one pool, by queue; None is the queue of a pool that serves all.

    Used by one thread at a time.
    """

    def __init__(self) -> None:
        self._places: dict[str | None, Place] = {}
        self._valid_until: dict[str | None, float] = {}
        self._best_seconds = math.inf
        self._slow_looks = 0

    def place(self, queue: str | None) -> Place | None:
        """Go on behind this job; None asks for a look from the front."""
        if time.monotonic() < self._valid_until.get(queue, -math.inf):
            return self._places.get(queue)
        return None

    def looked(self, queue: str | None, seconds: float) -> None:
        """A look from the front took so long."""
        self._best_seconds = min(self._best_seconds, seconds)
        slow = seconds > max(_SLOW_SECONDS, _SLOW_OVER_BEST * self._best_seconds)
        self._slow_looks = self._slow_looks + 1 if slow else 0
        self._places.pop(queue, None)
        if self._slow_looks >= _SLOW_IN_A_ROW:
            patience = min(_PATIENCE * seconds, _MAX_SECONDS)
            self._valid_until[queue] = time.monotonic() + patience

    def move(self, queue: str | None, place: Place) -> None:
        """All that was found up to here has been taken."""
        self._places[queue] = place

    def clear(self) -> None:
        """What was taken may have been given back."""
        self._places.clear()
