"""A Django project in a folder and a virtual environment of its own, and what runs in it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from devtools import children
from devtools.hostprojects.errors import Unmet

_OURS: Final = ("DATABASE_URL", "DJANGO_SETTINGS_MODULE", "PYTHONPATH", "VIRTUAL_ENV")
_COMMAND_SECONDS: Final = 180


def databases(url: str, **more: Any) -> str:
    """The setting DATABASES for the server and the database of a URL, with more keys for it."""
    parts = urlsplit(url)
    default = {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.path.lstrip("/"),
        "USER": parts.username,
        "HOST": unquote(parts.hostname or ""),
        "PORT": parts.port or "",
    }
    return f"\nDATABASES = {{'default': {default | more!r}}}\n"


class HostProject:
    """A project at `folder`, whose commands find only the virtual environment at `environment`."""

    def __init__(self, folder: Path, environment: Path, links: Path) -> None:
        self.folder = folder
        self.environment = environment
        path = f"{environment / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        self.variables = {k: v for k, v in os.environ.items() if k not in _OURS}
        # Beside what pip finds anyway, the wheel that was built.
        found_at = f"{links.absolute()} {os.environ.get('PIP_FIND_LINKS', '')}".strip()
        self.variables |= {"PATH": path, "PIP_FIND_LINKS": found_at}
        self.variables |= {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}

    def make_environment(self) -> None:
        """Make the virtual environment, with pip alone in it."""
        command = [sys.executable, "-m", "venv", str(self.environment)]
        subprocess.run(command, check=True, timeout=_COMMAND_SECONDS)

    def run(
        self,
        *command: str,
        where: Path | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> str:
        """Run a command in the project's folder, or in `where`; returns what it printed.

        Raises:
            Unmet: it failed, with its last lines.
        """
        done = subprocess.run(
            command,
            cwd=where or self.folder,
            env=self.variables | dict(variables or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_COMMAND_SECONDS,
            check=False,
        )
        if done.returncode:
            raise Unmet(
                f"`{' '.join(command)}` ended with {done.returncode}:\n{done.stdout[-4000:]}"
            )
        return done.stdout

    def manage(self, *arguments: str, **variables: str) -> str:
        """Run `python manage.py`; as `run`."""
        return self.run("python", "manage.py", *arguments, variables=variables)

    def append(self, file: str, text: str) -> None:
        """Add lines to a file of the project, below its folder; makes the file and its folders."""
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as target:
            target.write(f"\n{text}")

    @contextlib.contextmanager
    def running(
        self, *command: str, variables: Mapping[str, str] | None = None
    ) -> Iterator[Program]:
        """A program that runs in the project's folder until the block ends."""
        log = self.folder.parent / f"{self.folder.name}-{time.monotonic_ns()}.log"
        with log.open("wb") as output:
            child = children.start(
                # It looks for the program on the PATH it is given, not on ours.
                ["/usr/bin/env", *command],
                death_signal=signal.SIGTERM,
                cwd=self.folder,
                env=self.variables | dict(variables or {}),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        program = Program(" ".join(command), child, log)
        try:
            yield program
        finally:
            program.stop()


class Program:
    """A program that was started, and what it has printed."""

    def __init__(self, name: str, child: subprocess.Popen[bytes], log: Path) -> None:
        self.name = name
        self._child = child
        self._log = log

    def printed(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace")

    def must_run(self) -> None:
        """Raises Unmet, with its last lines, when it has ended."""
        if self._child.poll() is not None:
            code = self._child.returncode
            raise Unmet(f"`{self.name}` ended with {code}:\n{self.printed()[-4000:]}")

    def stop(self) -> None:
        """End the program and all that it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._child.pid, signal.SIGTERM)
        children.stop(self._child, signals=[(signal.SIGTERM, 20.0)])
