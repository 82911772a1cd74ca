"""A value that many requests want and that is worked out once: per process, database and moment."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class _Entry(Generic[T]):
    lock: threading.Lock = field(default_factory=threading.Lock)
    value: T | None = None
    made_at: float | None = None

    def age_seconds(self) -> float:
        return float("inf") if self.made_at is None else time.monotonic() - self.made_at


class Shared(Generic[T]):
    """Calls `make(using)` at most once in `seconds` for each database, whoever asks.

    While one thread works it out, the others get the value before, as long as that is no older
    than `stale_seconds`; older than that, or at the very first, they wait. An error goes to the
    thread that met it, and the next one tries again.
    """

    def __init__(
        self, make: Callable[[str], T], *, seconds: float, stale_seconds: float = 10.0
    ) -> None:
        self._make = make
        self._seconds = seconds
        self._stale_seconds = stale_seconds
        self._lock = threading.Lock()
        self._entries: dict[str, _Entry[T]] = {}

    def get(self, using: str) -> T:
        with self._lock:
            entry = self._entries.setdefault(using, _Entry())
        value = entry.value
        if value is not None and entry.age_seconds() < self._seconds:
            return value
        patient = value is None or entry.age_seconds() > self._stale_seconds
        if not entry.lock.acquire(blocking=patient):
            assert value is not None  # noqa: S101 - who has none is patient
            return value
        try:
            if entry.value is None or entry.age_seconds() >= self._seconds:
                entry.value = self._make(using)
                entry.made_at = time.monotonic()
            return entry.value
        finally:
            entry.lock.release()

    def forget(self) -> None:
        """The next to ask gets a new value."""
        with self._lock:
            self._entries.clear()
