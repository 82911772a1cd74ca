"""What the tests of schedules share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from jobs import client, instrument
from tests.schedules.frozen import FrozenClock, frozen_clock


@pytest.fixture
def clock(committed_db: None) -> Iterator[FrozenClock]:
    """The database with real commits and a clock that stands still, at noon of 1 January 2026."""
    with frozen_clock() as clock:
        clock.set("2026-01-01 12:00")
        yield clock


@pytest.fixture
def report(register: Callable[..., client.Task]) -> client.Task:
    """A task that a schedule can enqueue, with or without a payload."""

    def report(day: str = "", deep: bool = False) -> None:
        """Does nothing."""

    return register(report)


@pytest.fixture
def told() -> Iterator[list[tuple[str, dict[str, Any]]]]:
    """Every event told during the test: name and fields."""
    found: list[tuple[str, dict[str, Any]]] = []
    unsubscribe = instrument.subscribe(lambda event, fields: found.append((event, fields)))
    yield found
    unsubscribe()
