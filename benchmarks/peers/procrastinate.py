"""Procrastinate: asynchronous workers, two statements a job, triggers that write events."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks import stamps
from benchmarks.peers.catalog import BROKER, Peer, Send, SendMany

PEER = Peer(
    requirements=("procrastinate>=3.10,<4", "psycopg[binary]>=3.2,<4"),
    broker="postgresql",
    left=("SELECT count(*) FROM procrastinate_jobs WHERE status IN ('todo', 'doing')",),
    tables=("procrastinate_jobs", "procrastinate_events", "procrastinate_workers"),
    processes={"drain": 2, "naps": 2},
    configuration="drain: 2 processes at concurrency 10; pick-up: 1 at 10; naps: 2 at 25; "
    "handlers are asynchronous",
    durable="yes",
    results="no",
    history="yes, by triggers",
    transactional="yes, on a connection that it is given",
    slow=True,
)

_CONCURRENCY = {"drain": 10, "pickup": 10, "naps": 25}


def _app(connector: Any) -> tuple[Any, dict[str, Any]]:
    from procrastinate import App

    app = App(connector=connector)
    tasks = {name: app.task(name=name)(run) for name, run in stamps.ASYNC_HANDLERS.items()}
    return app, tasks


@contextmanager
def _client() -> Iterator[tuple[Any, dict[str, Any]]]:
    from procrastinate import SyncPsycopgConnector

    app, tasks = _app(SyncPsycopgConnector(conninfo=os.environ[BROKER]))
    with app.open():
        yield app, tasks


def prepare() -> None:
    with _client() as (app, _):
        app.schema_manager.apply_schema()


@contextmanager
def sender() -> Iterator[Send]:
    with _client() as (_, tasks):
        yield lambda task, number: tasks[task].defer(number=number)


@contextmanager
def bulk_sender() -> Iterator[SendMany]:
    with _client() as (_, tasks):
        yield lambda task, numbers: _send_many(tasks[task], numbers)


def _send_many(task: Any, numbers: range) -> None:
    for start in range(0, len(numbers), 1000):
        part = numbers[start : start + 1000]
        task.batch_defer(*({"number": number} for number in part))


def work(workload: str) -> None:
    asyncio.run(_work(_CONCURRENCY[workload]))


async def _work(concurrency: int) -> None:
    from procrastinate import PsycopgConnector

    app, _ = _app(PsycopgConnector(conninfo=os.environ[BROKER]))
    async with app.open_async():
        await app.run_worker_async(concurrency=concurrency)
