"""Passes on what child processes print, each line under its child's name."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from typing import IO

_lock = threading.Lock()


def say(text: str, *, name: str = "dev") -> None:
    """Print the lines of a text, each after the name."""
    # Nobody may be reading any more; the children must not stop for that.
    with _lock, contextlib.suppress(OSError, ValueError):
        for line in text.splitlines():
            sys.stdout.write(f"{name:<8}| {line}\n")
        sys.stdout.flush()


def forward(child: subprocess.Popen[bytes], name: str) -> None:
    """Start a thread that prints a child's output until it ends."""
    if child.stdout is None:
        raise ValueError("The child's output is not piped.")
    threading.Thread(target=_copy, args=(child.stdout, name), daemon=True).start()


def _copy(stream: IO[bytes], name: str) -> None:
    for line in stream:
        say(line.decode(errors="replace").rstrip("\r\n") or " ", name=name)
