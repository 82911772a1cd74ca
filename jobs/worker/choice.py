"""Which of the picked jobs a pool takes: sync ones for idle threads, async ones for its event loop.

A pick is in claim order and knows nothing of kinds. So a pick for the threads leaves room for as
many async jobs as the one before has found, and a little more; where one kind fills the pick and
there is room for the other, the claim looks for that one behind it. What was looked for in vain is
not looked for again at once: the front of the queue is full of the other kind then.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Final

from jobs.store.look_ahead import LookAhead
from jobs.worker.forecast import Forecast

_VAIN_SECONDS: Final = 0.1


class Choice:
    """Used by one leader of an exchange at a time: `begin`, then the methods in their order."""

    def __init__(self, forecast: Forecast, batch_size: int) -> None:
        self.async_tasks: frozenset[str] = frozenset()
        """Names of the tasks that are for the event loop; empty where there is none."""
        self._forecast = forecast
        self._batch_size = batch_size
        self._idle = self._free = self._most = 0
        self._for_threads = self._for_loop = 0
        self._expected = 1
        self._looked = False
        self._not_before = -math.inf

    def begin(self, *, idle: int, free: int, most: int | None) -> int:
        """Choose for so many idle threads and so much room in the loop, `most` jobs in all; returns
        how many jobs to pick."""
        self._most = self._batch_size if most is None else min(self._batch_size, most)
        self._idle, self._free = idle, free if self.async_tasks else 0
        self._for_threads = self._for_loop = 0
        self._looked = False
        if not idle:
            # Rows of sync jobs would be locked for nothing.
            return 0
        ahead = self._forecast.limit(idle, self._batch_size)
        return min(ahead + min(self._free, self._expected), self._most)

    def choose(self, tasks: Sequence[str]) -> Sequence[int]:
        """The places of the jobs to take, given the tasks of those picked."""
        if not self.async_tasks:
            self._for_threads = self._forecast.choose(tasks, self._idle)
            return range(self._for_threads)
        places: tuple[list[int], list[int]] = ([], [])
        for place, task in enumerate(tasks):
            places[task in self.async_tasks].append(place)
        plain, coroutines = places
        self._for_threads = self._forecast.choose([tasks[n] for n in plain], self._idle)
        self._for_loop = min(len(coroutines), self._free)
        return sorted(plain[: self._for_threads] + coroutines[: self._for_loop])

    def ahead(self) -> LookAhead | None:
        """What to look for behind what was picked."""
        left = self._most - self._for_threads - self._for_loop
        room = min(self._free - self._for_loop, left)
        lacking = min(self._idle - self._for_threads, left)
        if not self.async_tasks or max(room, lacking) <= 0 or time.monotonic() < self._not_before:
            return None
        self._looked = True
        among = room >= lacking
        return LookAhead(tasks=self.async_tasks, among=among, limit=room if among else lacking)

    def took(self, tasks: Sequence[str]) -> bool:
        """Jobs of these tasks were claimed in the end; returns whether there may be more."""
        if self._looked and len(tasks) == self._for_threads + self._for_loop:
            self._not_before = time.monotonic() + _VAIN_SECONDS
        for_loop = sum(task in self.async_tasks for task in tasks)
        for_threads = len(tasks) - for_loop
        self._expected = 2 * for_loop + 1
        filled = 0 < self._idle <= for_threads or 0 < self._free <= for_loop
        return filled or len(tasks) >= self._most
