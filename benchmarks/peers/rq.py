"""RQ: workers that run one job at a time, here without the fork of each job."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks import stamps
from benchmarks.peers.catalog import BROKER, Peer, Send, SendMany

PEER = Peer(
    requirements=("rq>=3.0,<4",),
    broker="redis",
    left=("LLEN rq:queue:default", "ZCARD rq:wip:default"),
    processes={"drain": 2, "pickup": 2, "naps": 2},
    configuration="2 processes of SimpleWorker, which forks no child for each job; one job at a "
    "time in a process; results kept for 500 s, the default",
    durable="no: Redis without append-only file",
    results="yes",
    history="no",
    transactional="no",
    slow=True,
)


def _queue() -> Any:
    from redis import Redis
    from rq import Queue

    return Queue("default", connection=Redis.from_url(os.environ[BROKER]))


def prepare() -> None:
    """Redis needs nothing."""


@contextmanager
def sender() -> Iterator[Send]:
    queue = _queue()
    queue.connection.ping()
    yield lambda task, number: queue.enqueue(stamps.HANDLERS[task], number)


@contextmanager
def bulk_sender() -> Iterator[SendMany]:
    queue = _queue()
    queue.connection.ping()
    yield lambda task, numbers: _send_many(queue, task, numbers)


def _send_many(queue: Any, task: str, numbers: range) -> None:
    for start in range(0, len(numbers), 1000):
        part = numbers[start : start + 1000]
        queue.enqueue_many([queue.prepare_data(stamps.HANDLERS[task], (n,)) for n in part])


def work(workload: str) -> None:
    from rq import SimpleWorker

    queue = _queue()
    SimpleWorker([queue], connection=queue.connection).work(logging_level="WARNING")
