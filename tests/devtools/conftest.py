from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def folder_for_all() -> Iterator[Path]:
    """A folder that every account can enter; pytest's own is private."""
    folder = Path(tempfile.mkdtemp(prefix="qforge-test-", dir="/tmp"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def public_folder() -> Iterator[Path]:
    with folder_for_all() as folder:
        yield folder


@pytest.fixture(scope="module")
def shared_folder() -> Iterator[Path]:
    """One for all tests of a module: making a data folder takes a second, starting it none."""
    with folder_for_all() as folder:
        yield folder
