"""The data folder of an embedded PostgreSQL: made whole or not at all, never another's."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from devtools.account import Account
from devtools.binaries import Binaries
from devtools.errors import PostgresError

POSTMASTER_FILE = "postmaster.pid"
STATUS_LINE = 7


def ensure(data: Path, binaries: Binaries, account: Account, *, sync: bool = True) -> None:
    """Make the data folder if it is not there yet.

    Args:
        data: the folder.
        binaries: the server it must fit.
        account: its owner.
        sync: wait until a new one is on the disk.

    Raises:
        PostgresError: it is of another major version, holds something else, is another user's,
            or cannot be made.
    """
    version_file = data / "PG_VERSION"
    if data.exists():
        account.check_owner(data)
    if version_file.exists():
        found = version_file.read_text().strip()
        if found != str(binaries.major):
            raise PostgresError(
                f"{data} was made by PostgreSQL {found}; the server here is {binaries.version}. "
                f"Dump it with {found} and restore it, or remove the folder to start afresh."
            )
        account.make_private(data)
        return
    unfinished = data / "_initdb"
    if data.exists() and not (unfinished.exists() or _is_empty(data)):
        raise PostgresError(f"{data} is not empty and not a data folder of PostgreSQL.")
    account.make_private(data)
    # PG_VERSION moves last, so a start that was cut off leaves a folder without one.
    for leftover in data.iterdir():
        shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()
    _initdb(unfinished, binaries, account, sync=sync)
    for path in sorted(unfinished.iterdir(), key=lambda path: path.name == "PG_VERSION"):
        path.rename(data / path.name)
    unfinished.rmdir()


def _is_empty(folder: Path) -> bool:
    return next(folder.iterdir(), None) is None


def _initdb(folder: Path, binaries: Binaries, account: Account, *, sync: bool) -> None:
    command = [binaries.folder / "initdb", "-D", folder, "-U", "postgres", "--auth=trust"]
    command += ["--encoding=UTF8", "--no-instructions"]
    if not sync:
        command.append("--no-sync")
    builtin = ["--locale-provider=builtin", "--locale=C.UTF-8"]
    command += builtin if binaries.major >= 17 else ["--locale=C"]
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        cwd="/",
        env=server_environment(),
        check=False,
        **account.popen_options(),
    )
    if done.returncode:
        raise PostgresError(f"initdb failed: {done.stderr.strip()[-1000:]}")


def server_environment() -> dict[str, str]:
    """Return this process's environment without what would change a server's behaviour."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PG", "LC_", "LANG"))}
    return kept | {"LC_ALL": "C"}


def status(data: Path) -> str:
    """Return what the server last wrote of itself: "ready", "starting", "stopping" or ""."""
    try:
        lines = (data / POSTMASTER_FILE).read_text().splitlines()
    except OSError:
        return ""
    return lines[STATUS_LINE].strip() if len(lines) > STATUS_LINE else ""


def clear_stale_pid(data: Path) -> None:
    """Let a server start although a dead one's process id now belongs to another program.

    PostgreSQL takes any live process of that id for the server. It ignores its own parent's id,
    so that is written in its place. The file stays: the shared memory it names is still checked.

    Raises:
        PostgresError: a server really runs on this folder, where we cannot reach it.
    """
    path = data / POSTMASTER_FILE
    try:
        lines = path.read_text().splitlines()
        pid = int(lines[0])
    except (OSError, ValueError, IndexError):
        return
    if _is_server_of(pid, data):
        raise PostgresError(
            f"A PostgreSQL server (process {pid}) runs on {data} but does not answer here. "
            f"Stop it first: kill -INT {pid}"
        )
    lines[0] = str(os.getpid())
    path.write_text("\n".join(lines) + "\n")


def _is_server_of(pid: int, data: Path) -> bool:
    if os.path.isdir("/proc/self"):
        try:
            return os.path.samefile(f"/proc/{pid}/cwd", data)
        except OSError:
            return False
    listed = subprocess.run(
        ["/bin/ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return re.search(r"postgres", listed.stdout) is not None and str(data) in listed.stdout
