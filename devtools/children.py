"""Child processes that do not outlive their parent, however it ends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from devtools import bound

# Linux sends the death signal when the *thread* that started the child ends, so one thread, which
# lives as long as the process, starts them all.
_starter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="devtools-children")
_watchers: dict[int, tuple[subprocess.Popen[bytes], int]] = {}


def start(
    command: Sequence[str | Path],
    *,
    death_signal: signal.Signals,
    user: tuple[int, int] | None = None,
    **options: Any,
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own that gets a signal when this process ends.

    Args:
        command: the program, by its full path, and its arguments.
        death_signal: what it gets when this process ends, a SIGKILL included.
        user: the uid and gid to run as, from root; None keeps them.
        options: passed to `subprocess.Popen`.

    Raises:
        OSError: the process cannot be started. A missing program ends with code 127 instead.
    """
    uid, gid = user or (-1, -1)
    wrapped = [sys.executable, "-I", "-S", bound.__file__]
    wrapped += map(str, [int(death_signal), os.getpid(), uid, gid, *command])
    # Its own session: a Ctrl-C in the terminal reaches only this process.
    options["start_new_session"] = True
    child = _starter.submit(_popen, wrapped, options).result()
    if sys.platform != "linux":
        _watch_from_outside(child, death_signal)
    return child


def _popen(command: list[str], options: dict[str, Any]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, **options)


def _watch_from_outside(child: subprocess.Popen[bytes], death_signal: signal.Signals) -> None:
    """Where the kernel has no death signal: a shell waits for our end of a pipe to close."""
    watched, held = os.pipe()
    script = f"read -r _; kill -{int(death_signal)} {child.pid} 2>/dev/null"
    watcher = subprocess.Popen(["/bin/sh", "-c", script], stdin=watched, start_new_session=True)
    os.close(watched)
    _watchers[child.pid] = watcher, held


def stop(child: subprocess.Popen[bytes], *, signals: Sequence[tuple[signal.Signals, float]]) -> int:
    """End a child: each signal in turn with its seconds to react, then SIGKILL for its group.

    Returns:
        The child's exit code, negative for a signal.
    """
    for number, seconds in signals:
        if child.poll() is None:
            child.send_signal(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(seconds)
    if child.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
    code = child.wait()
    if child.pid in _watchers:
        watcher, held = _watchers.pop(child.pid)
        watcher.kill()
        watcher.wait()
        os.close(held)
    return code
