"""What bin/dev runs: the database, the migrations, the web server and the workers, as one.

Variables, also from `.env`: PORT (8000), DATABASE_URL (a server of yours instead of the embedded
one), TEST_DATABASE_ENGINE=sqlite, WORKER_PROCESSES (2), WORKER_THREADS (8).
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import environ

from devtools.errors import PostgresError
from devtools.group import ProcessGroup
from devtools.output import say
from devtools.postgres import Postgres

ROOT = Path(__file__).resolve().parent.parent
STATE = Path(os.environ.get("DEV_STATE") or ROOT / ".qforge")
URL_FILE = STATE / "database-url"
# Never another address: in DEBUG everyone who reaches the console may use it.
HOST = "127.0.0.1"
# The workers' own grace for running jobs is 25 s.
STOP_SECONDS = 30.0


class DevFailed(Exception):
    """It cannot go on; the text says why."""


class Stopping(threading.Event):
    """Set by the first SIGINT, SIGTERM or SIGHUP; the second one ends all at once."""

    def handle(self, number: int, frame: FrameType | None) -> None:
        if self.is_set():
            raise KeyboardInterrupt
        self.set()

    def install(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.handle)


def free_port(text: str) -> int:
    """Return the port that a text names; raises DevFailed when it is none, or taken."""
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise DevFailed(f"PORT={text} is not a port number.")
    port = int(text)
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            hint = f"Choose another port: PORT={port + 1} bin/dev"
            raise DevFailed(f"{HOST}:{port} cannot be used: {error.strerror}. {hint}") from error
    return port


@contextlib.contextmanager
def database() -> Iterator[None]:
    """Set DATABASE_URL to the embedded server, unless the environment names a database.

    Raises:
        DevFailed: the embedded server does not start.
    """
    if os.environ.get("DATABASE_URL") or os.environ.get("TEST_DATABASE_ENGINE") == "sqlite":
        say("using the database that the environment names")
        yield
        return
    try:
        server = Postgres(STATE / "postgres")
        owned = server.start()
        server.create_database("qforge")
    except (PostgresError, OSError) as error:
        raise DevFailed(str(error)) from error
    say(f"PostgreSQL {server.binaries.version} {'started' if owned else 'joined'}: {server.data}")
    os.environ["DATABASE_URL"] = server.url("qforge")
    try:
        # The settings read it, so that manage.py in another terminal finds this database.
        URL_FILE.write_text(os.environ["DATABASE_URL"] + "\n", encoding="utf-8")
        yield
    finally:
        if owned:
            URL_FILE.unlink(missing_ok=True)
        server.stop()


def migrate(stopping: Stopping) -> None:
    """Migrate in a process of its own; raises DevFailed when it fails."""
    steps = ProcessGroup(ROOT, STOP_SECONDS)
    try:
        child = steps.start("migrate", "-m", "config.migrate", "--wait-seconds", "15")
        while child.poll() is None:
            if stopping.wait(0.1):
                return
        if child.returncode:
            raise DevFailed(f"The migrations failed (code {child.returncode}).")
    finally:
        steps.stop()


def serve(port: int, stopping: Stopping) -> None:
    """Run the web server and the workers until told to stop; raises DevFailed if one ends."""
    web = ["-m", "uvicorn", "config.asgi:application", "--host", HOST, "--port", str(port)]
    # Live streams never end by themselves.
    web += ["--no-access-log", "--lifespan", "off", "--timeout-graceful-shutdown", "3"]
    workers = ["manage.py", "run_job_workers"]
    workers += ["--processes", os.environ.get("WORKER_PROCESSES", "2")]
    workers += ["--threads", os.environ.get("WORKER_THREADS", "8")]
    processes = ProcessGroup(ROOT, STOP_SECONDS)
    try:
        processes.start("web", *web)
        processes.start("workers", *workers)
        told = False
        while not stopping.wait(0.2):
            ended = processes.ended()
            if ended:
                raise DevFailed("The {} process ended (code {}).".format(*ended))
            if not told and _accepts(port):
                say(f"ready: open http://{HOST}:{port}/ or /api/docs/ there; Ctrl-C stops it all")
                told = True
    finally:
        say("stopping")
        processes.stop()


def _accepts(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((HOST, port)) == 0


def main(arguments: list[str] | None = None) -> int:
    """Run until stopped; returns 0 after a stop that was asked for, 1 after a failure."""
    parser = argparse.ArgumentParser(
        prog="bin/dev", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.parse_args(arguments)
    environ.Env.read_env(ROOT / ".env")
    os.environ.setdefault("DEBUG", "true")
    stopping = Stopping()
    stopping.install()
    started = time.monotonic()
    try:
        port = free_port(os.environ.get("PORT", "8000"))
        with database():
            migrate(stopping)
            if not stopping.is_set():
                serve(port, stopping)
    except DevFailed as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        return 130
    say(f"stopped after {time.monotonic() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
