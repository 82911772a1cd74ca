"""What the tests of live updates share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jobs.live.counters import counters


@pytest.fixture(autouse=True)
def fresh_counters() -> Iterator[None]:
    """Nothing is left over from the test before."""
    counters.forget()
    yield
    counters.forget()
