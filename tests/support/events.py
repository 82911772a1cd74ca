"""What the engine tells its subscribers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from jobs import instrument


class Told(list[tuple[str, dict[str, Any]]]):
    """Events in order: (name, fields)."""

    def named(self, event: str) -> list[dict[str, Any]]:
        """The fields of every event of this name."""
        return [fields for name, fields in list(self) if name == event]


@contextmanager
def told_events() -> Iterator[Told]:
    """Collects every event told within the block, from any thread."""
    told = Told()
    unsubscribe = instrument.subscribe(lambda event, fields: told.append((event, fields)))
    try:
        yield told
    finally:
        unsubscribe()
