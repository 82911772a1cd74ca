"""What the tests of the worker share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from jobs.worker.options import PoolOptions
from jobs.worker.pool import Pool
from tests.support.events import Told, told_events
from tests.support.threads import Worker
from tests.worker.bench import Bench
from tests.worker.pools import Running


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


@pytest.fixture
def quick_listener(monkeypatch: pytest.MonkeyPatch) -> None:
    """A listener stops at its next turn; the tests need not wait a second for each."""
    monkeypatch.setattr("jobs.worker.listener._WAIT_SECONDS", 0.1)


@pytest.fixture
def start() -> Iterator[Callable[..., Running]]:
    """`start(**options)` starts a pool, which ends at the latest with the test."""
    made: list[Running] = []

    def begin(**options: Any) -> Running:
        plain: dict[str, Any] = {"threads": 3, "poll_seconds": 0.1, "grace_seconds": 10.0}
        pool = Pool(PoolOptions(**plain | options))
        started = Running(pool, Worker(pool.run))
        made.append(started)
        started.thread.start()
        return started

    yield begin
    for each in made:
        each.pool.force()
        each.thread.wait()
