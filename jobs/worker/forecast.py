"""How long handlers take, per task, so that only what would start at once is claimed ahead."""

from __future__ import annotations

import math
from collections.abc import Sequence

_WEIGHT = 0.2
_FLOOR_SECONDS = 1e-5


class Forecast:
    """Moving averages of handler seconds. A task not seen yet counts as long.

    Threads update it without a lock: a lost update costs an average a sample.
    """

    def __init__(self, horizon_seconds: float) -> None:
        self.horizon_seconds = horizon_seconds
        self._tasks: dict[str, float] = {}
        self._overall = math.inf

    def observe(self, task: str, seconds: float) -> None:
        seconds = max(seconds, _FLOOR_SECONDS)
        self._tasks[task] = _average(self._tasks.get(task, math.inf), seconds)
        self._overall = _average(self._overall, seconds)

    def seconds(self, task: str) -> float:
        return self._tasks.get(task, math.inf)

    def limit(self, idle: int, batch_size: int) -> int:
        """How many jobs to pick for `idle` threads: one each, and more while jobs are short."""
        ahead = idle * self.horizon_seconds / self._overall
        return min(batch_size, idle + int(ahead))

    def choose(self, tasks: Sequence[str], idle: int) -> int:
        """How many of these jobs, in order, to take: one for each idle thread, then as many as
        those threads would all have started within the horizon. A long job is never among the
        latter, nor is anything behind it, so that no job waits here that could run elsewhere."""
        taken = min(idle, len(tasks))
        free = sum(1 for task in tasks[:taken] if self.seconds(task) <= self.horizon_seconds)
        budget = free * self.horizon_seconds
        for task in tasks[taken:]:
            budget -= self.seconds(task)
            if budget < 0:
                break
            taken += 1
        return taken


def _average(old: float, new: float) -> float:
    return new if math.isinf(old) else old + _WEIGHT * (new - old)
