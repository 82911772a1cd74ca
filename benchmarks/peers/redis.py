"""A Redis for the time of the measurements, on a socket in a private folder."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from devtools import children

MISSING: Final = "not run: no redis-server"


class Redis:
    """A running server, asked by the inline form of its protocol."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.url = f"unix://{path}"

    def ask(self, command: str) -> str:
        """The reply to a command whose reply is one line. Raises RuntimeError for an error."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(60)
            connection.connect(str(self.path))
            connection.sendall(command.encode() + b"\r\n")
            with connection.makefile("rb") as answers:
                reply = answers.readline().decode().strip()
        if not reply or reply[0] == "-":
            raise RuntimeError(f"Redis answered {reply!r} to {command}")
        return reply[1:]


def program() -> str | None:
    """The path of `redis-server`, if it is on PATH."""
    return shutil.which("redis-server")


@contextmanager
def running(folder: Path) -> Iterator[Redis]:
    """A server whose socket is in `folder`; nothing is written to disk. Needs `program()`."""
    path = folder / "redis.sock"
    command = [program() or "redis-server", "--port", "0", "--unixsocket", str(path)]
    command += ["--save", "", "--appendonly", "no", "--dir", str(folder)]
    process = children.start(
        command, death_signal=signal.SIGKILL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        server = Redis(path)
        _wait(server)
        yield server
    finally:
        children.stop(process, signals=[(signal.SIGTERM, 10.0)])


def _wait(server: Redis, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            server.ask("PING")
        except OSError as error:
            if time.monotonic() > end:
                raise RuntimeError("redis-server did not start") from error
            time.sleep(0.02)
        else:
            return


def version() -> str:
    """What `redis-server --version` says of itself: `v=7.0.15`."""
    done = subprocess.run(
        [program() or "", "--version"], capture_output=True, text=True, check=True
    )
    return next((word[2:] for word in done.stdout.split() if word.startswith("v=")), "unknown")
