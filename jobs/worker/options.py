"""What a pool is told: the settings in force, checked."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, Final

from jobs.conf import BOUNDS, conf
from jobs.errors import InvalidInput, shown
from jobs.registry import check_queue

LOG_FORMATS: Final = ("text", "json")


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolOptions:
    """Everything a pool needs to know; it crosses process borders, so it holds plain values.

    Durations are in seconds. Raises InvalidInput, naming the option, for values out of bounds.
    """

    queues: tuple[str, ...] = ()
    threads: int = 8
    async_jobs: int = 100
    """Room of the event loop; 0 runs async handlers on the threads."""
    lease_seconds: float = 30.0
    heartbeat_seconds: float = 5.0
    poll_seconds: float = 1.0
    grace_seconds: float = 25.0
    batch_size: int = 200
    prefetch_seconds: float = 0.05
    listen: bool = True
    maintenance: bool = True
    metrics_port: int = 0
    """Port on which this process serves its metrics; 0 serves none."""
    max_jobs: int | None = None
    """Stop after claiming so many jobs."""
    drain: bool = False
    """Stop when nothing is ready and nothing runs."""
    fail_on_error: bool = False
    name: str = ""
    log_format: str = "text"
    quiet: bool = False

    def __post_init__(self) -> None:
        for option, setting in _BOUNDED.items():
            _check_number(option, getattr(self, option), *BOUNDS[setting])
        if self.max_jobs is not None:
            _check_number("max_jobs", self.max_jobs, 1, math.inf)
        if self.heartbeat_seconds * 3 > self.lease_seconds:
            raise InvalidInput(
                "heartbeat_seconds",
                f"must be at most a third of the lease ({self.lease_seconds:g} s), "
                f"not {self.heartbeat_seconds:g}",
            )
        if not isinstance(self.queues, tuple):
            raise InvalidInput("queues", f"must be a tuple of names, not {shown(self.queues)}")
        for queue in self.queues:
            check_queue(queue)
        if self.log_format not in LOG_FORMATS:
            formats = " or ".join(LOG_FORMATS)
            raise InvalidInput("log_format", f"must be {formats}, not {shown(self.log_format)}")
        if not isinstance(self.name, str) or not (self.name == "" or self.name.isprintable()):
            raise InvalidInput("name", f"must be printable text, not {shown(self.name)}")


_WHOLE: Final = ("threads", "async_jobs", "batch_size", "metrics_port", "max_jobs")


def _check_number(option: str, value: Any, low: float, high: float) -> None:
    whole = option in _WHOLE
    kind = "whole number" if whole else "number"
    good = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
    # NaN fails the comparison.
    if not good or not low <= value <= high:
        bounds = f"from {low:g} to {high:,.10g}" if high < math.inf else f"of at least {low:g}"
        raise InvalidInput(option, f"must be a {kind} {bounds}, not {shown(value)}")


_BOUNDED: Final = {
    "threads": "THREADS",
    "async_jobs": "ASYNC_JOBS",
    "lease_seconds": "LEASE_SECONDS",
    "heartbeat_seconds": "HEARTBEAT_SECONDS",
    "poll_seconds": "POLL_SECONDS",
    "grace_seconds": "GRACE_SECONDS",
    "batch_size": "BATCH_SIZE",
    "prefetch_seconds": "PREFETCH_SECONDS",
    "metrics_port": "METRICS_PORT",
}


def from_settings(**given: Any) -> PoolOptions:
    """Options from the settings, except those given and not None."""
    names = {field.name for field in fields(PoolOptions)}
    values = {option: getattr(conf, setting) for option, setting in _BOUNDED.items()}
    values |= {"queues": tuple(conf.QUEUES), "listen": conf.LISTEN}
    values |= {name: value for name, value in given.items() if value is not None and name in names}
    return PoolOptions(**values)
