from __future__ import annotations

import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from devtools.postgres import Postgres
from tests.devtools import processes

pytestmark = pytest.mark.postgres

MARK = "DEV_TEST_RUN"


class Dev:
    """A running bin/dev, its output line by line, and all processes it brought up."""

    def __init__(self, state: Path, **variables: str) -> None:
        self.mark = uuid.uuid4().hex
        self.state = state
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        left_out = ("DATABASE_URL", "TEST_DATABASE_ENGINE", "DJANGO_SETTINGS_MODULE", "SECRET_KEY")
        inherited = {k: v for k, v in os.environ.items() if k not in left_out}
        own = {"DEV_STATE": str(state), "PORT": str(self.port), MARK: self.mark}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "devtools.dev"],
            cwd=processes.ROOT,
            env=inherited | own | {"WORKER_PROCESSES": "1", "WORKER_THREADS": "2"} | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.output: list[str] = []
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)

    def wait_for(self, text: str, seconds: float = 40) -> str:
        """Return the first line with a text; fails with the whole output when none comes."""
        while True:
            try:
                line = self._lines.get(timeout=seconds)
            except queue.Empty:
                raise AssertionError(f"no {text!r} in:\n{''.join(self.output)}") from None
            self.output.append(line)
            if text in line:
                return line

    def left(self) -> list[int]:
        """Return the ids of processes that still run."""
        return processes.with_variable(MARK, self.mark)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(45)
        assert self.process.stdout
        self.process.stdout.close()
        shutil.rmtree(Postgres(self.state / "postgres").sockets.path, ignore_errors=True)


@pytest.fixture
def dev(public_folder: Path) -> Iterator[Dev]:
    running = Dev(public_folder)
    yield running
    running.close()


@pytest.mark.process
@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGINT, marks=pytest.mark.long), signal.SIGTERM]
)
def test_a_signal_stops_everything_cleanly(dev: Dev, number: signal.Signals) -> None:
    dev.wait_for("ready: open")
    url = f"http://127.0.0.1:{dev.port}/admin/login/"
    with urllib.request.urlopen(url, timeout=10) as page:
        assert page.status == 200
    static = f"http://127.0.0.1:{dev.port}/static/admin/css/base.css"
    with urllib.request.urlopen(static, timeout=10) as page:
        assert page.headers["Content-Type"].startswith("text/css")
    assert (dev.state / "database-url").exists()

    dev.process.send_signal(number)
    assert dev.process.wait(45) == 0
    assert dev.left() == []
    assert not (dev.state / "database-url").exists()


@pytest.mark.long
@pytest.mark.process
def test_sigkill_leaves_no_process_behind(dev: Dev) -> None:
    dev.wait_for("ready: open")
    dev.process.kill()
    assert processes.wait_until(lambda: dev.left() == [], seconds=40), dev.left()


@pytest.mark.long
@pytest.mark.process
def test_when_one_process_ends_all_end_with_an_error(public_folder: Path) -> None:
    dev = Dev(public_folder, WORKER_THREADS="none")
    try:
        dev.wait_for("The workers process ended")
        assert dev.process.wait(45) == 1
        assert dev.left() == []
    finally:
        dev.close()


def test_a_taken_port_is_refused_before_anything_starts(public_folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        dev = Dev(public_folder, PORT=str(port))
        try:
            assert f"PORT={port + 1} bin/dev" in dev.wait_for("cannot be used")
            assert dev.process.wait(10) == 1
            assert list(public_folder.iterdir()) == []
        finally:
            dev.close()
