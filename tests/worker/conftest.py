"""What the tests of the worker share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.events import Told, told_events
from tests.worker.bench import Bench


@pytest.fixture
def told() -> Iterator[Told]:
    """Every event told during the test."""
    with told_events() as found:
        yield found


@pytest.fixture
def bench(committed_db: None) -> Iterator[Bench]:
    """Exchanges on the real database, whose threads and connections end with the test."""
    made = Bench()
    yield made
    made.close()
