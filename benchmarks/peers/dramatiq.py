"""Dramatiq on Redis: processes of threads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks import stamps
from benchmarks.peers.catalog import BROKER, Peer, Send

PEER = Peer(
    requirements=("dramatiq[redis]>=2.2,<3",),
    broker="redis",
    left=("HLEN dramatiq:default.msgs",),
    processes={},
    configuration="its own command; drain and pick-up: 2 processes of 8 threads; naps: 2 of 25",
    durable="no: Redis without append-only file",
    results="no (a result backend would store them)",
    history="no",
    transactional="no",
    bulk=False,
)

_THREADS = {"drain": 8, "pickup": 8, "naps": 25}


def start() -> dict[str, Any]:
    """Set the broker up, as the command asks by this name, and return the actors."""
    import dramatiq
    from dramatiq.brokers.redis import RedisBroker

    dramatiq.set_broker(RedisBroker(url=os.environ[BROKER]))
    return {name: dramatiq.actor(run, actor_name=name) for name, run in stamps.HANDLERS.items()}


def prepare() -> None:
    """Redis needs nothing."""


@contextmanager
def sender() -> Iterator[Send]:
    actors = start()
    yield lambda task, number: actors[task].send(number)


def work(workload: str) -> None:
    from dramatiq import cli

    threads = str(_THREADS[workload])
    given = [f"{__name__}:start", "--processes", "2", "--threads", threads]
    cli.main(cli.make_argument_parser().parse_args(given))
