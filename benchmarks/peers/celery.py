"""Celery on Redis: prefork for no-ops, threads for jobs that wait."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks import stamps
from benchmarks.peers.catalog import BROKER, Peer, Send

PEER = Peer(
    requirements=("celery[redis]>=5.7,<6",),
    broker="redis",
    left=("LLEN celery", "HLEN unacked"),
    processes={},
    configuration="drain and pick-up: prefork with 2 children; naps: 50 threads; results ignored, "
    "acknowledged early",
    durable="no: Redis without append-only file, acknowledged before the handler runs",
    results="no (a result backend would store them)",
    history="no",
    transactional="no",
    bulk=False,
    slow=True,
)

_POOL = {
    "drain": ("--pool=prefork", "--concurrency=2"),
    "pickup": ("--pool=prefork", "--concurrency=2"),
    "naps": ("--pool=threads", "--concurrency=50"),
}


def _app() -> tuple[Any, dict[str, Any]]:
    from celery import Celery

    app = Celery("bench", broker=os.environ[BROKER].replace("unix://", "redis+socket://", 1))
    app.conf.update(task_ignore_result=True, broker_connection_retry_on_startup=True)
    return app, {name: app.task(name=name)(run) for name, run in stamps.HANDLERS.items()}


def prepare() -> None:
    """Redis needs nothing."""


@contextmanager
def sender() -> Iterator[Send]:
    app, tasks = _app()
    with app.connection_for_write() as connection:
        connection.ensure_connection()
    yield lambda task, number: tasks[task].delay(number)


def work(workload: str) -> None:
    app, _ = _app()
    quiet = ("--without-gossip", "--without-mingle", "--loglevel=WARNING")
    app.worker_main(["worker", *_POOL[workload], *quiet])
