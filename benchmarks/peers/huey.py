"""Huey on Redis: consumers that pop a job and forget it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks import stamps
from benchmarks.peers.catalog import BROKER, Peer, Send

PEER = Peer(
    requirements=("huey>=3.5,<4", "redis>=5"),
    broker="redis",
    # What is popped is gone, whatever becomes of it.
    left=("LLEN huey.redis.bench",),
    processes={"drain": 2},
    configuration="blocking reads; drain: 2 processes of 1 thread; pick-up: 1 of 10; naps: 1 of 50",
    durable="no: Redis without append-only file, and a job is gone from it once a worker has it",
    results="no (None is not stored)",
    history="no",
    transactional="no",
    bulk=False,
)

_THREADS = {"drain": 1, "pickup": 10, "naps": 50}


def _huey() -> tuple[Any, dict[str, Any]]:
    from huey import RedisHuey

    huey = RedisHuey("bench", url=os.environ[BROKER])
    return huey, {name: huey.task(name=name)(run) for name, run in stamps.HANDLERS.items()}


def prepare() -> None:
    """Redis needs nothing."""


@contextmanager
def sender() -> Iterator[Send]:
    _, tasks = _huey()
    yield lambda task, number: tasks[task](number)


def work(workload: str) -> None:
    huey, _ = _huey()
    huey.create_consumer(workers=_THREADS[workload], periodic=False).run()
