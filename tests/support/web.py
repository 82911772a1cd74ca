"""The demo project under uvicorn, in a process of its own, on the tests' database."""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import connections

from tests.support.processes import ROOT, url_of
from tests.support.waiting import wait_until


class WebServer:
    """A started server."""

    def __init__(self, process: subprocess.Popen[bytes], port: int, log: Path) -> None:
        self.process = process
        self.port = port
        self._log = log
        self._opened: list[http.client.HTTPConnection] = []
        self._readers: list[Reader] = []

    def output(self) -> str:
        return self._log.read_text(errors="replace")

    def answers(self) -> bool:
        assert self.process.poll() is None, self.output()
        try:
            return self.get("/healthz/").status == 200
        except OSError:
            return False

    def get(self, path: str, **headers: str) -> http.client.HTTPResponse:
        """The answer, its body still to be read."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        self._opened.append(connection)
        connection.request("GET", path, headers=headers)
        return connection.getresponse()

    def follow(self, path: str, **headers: str) -> Reader:
        """Read a stream to its end, on a thread of its own."""
        reader = Reader(self.get(path, **headers))
        self._readers.append(reader)
        return reader

    def close(self) -> None:
        """Give up every connection to it."""
        for connection in self._opened:
            # A thread may be reading it: that ends first.
            with contextlib.suppress(OSError, AttributeError):
                connection.sock.shutdown(socket.SHUT_RDWR)
        for reader in self._readers:
            reader.join(10)
        for connection in self._opened:
            connection.close()

    def stop(self, seconds: float = 10) -> int:
        """SIGTERM, then its exit code; fails the test when it does not end in time."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"still running after {seconds:g} s:\n{self.output()}") from None


class Reader(threading.Thread):
    """Reads one stream to its end."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        super().__init__(daemon=True)
        self.response = response
        self.lines: list[str] = []
        self.ended = threading.Event()
        self.start()

    def run(self) -> None:
        try:
            for line in self.response:
                self.lines.append(line.decode().rstrip("\n"))
        except (OSError, http.client.HTTPException, ValueError):
            pass
        finally:
            self.ended.set()

    def data(self) -> list[str]:
        return [line.removeprefix("data: ") for line in self.lines if line.startswith("data: ")]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def uvicorn(folder: Path, **environment: str) -> Iterator[WebServer]:
    """One server without login for the length of the block."""
    port = free_port()
    own: dict[str, Any] = {
        **os.environ,
        "DATABASE_URL": url_of(connections["default"].settings_dict),
        "DEBUG": "1",
        "SECRET_KEY": "for tests only",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--lifespan", "off"]
    log = folder / "uvicorn.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(port)],
            cwd=ROOT,
            env=own | environment,
            stdout=output,
            stderr=output,
        )
    server = WebServer(process, port, log)
    try:
        wait_until(server.answers, seconds=60)
        yield server
    finally:
        server.close()
        if process.poll() is None:
            process.kill()
        process.wait()
