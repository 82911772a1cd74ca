"""The code of before a migration, from the history of the repository."""

from __future__ import annotations

import io
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from tests.support.processes import ROOT

_PARTS = ("jobs", "config", "demo", "devtools", "tests", "manage.py", "pyproject.toml")


def unpack_before(migration: str, folder: Path) -> Path:
    """The tree of the commit before the one that brought the migration; skips without history."""
    path = f"jobs/migrations/{migration}.py"
    found = _git("log", "--diff-filter=A", "--no-renames", "--format=%P", "-1", "--", path)
    before = found.decode().split()
    if not before:
        pytest.skip("the clone does not reach back to before the migration")
    with tarfile.open(fileobj=io.BytesIO(_git("archive", before[0], *_PARTS))) as archive:
        archive.extractall(folder, filter="data")
    return folder


def _git(*arguments: str) -> bytes:
    git = shutil.which("git")
    if git is None:
        return b""
    done = subprocess.run([git, *arguments], cwd=ROOT, capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else b""
