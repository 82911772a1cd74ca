"""A PostgreSQL for one run of the tests: fast, and gone afterwards with all its files."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from devtools.postgres import FAST, Postgres

FOLDERS = Path("/tmp")  # noqa: S108 - each folder in it is made by mkdtemp
PREFIX = "qforge-pg-"


@contextlib.contextmanager
def ephemeral(
    *, port: int | None = None, settings: Mapping[str, str] | None = None
) -> Iterator[Postgres]:
    """Start a server on an empty data folder, and remove both at the end.

    Args:
        port: as for `Postgres`.
        settings: server settings over the fast ones, with which data survives a crash of the
            server, but not one of the machine.

    Raises:
        PostgresError: it does not start.
    """
    remove_leftovers()
    folder, lock = _locked_folder()
    try:
        chosen = FAST | dict(settings or {})
        with Postgres(folder / "data", port=port, settings=chosen, sockets=folder / "s") as server:
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def remove_leftovers() -> None:
    """Remove the folders of runs that were killed: those whose lock nobody holds."""
    for folder in FOLDERS.glob(PREFIX + "*"):
        try:
            lock = os.open(folder / "lock", os.O_RDWR | os.O_NOFOLLOW)
        except OSError:
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue
        finally:
            os.close(lock)


def _locked_folder() -> tuple[Path, int]:
    # Locked under another name first: a name with the prefix and no lock is a leftover.
    made = Path(tempfile.mkdtemp(prefix="qforge-new-", dir=FOLDERS))
    made.chmod(0o755)
    lock = os.open(made / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    return made.rename(made.with_name(made.name.replace("qforge-new-", PREFIX))), lock
