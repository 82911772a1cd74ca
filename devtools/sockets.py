"""The private folder of a server's socket, which is also where starts wait for each other."""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from devtools.account import Account


@dataclass(frozen=True)
class SocketFolder:
    """A folder that only the server's account, and root, can enter."""

    path: Path
    port: int
    account: Account

    def answers(self) -> bool:
        """Tell whether a server accepts connections on the socket."""
        # Only a connection proves a server: the process id in a file may be anyone's by now.
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(2)
            return probe.connect_ex(str(self.path / f".s.PGSQL.{self.port}")) == 0

    @contextlib.contextmanager
    def start_lock(self) -> Iterator[None]:
        """Hold the lock under which servers are started; makes the folder.

        Raises:
            PostgresError: the folder is a stranger's.
        """
        self.account.make_private(self.path)
        lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)
