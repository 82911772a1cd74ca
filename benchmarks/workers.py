"""Worker processes under measurement, and the plain loop they are compared with."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks import stamps
from benchmarks.database import execute

ROOT = Path(__file__).resolve().parent.parent


def drain(*arguments: str) -> None:
    """Run workers until the queue is empty. Raises CalledProcessError when they fail."""
    command = [sys.executable, "manage.py", "run_job_workers", "--drain", "--quiet", *arguments]
    subprocess.run(command, cwd=ROOT, check=True, timeout=600)


def drain_plainly(threads: int) -> None:
    """The same by one job a transaction, as the textbook has it."""
    command = [sys.executable, "-m", "benchmarks.plain_loop", str(threads)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=600)


def jobs_per_second() -> float:
    """From the first start to the last finish, by the database's clock."""
    rows = execute(
        "SELECT count(*), extract(epoch FROM max(finished_at) - min(started_at)), "
        "count(*) FILTER (WHERE status <> 'succeeded') FROM jobs"
    )
    count, seconds, unfinished = rows[0]
    if unfinished:
        raise RuntimeError(f"{unfinished} of {count} jobs did not succeed")
    return float((count - 1) / float(seconds))


@contextmanager
def stamp_file() -> Iterator[Path]:
    """A new file for the stamps of the workers that are started meanwhile."""
    with tempfile.NamedTemporaryFile(prefix="qforge-stamps-") as file:
        os.environ[stamps.VARIABLE] = file.name
        try:
            yield Path(file.name)
        finally:
            del os.environ[stamps.VARIABLE]


@contextmanager
def pool(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A pool that works until the block ends."""
    command = [sys.executable, "manage.py", "run_job_workers", "--quiet", *arguments]
    process = subprocess.Popen(command, cwd=ROOT)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(40)


@contextmanager
def idle_pool(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A pool that waits for work; it has been idle for two seconds when this yields."""
    with pool(*arguments) as process:
        end = time.monotonic() + 30
        while not execute("SELECT 1 FROM job_workers") and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(2)
        yield process


def cpu_seconds(pid: int) -> float:
    """User and system time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
