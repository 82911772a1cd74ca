"""One peer under the workloads, through processes in its environment."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from benchmarks import measures, stamps
from benchmarks.peers import environments
from benchmarks.peers.brokers import Broker
from benchmarks.peers.catalog import BROKER, Peer
from benchmarks.scale import Scale
from devtools import children

ROOT: Final = Path(__file__).resolve().parents[2]
_HIDDEN: Final = ("DATABASE_URL", "DJANGO_SETTINGS_MODULE", "PYTHONPATH", "PYTHONHOME")


class Bench:
    """A peer that is installed and whose broker is ready.

    Raises:
        NotInstalled: pip could not install it.
        RuntimeError: it failed, when made or in a workload; the text is the end of its output.
    """

    def __init__(self, name: str, peer: Peer, broker: Broker) -> None:
        self.name = name
        self.peer = peer
        self.broker = broker
        self.python = environments.ensure(name, peer)
        self.versions = environments.versions(self.python, peer)
        self._run("prepare")

    def measure(self, workload: str, scale: Scale) -> dict[str, float]:
        """Figures by the names of `measures`; none for a workload that is QForge's alone."""
        measured = {
            "enqueue": self._enqueue,
            "drain": self._drain,
            "pickup": self._pickup,
            "naps": self._naps,
        }.get(workload)
        if measured is None:
            return {}
        self.broker.empty()
        return measured(scale)

    def _enqueue(self, scale: Scale) -> dict[str, float]:
        count = scale.enqueue_single
        figures = {measures.ONE_BY_ONE: count / self._run("one-by-one", "noop", count)}
        if self.peer.bulk:
            self.broker.empty()
            count = scale.enqueue_bulk
            figures[measures.IN_BULK] = count / self._run("in-bulk", "noop", count)
        return figures

    def _drain(self, scale: Scale) -> dict[str, float]:
        count = scale.drain // 4 if self.peer.slow else scale.drain
        self._fill("noop", count)
        left = (lambda: self.broker.left(self.peer.left)) if self.peer.left else None
        with self._workers("drain") as path:
            return measures.drained(path, count, left)

    def _pickup(self, scale: Scale) -> dict[str, float]:
        with self._workers("pickup") as path:
            time.sleep(2)
            asked = dict(self._run("pickup", scale.pickups))
            found = stamps.wait_for(path, len(asked) + 1)
        return measures.waits(found, asked)

    def _naps(self, scale: Scale) -> dict[str, float]:
        count = scale.naps // 5 if self.peer.slow else scale.naps
        self._fill("nap", count)
        with self._workers("naps") as path:
            return measures.napped(stamps.wait_for(path, 2 * count))

    def _fill(self, task: str, count: int) -> None:
        self._run("in-bulk" if self.peer.bulk else "one-by-one", task, count)
        self.broker.settle()

    @contextmanager
    def _workers(self, workload: str) -> Iterator[Path]:
        """Worker processes with a file for their stamps; what they print is shown if they fail."""
        with tempfile.TemporaryDirectory(prefix="qforge-peer-") as folder:
            path, log = Path(folder, "stamps"), Path(folder, "log")
            path.touch()
            environment = self._environment() | {stamps.VARIABLE: str(path)}
            started = []
            try:
                with log.open("wb") as output:
                    for _ in range(self.peer.processes.get(workload, 1)):
                        started.append(
                            children.start(
                                self._command("work", workload),
                                death_signal=signal.SIGTERM,
                                cwd=ROOT,
                                env=environment,
                                stdout=output,
                                stderr=output,
                            )
                        )
                yield path
            except RuntimeError as error:
                tail = log.read_text(encoding="utf-8", errors="replace")[-800:]
                raise RuntimeError(f"{error}\n{tail}".strip()) from error
            finally:
                for process in started:
                    children.stop(process, signals=[(signal.SIGTERM, 10.0)])

    def _run(self, verb: str, *arguments: object) -> Any:
        """The last line that the peer's process prints, as JSON; None when it prints nothing."""
        command = self._command(verb, *arguments)
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=self._environment(),
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{self.name} {verb}: {done.stderr.strip()[-800:]}")
        lines = done.stdout.splitlines()
        return json.loads(lines[-1]) if lines else None

    def _command(self, *words: object) -> list[str]:
        return [str(self.python), "-m", "benchmarks.peers.child", self.name, *map(str, words)]

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in _HIDDEN}
        return kept | {BROKER: self.broker.url}
