"""Fixtures for pytest. Installed with the package; no test needs to name it.

- `qforge`: all of `jobs.testing`, in a test with the database.
- `qforge_clock`: the clock of the queue, to move.
- `qforge_inline`: jobs run as soon as they are enqueued.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from jobs.testing import Clock


@pytest.fixture
def qforge(db: None) -> Any:
    """The module `jobs.testing`."""
    import jobs.testing

    return jobs.testing


@pytest.fixture
def qforge_clock(db: None) -> Iterator[Clock]:
    """The clock of the queue's database within the test."""
    from jobs.testing import time_travel

    with time_travel() as clock:
        yield clock


@pytest.fixture
def qforge_inline(db: None) -> Iterator[None]:
    """Run each job as soon as it is enqueued; one that fails fails the test."""
    from jobs.testing import inline

    with inline():
        yield
