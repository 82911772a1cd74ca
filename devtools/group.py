"""Several child processes that print under their names and are stopped together."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

from devtools import children
from devtools.output import forward, say


class ProcessGroup:
    """The started Python processes by name.

    Args:
        folder: the folder they run in.
        stop_seconds: how long they may take to end after SIGTERM.
    """

    def __init__(self, folder: Path, stop_seconds: float = 30) -> None:
        self.folder = folder
        self.stop_seconds = stop_seconds
        self.members: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Start this Python with the arguments, and print what it prints."""
        child = children.start(
            [sys.executable, *arguments],
            death_signal=signal.SIGTERM,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self.folder,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        self.members[name] = child
        forward(child, name)
        return child

    def ended(self) -> tuple[str, int] | None:
        """Return the name and exit code of a child that has ended, if one has."""
        for name, child in self.members.items():
            code = child.poll()
            if code is not None:
                return name, code
        return None

    def stop(self) -> None:
        """Ask all to end at once, wait, and kill what is left; a second Ctrl-C ends the wait."""
        for child in self.members.values():
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
        try:
            for child in self.members.values():
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.wait(self.stop_seconds)
        except KeyboardInterrupt:
            say("stopping without waiting")
        for child in self.members.values():
            children.stop(child, signals=[])
