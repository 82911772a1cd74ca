"""What a peer is, and which there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from importlib import import_module
from typing import Final, Literal, Protocol, cast

NAMES: Final = (
    "procrastinate",
    "django-tasks-db",
    "celery",
    "rq",
    "dramatiq",
    "huey",
    "pgqueuer",
)

BROKER: Final = "BENCHMARK_BROKER"
"""The environment variable with the address of a peer's own database or Redis."""

Send = Callable[[str, int], object]
"""Enqueue one job: the task's name (a key of `stamps.HANDLERS`) and the job's number."""

SendMany = Callable[[str, range], object]
"""Enqueue many jobs of one task in few calls."""


@dataclass(frozen=True, kw_only=True)
class Peer:
    """A queue and how it is run; the words stand in the report."""

    requirements: tuple[str, ...]
    """For pip, the peer's own distribution first."""
    broker: Literal["postgresql", "redis"]
    left: tuple[str, ...]
    """Queries of the broker whose sum is the number of unfinished jobs; none: it cannot say."""
    configuration: str
    durable: str
    results: str
    history: str
    transactional: str
    tables: tuple[str, ...] = ()
    """Of a peer on PostgreSQL, emptied before each workload."""
    processes: Mapping[str, int] = field(default_factory=lambda: {"drain": 2})
    """Worker processes by workload, 1 where it is not named."""
    bulk: bool = True
    slow: bool = False
    """It gets a quarter of the jobs, and a fifth of those that sleep."""


class Driver(Protocol):
    """The module of a peer; its functions run in the peer's environment."""

    PEER: Peer

    def prepare(self) -> None:
        """Set up what the broker needs, once."""

    def sender(self) -> AbstractContextManager[Send]:
        """A connected client."""

    def bulk_sender(self) -> AbstractContextManager[SendMany]:
        """A connected client that enqueues in bulk; only where `PEER.bulk`."""

    def work(self, workload: str) -> None:
        """Be one worker process until SIGTERM."""


def driver(name: str) -> Driver:
    """The module of a peer, by one of `NAMES`."""
    return cast(Driver, import_module(f"benchmarks.peers.{name.replace('-', '_')}"))


def named(given: str) -> list[str]:
    """The peers of a comma-separated list, each once; "all" names all, an empty one none.

    Raises:
        ValueError: a name is no peer's.
    """
    names = [*NAMES] if given == "all" else [name.strip() for name in given.split(",")]
    names = [name for name in dict.fromkeys(names) if name]
    if unknown := sorted(set(names) - set(NAMES)):
        raise ValueError(f"unknown: {', '.join(unknown)}; there are {', '.join(NAMES)}")
    return names


def descriptions(names: list[str]) -> Iterator[tuple[str, Peer]]:
    return ((name, driver(name).PEER) for name in names)
