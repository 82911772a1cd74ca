"""An embedded PostgreSQL: starts in under a second, needs no installation, never outlives us."""

from __future__ import annotations

import contextlib
import hashlib
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Literal, Self
from urllib.parse import quote

from devtools import binaries, children, datafolder
from devtools.account import Account, reachable, state_folder
from devtools.errors import PostgresError
from devtools.sockets import SocketFolder

Mode = Literal["smart", "fast", "immediate", "kill"]
SIGNALS = {
    "smart": signal.SIGTERM,
    "fast": signal.SIGINT,
    "immediate": signal.SIGQUIT,
    "kill": signal.SIGKILL,
}
SETTINGS = {
    "listen_addresses": "",
    "log_timezone": "UTC",
    "max_connections": "200",
    "shared_buffers": "128MB",
    "timezone": "UTC",
    "unix_socket_permissions": "0700",
}
# Survives a crash of the server, though not of the machine. Not `synchronous_commit`: without
# it a crash of the server would lose commits, and tests of just that could not be believed.
FAST = {"fsync": "off", "full_page_writes": "off"}
LOG_BYTES = 10_000_000


class Postgres:
    """A server on a data folder: this process starts it, or joins one that already runs there.

    It ends with the process that started it. `with Postgres(folder) as server:` starts and stops.

    Args:
        data: the data folder; made at the first start. Root's server cannot use one below a
            private folder and keeps its data in the state folder instead, see `self.data`.
        port: a TCP port to listen on at 127.0.0.1, open to every user of the machine;
            None listens on a socket in a private folder only.
        settings: server settings over `SETTINGS`.
        sockets: the private folder for the socket; None for one in /tmp named after the data.

    Raises:
        PostgresError: there are no binaries, or no account to run them as.
    """

    def __init__(
        self,
        data: Path,
        *,
        port: int | None = None,
        settings: Mapping[str, str] | None = None,
        sockets: Path | None = None,
    ) -> None:
        self.account = Account.current()
        self.binaries = reachable(binaries.find(), self.account)
        self.port = port or 5432
        data = data.absolute()
        key = hashlib.sha256(str(data).encode()).hexdigest()[:12]
        self.data = self._reachable(data, key)
        self.log = self.data.with_name(self.data.name + ".log")
        # Short: the path of a socket has at most 103 bytes on some systems.
        sockets = sockets or Path(f"/tmp/.qforge-{self.account.uid}-{key}")  # noqa: S108 - made 0700
        self.sockets = SocketFolder(sockets, self.port, self.account)
        self.settings = SETTINGS | {"unix_socket_directories": str(sockets), "port": str(self.port)}
        if port:
            self.settings["listen_addresses"] = "127.0.0.1"
        self.settings |= settings or {}
        self.process: subprocess.Popen[bytes] | None = None

    def _reachable(self, data: Path, key: str) -> Path:
        data.parent.mkdir(parents=True, exist_ok=True)
        if self.account.dropped and not self.account.can("-x", data.parent):
            data = state_folder() / key / "data"
            data.parent.mkdir(exist_ok=True)
        return data

    def url(self, dbname: str = "postgres", *, tcp: bool = False) -> str:
        """Return a URL that psycopg and DATABASE_URL take; `tcp` needs a `port`."""
        host = "127.0.0.1" if tcp else quote(str(self.sockets.path), safe="")
        port = f":{self.port}" if tcp or self.port != 5432 else ""
        return f"postgres://postgres@{host}{port}/{dbname}"

    def running(self) -> bool:
        """Tell whether a server on this data folder takes connections."""
        return self.sockets.answers() and datafolder.status(self.data) == "ready"

    def start(self, timeout_seconds: float = 60) -> bool:
        """Start the server, or join the one that runs.

        Returns:
            True when this process now owns it, False when it joined.

        Raises:
            PostgresError: it does not start, or not in time.
        """
        with self.sockets.start_lock():
            end = time.monotonic() + timeout_seconds
            # One that is just stopping is waited for, not joined.
            while self.sockets.answers() and time.monotonic() < end:
                if datafolder.status(self.data) == "ready":
                    return False
                time.sleep(0.02)
            sync = self.settings.get("fsync") != "off"
            datafolder.ensure(self.data, self.binaries, self.account, sync=sync)
            datafolder.clear_stale_pid(self.data)
            self._launch(end)
        return True

    def stop(self, mode: Mode = "fast") -> None:
        """Stop the server if this process owns it.

        Args:
            mode: "fast" ends sessions and writes a checkpoint, "smart" waits for them,
                "immediate" crashes all processes, "kill" only the first one.
        """
        if self.process:
            first = (SIGNALS[mode], 30.0)
            children.stop(self.process, signals=[first, (signal.SIGQUIT, 10.0)])
        self.process = None

    def restart(self, mode: Mode = "fast", timeout_seconds: float = 60) -> None:
        """Stop in the given mode and start again, on the same socket and port.

        Raises:
            PostgresError: this process does not own the server, or it does not start again.
        """
        if not self.process:
            raise PostgresError("Only the process that started the server can restart it.")
        with self.sockets.start_lock():
            self.stop(mode)
            self._launch(time.monotonic() + timeout_seconds)

    def create_database(self, name: str) -> None:
        """Create a database unless it exists."""
        import psycopg
        from psycopg import sql

        with (
            psycopg.connect(self.url(), autocommit=True) as connection,
            contextlib.suppress(psycopg.errors.DuplicateDatabase),
        ):
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _launch(self, end: float) -> None:
        while True:
            started = self._spawn()
            while time.monotonic() < end and started.poll() is None:
                if self.running():
                    return
                time.sleep(0.02)
            code = children.stop(started, signals=[(signal.SIGQUIT, 10.0)])
            self.process = None
            tail = self.log.read_text(errors="replace")[-1500:]
            # Children of a killed server hold its shared memory for some moments more.
            if time.monotonic() >= end or "shared memory block" not in tail:
                raise PostgresError(f"PostgreSQL did not start (code {code}):\n{tail}")
            time.sleep(0.1)

    def _spawn(self) -> subprocess.Popen[bytes]:
        command = [str(self.binaries.folder / "postgres"), "-D", str(self.data)]
        for name, value in self.settings.items():
            command += ["-c", f"{name}={value}"]
        fresh = self.log.exists() and self.log.stat().st_size > LOG_BYTES
        with self.log.open("wb" if fresh else "ab") as log:
            self.process = children.start(
                command,
                death_signal=signal.SIGINT,
                user=(self.account.uid, self.account.gid) if self.account.dropped else None,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env=datafolder.server_environment(),
            )
        return self.process
