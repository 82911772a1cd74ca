"""What the tests of the maintenance services share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jobs.store.connections import EngineConnection
from tests.support.events import Told, told_events


@pytest.fixture
def told() -> Iterator[Told]:
    """Every event told during the test."""
    with told_events() as found:
        yield found


@pytest.fixture
def engine(committed_db: None) -> Iterator[EngineConnection]:
    """An engine connection to the database with real commits."""
    made = EngineConnection()
    yield made
    made.close()
