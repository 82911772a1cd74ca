"""Worker processes: `manage.py run_job_workers` as users start it, and what they said."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from devtools import children
from tests.support import evidence
from tests.support.evidence import Evidence
from tests.support.waiting import wait_until

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = "tests.process_app.settings"
# Much shorter than anybody would have them, so that tests need not wait. But for the lease: a
# machine that is busy with other tests must not take a living job from its worker.
QUICK = {
    "QFORGE_LEASE_SECONDS": "30",
    "QFORGE_HEARTBEAT_SECONDS": "0.5",
    "QFORGE_POLL_SECONDS": "0.2",
    "QFORGE_RESCUE_SECONDS": "0.3",
    "QFORGE_PROMOTE_SECONDS": "0.5",
    "QFORGE_GRACE_SECONDS": "5",
}


SHORT_LEASE = {"QFORGE_LEASE_SECONDS": "2", "QFORGE_HEARTBEAT_SECONDS": "0.3"}


class Worker:
    """One started command. Its pools, when it has several, are its children."""

    def __init__(
        self, process: subprocess.Popen[bytes], log: Path, evidence: Evidence, pools: int
    ) -> None:
        self.pid = process.pid
        self._process = process
        self._log = log
        self._evidence = evidence
        self._pools = pools

    def output(self) -> str:
        """All it has written, to either stream."""
        return self._log.read_text(errors="replace")

    def said(self, event: str) -> list[dict[str, Any]]:
        """Its log lines of one event."""
        lines = [line for line in self.output().splitlines() if line.startswith("{")]
        return [line for text in lines if (line := json.loads(text))["event"] == event]

    def wait_started(self) -> None:
        """Return once all its pools claim jobs."""
        started = "worker.started"
        wait_until(lambda: len(self.said(started)) >= self._pools or not self.alive(), seconds=60)
        assert self.alive(), self.output()

    def alive(self) -> bool:
        return self._process.poll() is None

    def pools(self) -> list[int]:
        """The ids of the processes of its living pools, itself when it runs its pool alone."""
        found = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        spawned = [int(pid) for pid in found if b"spawn_main" in _command(int(pid))]
        return spawned if self._pools > 1 else [self.pid]

    def signal(self, number: int) -> None:
        self._process.send_signal(number)

    def wait(self, seconds: float = 20) -> int:
        """Its exit code; fails the test when it does not end in time."""
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"still running after {seconds:g} s:\n{self.output()}") from None
        self._evidence.died(self.pid)
        return code

    def stop(self, seconds: float = 20) -> int:
        """SIGTERM, then its exit code."""
        self.signal(signal.SIGTERM)
        return self.wait(seconds)

    def kill(self) -> None:
        """SIGKILL for it and all its pools."""
        pids = [*self.pools(), self.pid] if self.alive() else [self.pid]
        # Its own session, so its own group; gone if it ended just now.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
        for pid in pids:
            wait_until(lambda pid=pid: not exists(pid))  # type: ignore[misc]
            self._evidence.died(pid)

    def kill_pool(self, pid: int) -> None:
        """SIGKILL for one pool of a supervisor."""
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not exists(pid))
        self._evidence.died(pid)


class Workers:
    """Starts commands for one test, and leaves none behind."""

    def __init__(self, folder: Path, database: str, evidence: Evidence) -> None:
        self.folder = folder
        self.database = database
        self.evidence = evidence
        self._started: list[Worker] = []

    def start(
        self,
        *arguments: str,
        processes: int = 1,
        threads: int = 4,
        wait: bool = True,
        runner: tuple[str, ...] = ("manage.py",),
        root: Path = ROOT,
        **environment: str,
    ) -> Worker:
        """Start `run_job_workers`; `environment` goes before what is usual in tests.

        `root` is the tree whose code it runs.
        """
        command = [sys.executable, *runner, "run_job_workers", "--log-format", "json"]
        command += ["--processes", str(processes), "--threads", str(threads), *arguments]
        log = self.folder / f"worker-{len(self._started)}.log"
        with log.open("wb") as out:
            process = children.start(
                command,
                death_signal=signal.SIGKILL,
                cwd=root,
                env=self.environment() | environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        worker = Worker(process, log, self.evidence, processes)
        self._started.append(worker)
        if wait:
            worker.wait_started()
        return worker

    def run(self, *arguments: str, processes: int = 1, **environment: str) -> tuple[int, str]:
        """Run the command until it ends by itself; its exit code and all it wrote."""
        worker = self.start(*arguments, processes=processes, wait=False, **environment)
        return worker.wait(40), worker.output()

    def through(self, port: int) -> None:
        """Commands started from now on reach the database by way of this port."""
        parts = urlsplit(self.database)
        user = parts.netloc.rpartition("@")[0]
        self.database = parts._replace(netloc=f"{user}@127.0.0.1:{port}").geturl()

    def environment(self) -> dict[str, str]:
        kept = {name: text for name, text in os.environ.items() if not name.startswith("QFORGE_")}
        return (
            kept
            | QUICK
            | {
                "DATABASE_URL": self.database,
                "DJANGO_SETTINGS_MODULE": SETTINGS,
                evidence.VARIABLE: str(self.evidence.path),
            }
        )

    def outputs(self) -> str:
        return "\n".join(worker.output() for worker in self._started)

    def close(self) -> None:
        for worker in self._started:
            if worker.alive():
                # A stopped process gets no other signal before it goes on; SIGKILL it always gets.
                worker.kill()


def slowness() -> float:
    """How many times as long as alone something may take now: other processes want the machine."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def exists(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def url_of(settings: Mapping[str, Any]) -> str:
    """The URL of a Django database."""
    user = quote(settings["USER"] or "", safe="")
    if settings["PASSWORD"]:
        user += ":" + quote(settings["PASSWORD"], safe="")
    address = quote(settings["HOST"] or "", safe="")
    if settings["PORT"]:
        address += f":{settings['PORT']}"
    return f"postgres://{user}@{address}/{settings['NAME']}"
