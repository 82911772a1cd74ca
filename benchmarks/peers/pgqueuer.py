"""PgQueuer: asynchronous workers that claim and acknowledge in batches."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks import stamps
from benchmarks.peers.catalog import BROKER, Peer, Send, SendMany

PEER = Peer(
    requirements=("pgqueuer[asyncpg]>=1.6,<2", "psycopg[binary]>=3.2,<4"),
    broker="postgresql",
    left=("SELECT count(*) FROM pgqueuer",),
    tables=("pgqueuer", "pgqueuer_log", "pgqueuer_statistics"),
    configuration="asyncpg; drain: 2 processes, batches of 100; pick-up: batches of 10; "
    "naps: batches of 25, at most 50 at once; handlers are asynchronous",
    durable="yes",
    results="no",
    history="yes, a log of states; the job's row is deleted at its end",
    transactional="yes",
)

_RUN: dict[str, dict[str, int]] = {
    "drain": {"batch_size": 100},
    "pickup": {"batch_size": 10},
    "naps": {"batch_size": 25, "max_concurrent_tasks": 50},
}


def prepare() -> None:
    asyncio.run(_install())


async def _install() -> None:
    from pgqueuer.queries import Queries

    connection = await _connection()
    await Queries.from_asyncpg_connection(connection).install()
    await connection.close()


async def _connection() -> Any:
    import asyncpg

    return await asyncpg.connect(os.environ[BROKER])


@contextmanager
def sender() -> Iterator[Send]:
    import psycopg
    from pgqueuer.db import SyncPsycopgDriver
    from pgqueuer.queries import SyncQueries

    with psycopg.connect(os.environ[BROKER], autocommit=True) as connection:
        queries = SyncQueries(SyncPsycopgDriver(connection))
        yield lambda task, number: queries.enqueue(task, str(number).encode())


@contextmanager
def bulk_sender() -> Iterator[SendMany]:
    from pgqueuer.queries import Queries

    with asyncio.Runner() as runner:
        connection = runner.run(_connection())
        queries = Queries.from_asyncpg_connection(connection)
        yield lambda task, numbers: runner.run(_send_many(queries, task, numbers))
        runner.run(connection.close())


async def _send_many(queries: Any, task: str, numbers: range) -> None:
    for start in range(0, len(numbers), 1000):
        part = numbers[start : start + 1000]
        payloads = [str(number).encode() for number in part]
        await queries.enqueue([task] * len(part), payloads, [0] * len(part))


def work(workload: str) -> None:
    asyncio.run(_work(workload))


async def _work(workload: str) -> None:
    from pgqueuer import PgQueuer

    worker = PgQueuer.from_asyncpg_connection(await _connection())
    for name, handler in stamps.ASYNC_HANDLERS.items():
        worker.entrypoint(name)(_handler(handler))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.shutdown.set)
    await worker.run(**_RUN[workload])


def _handler(handler: Any) -> Any:
    async def run(job: Any) -> None:
        await handler(int(job.payload))

    return run
