"""What a pool is told: the settings in force, checked."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final

from jobs.conf import BOUNDS, conf
from jobs.errors import InvalidInput
from jobs.registry import check_queue


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolOptions:
    """Everything a pool needs to know; it crosses process borders, so it holds plain values.

    Durations are in seconds. Raises InvalidInput, naming the option, for values out of bounds.
    """

    queues: tuple[str, ...] = ()
    threads: int = 8
    lease_seconds: float = 30.0
    heartbeat_seconds: float = 5.0
    poll_seconds: float = 1.0
    grace_seconds: float = 25.0
    batch_size: int = 200
    prefetch_seconds: float = 0.05
    listen: bool = True
    maintenance: bool = True
    max_jobs: int | None = None
    """Stop after claiming so many jobs."""
    drain: bool = False
    """Stop when nothing is ready and nothing runs."""
    fail_on_error: bool = False
    name: str = ""
    log_format: str = "text"

    def __post_init__(self) -> None:
        for option, setting in _BOUNDED.items():
            value = getattr(self, option)
            low, high = BOUNDS[setting]
            if (
                isinstance(value, bool)
                or not isinstance(value, int | float)
                or not low <= value <= high
            ):
                raise InvalidInput(option, f"must be between {low:g} and {high:g}, not {value!r}")
        if self.max_jobs is not None and self.max_jobs < 1:
            raise InvalidInput("max_jobs", f"must be at least 1, not {self.max_jobs!r}")
        if self.heartbeat_seconds * 3 > self.lease_seconds:
            raise InvalidInput(
                "heartbeat_seconds",
                f"must be at most a third of the lease ({self.lease_seconds:g} s), "
                f"not {self.heartbeat_seconds:g}",
            )
        for queue in self.queues:
            check_queue(queue)


_BOUNDED: Final = {
    "threads": "THREADS",
    "lease_seconds": "LEASE_SECONDS",
    "heartbeat_seconds": "HEARTBEAT_SECONDS",
    "poll_seconds": "POLL_SECONDS",
    "grace_seconds": "GRACE_SECONDS",
    "batch_size": "BATCH_SIZE",
    "prefetch_seconds": "PREFETCH_SECONDS",
}


def from_settings(**given: Any) -> PoolOptions:
    """Options from the settings, except those given and not None."""
    names = {field.name for field in fields(PoolOptions)}
    values = {option: getattr(conf, setting) for option, setting in _BOUNDED.items()}
    values |= {"queues": tuple(conf.QUEUES), "listen": conf.LISTEN}
    values |= {name: value for name, value in given.items() if value is not None and name in names}
    return PoolOptions(**values)
