"""What handlers saw, in a file that only grows: it does not lean on the tables under test."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import os
import threading
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jobs import JobContext

VARIABLE = "EVIDENCE_FILE"


def write(path: str | Path, event: str, **fields: Any) -> None:
    """Append one line. Short appends of several processes do not mix."""
    # Of the clocks that all processes of a machine share, the one that nobody can shift.
    line = {"at": time.monotonic(), "pid": os.getpid(), "event": event} | fields
    _append(path, json.dumps(line).encode() + b"\n")


def _append(path: str | Path, line: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    try:
        os.write(handle, line)
    finally:
        os.close(handle)


def note(event: str, context: JobContext, **fields: Any) -> None:
    """Append a line about the job that a handler runs."""
    about = {"job": context.job_id, "attempt": context.attempt, "thread": threading.get_ident()}
    write(os.environ[VARIABLE], event, **about, **fields)


@contextlib.contextmanager
def run(context: JobContext, key: str) -> Iterator[None]:
    """The start and the end of a handler's work, however it ends but by the process's death."""
    # An attempt that was given back has its number again, so runs are told apart by their own.
    number = uuid.uuid4().hex
    note("start", context, key=key, run=number)
    try:
        yield
    finally:
        note("end", context, key=key, run=number)


def let_go(key: str) -> bool:
    """Whether the test has said `let_go(key)`."""
    return _line(key) in Path(os.environ[VARIABLE]).read_bytes()


def _line(key: str) -> bytes:
    return json.dumps({"event": "go", "key": key}).encode() + b"\n"


@dataclass(frozen=True)
class Run:
    """One attempt as its handler saw it."""

    job: int
    attempt: int
    key: str
    pid: int
    thread: int
    start: float
    end: float
    """Infinite for one that is still under way."""


class Evidence:
    """Reads the file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.touch()

    def died(self, pid: int) -> None:
        """Say that a process is gone, and with it whatever it ran."""
        write(self.path, "died", dead=pid)

    def let_go(self, key: str) -> None:
        """Lets `check.held` jobs of this key end."""
        _append(self.path, _line(key))

    def lines(self, event: str = "") -> list[dict[str, Any]]:
        """All lines, or those of one event; one that is just being written is left out."""
        text = self.path.read_text()
        found = [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]
        return [line for line in found if event in ("", line["event"])]

    def starts(self, key: str = "") -> list[dict[str, Any]]:
        return [line for line in self.lines("start") if key in ("", line["key"])]

    def ends(self, key: str = "") -> list[dict[str, Any]]:
        return [line for line in self.lines("end") if key in ("", line["key"])]

    def runs(self) -> list[Run]:
        """Every run in order of its start."""
        ends = {line["run"]: line["at"] for line in self.lines("end")}
        deaths = {line["dead"]: line["at"] for line in self.lines("died")}
        return [
            Run(
                job=line["job"],
                attempt=line["attempt"],
                key=line["key"],
                pid=line["pid"],
                thread=line["thread"],
                start=line["at"],
                end=ends.get(line["run"], deaths.get(line["pid"], math.inf)),
            )
            for line in self.starts()
        ]

    def assert_once_each(self, keys: int) -> None:
        """As many runs as keys: nothing was left out and nothing ran twice."""
        counts = Counter(line["key"] for line in self.starts())
        assert {key: n for key, n in counts.items() if n > 1} == {}
        assert len(counts) == keys

    def assert_no_overlap(self) -> None:
        """No two runs of one job at the same time."""
        by_job: dict[int, list[Run]] = defaultdict(list)
        for found in self.runs():
            by_job[found.job].append(found)
        for runs in by_job.values():
            for earlier, later in itertools.pairwise(runs):
                assert earlier.end <= later.start, f"two runs at once: {earlier} and {later}"
