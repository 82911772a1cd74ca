"""What keeps a peer's jobs: a database of its own on the measured server, or Redis."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Protocol
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from benchmarks.peers.redis import Redis


class Broker(Protocol):
    url: str

    def empty(self) -> None:
        """Forget all jobs."""

    def settle(self) -> None:
        """Do now what the server would do at some moment during a drain."""

    def left(self, queries: Sequence[str]) -> int:
        """The sum of what the queries count."""


class Database:
    """A database named after the peer, beside QForge's on a new server."""

    def __init__(self, name: str, tables: Sequence[str]) -> None:
        self.name = "peer_" + name.replace("-", "_")
        self.tables = tables
        self.url = urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{self.name}"))
        identifier = sql.Identifier(self.name)
        with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(identifier))

    def empty(self) -> None:
        names = sql.SQL(", ").join(map(sql.Identifier, self.tables))
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(sql.SQL("TRUNCATE {} CASCADE").format(names))
        self.settle()

    def settle(self) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
            connection.execute("CHECKPOINT")

    def left(self, queries: Sequence[str]) -> int:
        with psycopg.connect(self.url, autocommit=True) as connection:
            return sum(_count(connection, query) for query in queries)


def _count(connection: psycopg.Connection[tuple[int]], query: str) -> int:
    row = connection.execute(query.encode()).fetchone()
    return int(row[0]) if row else 0


class InRedis:
    """The server's only database: peers take turns."""

    def __init__(self, server: Redis) -> None:
        self.server = server
        self.url = server.url

    def empty(self) -> None:
        self.server.ask("FLUSHALL SYNC")

    def settle(self) -> None:
        """Redis keeps nothing to settle."""

    def left(self, queries: Sequence[str]) -> int:
        return sum(int(self.server.ask(query)) for query in queries)
