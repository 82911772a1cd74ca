"""The database under measurement: a PostgreSQL of its own that keeps its promises."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from devtools.postgres import Postgres

# fsync, full_page_writes and synchronous_commit stay on.
_SETTINGS = {"shared_buffers": "512MB", "max_wal_size": "4GB"}


@contextmanager
def durable_server(folder: Path) -> Iterator[Postgres]:
    """A server with an empty database `bench`, its data below `folder`."""
    # The server of root runs as another account, which must reach its data.
    folder.chmod(0o755)
    with Postgres(folder / "data", settings=_SETTINGS) as server:
        server.create_database("bench")
        yield server
