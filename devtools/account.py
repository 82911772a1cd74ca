"""The account PostgreSQL runs as: this one, or for root an unprivileged one."""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devtools.binaries import Binaries
from devtools.errors import PostgresError

STATE_VARIABLE = "EMBEDDED_PG_STATE"


@dataclass(frozen=True)
class Account:
    """A user and its group; `dropped` when root, who may not run a server, steps down to it."""

    uid: int
    gid: int
    dropped: bool

    @classmethod
    def current(cls) -> Account:
        """Return this process's account, or the existing one root steps down to.

        Raises:
            PostgresError: root finds no account to step down to. None is ever created.
        """
        if os.geteuid() != 0:
            return cls(os.geteuid(), os.getegid(), dropped=False)
        for name in ("postgres", "nobody"):
            try:
                entry = pwd.getpwnam(name)
            except KeyError:
                continue
            return cls(entry.pw_uid, entry.pw_gid, dropped=True)
        raise PostgresError(
            "PostgreSQL does not run as root, and there is neither a `postgres` nor a `nobody` "
            "account to run it as. Run as another user, or set DATABASE_URL."
        )

    def popen_options(self) -> dict[str, Any]:
        """Return the arguments that make `subprocess` start a program as this account."""
        if not self.dropped:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def can(self, *arguments: str | Path) -> bool:
        """Tell whether `test` with these arguments holds for the account."""
        try:
            done = subprocess.run(
                ["/bin/sh", "-c", 'test "$@"', "test", *arguments],
                cwd="/",
                check=False,
                **self.popen_options(),
            )
        except OSError as error:
            raise PostgresError(f"Cannot start a program as uid {self.uid}: {error}") from error
        return done.returncode == 0

    def make_private(self, folder: Path) -> None:
        """Make a 0700 folder of this account's, or take one that it already owns.

        Raises:
            PostgresError: it belongs to someone else, or is not a folder.
        """
        if not os.path.lexists(folder):
            # Under another name until it has its owner: someone else may look at any moment.
            made = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
            if self.dropped:
                os.chown(made, self.uid, self.gid)
            try:
                made.rename(folder)
            except OSError:
                made.rmdir()
        self.check_owner(folder)
        folder.chmod(0o700)

    def check_owner(self, folder: Path) -> None:
        """Raise PostgresError unless the path is a folder of this account's, and no link."""
        # Names in /tmp can be guessed: a stranger's folder must not be used.
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode):
            raise PostgresError(f"{folder} is in the way: it is not a folder.")
        if found.st_uid != self.uid:
            raise PostgresError(
                f"{folder} belongs to uid {found.st_uid}, but the server would run as uid "
                f"{self.uid}. Start as the user who made it, or remove it."
            )


def state_folder() -> Path:
    """Return root's own place for what its server account cannot reach elsewhere."""
    folder = Path(os.environ.get(STATE_VARIABLE) or "/var/lib/qforge")
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)
    return folder


def reachable(binaries: Binaries, account: Account) -> Binaries:
    """Return binaries the account can run: a copy, where a private folder hides these."""
    if not account.dropped or account.can("-x", binaries.folder / "postgres"):
        return binaries
    install = binaries.folder.parent
    package = install.parent
    target = state_folder() / f"binaries-{binaries.version}"
    if not target.exists():
        _copy(install, package, target)
    folder = target / package.name / install.name / "bin"
    return Binaries(binaries.source, folder, binaries.version)


def _copy(install: Path, package: Path, target: Path) -> None:
    work = Path(tempfile.mkdtemp(dir=target.parent))
    try:
        shutil.copytree(install, work / package.name / install.name, symlinks=True)
        libraries = package.with_name(package.name + ".libs")
        if libraries.is_dir():
            shutil.copytree(libraries, work / libraries.name, symlinks=True)
        for path in [work, *work.rglob("*")]:
            if not path.is_symlink():
                mode = path.stat().st_mode
                path.chmod(mode | (0o555 if path.is_dir() or mode & 0o100 else 0o444))
        work.rename(target)
    except OSError:
        # Another start may have put its copy there first; anything else is a real failure.
        shutil.rmtree(work, ignore_errors=True)
        if not target.exists():
            raise
