"""Looks at processes from outside."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def wait_until(holds: Callable[[], bool], seconds: float = 20) -> bool:
    """Tell whether a condition came to hold in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.05)
    return holds()


def alive(pid: int) -> bool:
    """Tell whether a process runs; one that ended and was not waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def with_variable(name: str, value: str) -> list[int]:
    """Return the ids of living processes that were started with an environment variable."""
    wanted = f"{name}={value}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            variables = (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if wanted in variables and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return [pid for pid in found if alive(pid)]


def run_python(program: str, *arguments: str | Path) -> subprocess.Popen[str]:
    """Start a Python program that can import the project's modules."""
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def kill(process: subprocess.Popen[str]) -> None:
    """End a process with SIGKILL, which it cannot see coming."""
    with process:
        process.send_signal(signal.SIGKILL)
