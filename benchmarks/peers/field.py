"""The peers of a run: those that could be set up, and why the others were not run."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.peers import redis
from benchmarks.peers.bench import Bench
from benchmarks.peers.brokers import Database, InRedis
from benchmarks.peers.catalog import Peer, driver
from benchmarks.peers.environments import NotInstalled
from benchmarks.scale import Scale

_FAILURES = (RuntimeError, NotInstalled, OSError, subprocess.SubprocessError, psycopg.Error)


class Field:
    """Peers that take turns with QForge; one that fails leaves with its reason."""

    def __init__(self) -> None:
        self.benches: dict[str, Bench] = {}
        self.missing: dict[str, str] = {}
        """Names of peers without figures, or with fewer than the others, and why."""
        self.failed = False

    def add(self, name: str, peer: Peer, server: redis.Redis | None) -> None:
        if peer.broker == "redis" and server is None:
            self.missing[name] = redis.MISSING
            return
        try:
            broker = InRedis(server) if server else Database(name, peer.tables)
            self.benches[name] = Bench(name, peer, broker)
        except _FAILURES as error:
            self._leave(name, f"not run: {error}")

    def measure(self, name: str, workload: str, scale: Scale) -> dict[str, float]:
        """The figures of one peer; none once it has failed."""
        if name not in self.benches:
            return {}
        try:
            return self.benches[name].measure(workload, scale)
        except _FAILURES as error:
            self._leave(name, f"stopped at {workload}: {error}")
            return {}

    def facts(self) -> dict[str, Any]:
        """Versions, for the environment of a report."""
        found: dict[str, Any] = {name: bench.versions for name, bench in self.benches.items()}
        if any(bench.peer.broker == "redis" for bench in self.benches.values()):
            found["redis-server"] = redis.version()
        return found

    def _leave(self, name: str, reason: str) -> None:
        print(f"{name}: {reason}", flush=True)
        self.benches.pop(name, None)
        self.missing[name] = reason
        self.failed = True


@contextmanager
def gathered(names: list[str], folder: Path) -> Iterator[Field]:
    """Set the named peers up, with a Redis in `folder` if one of them needs it and there is one."""
    field = Field()
    peers = {name: driver(name).PEER for name in names}
    with ExitStack() as stack:
        server = None
        if redis.program() and any(peer.broker == "redis" for peer in peers.values()):
            server = stack.enter_context(redis.running(folder))
        for name, peer in peers.items():
            field.add(name, peer, server if peer.broker == "redis" else None)
        yield field
