"""Files of the demo under MEDIA_ROOT: written whole or not at all, and never outside of it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from django.core.exceptions import SuspiciousFileOperation
from django.core.files.storage import FileSystemStorage

from jobs import PermanentError


def media_path(name: str) -> Path:
    """Path of the file `name`, which is relative to MEDIA_ROOT.

    Raises PermanentError for a name that leads out of MEDIA_ROOT.
    """
    try:
        path = Path(FileSystemStorage().path(name))
    except SuspiciousFileOperation:
        path = None
    if path is None or "\0" in name:
        raise PermanentError(f"{name!r:.200} is not a file name inside MEDIA_ROOT")
    return path


def write(name: str, data: bytes) -> Path:
    """Write a file whole, over what had this name; readers see the old or the new one."""
    path = media_path(name)
    os.replace(_temporary(path, data), path)
    return path


def write_once(name: str, data: bytes) -> bool:
    """Write a file whole unless one of this name exists; returns whether it was written."""
    path = media_path(name)
    temporary = _temporary(path, data)
    try:
        # A link, since a rename would silently replace what another writer has just put there.
        os.link(temporary, path)
    except FileExistsError:
        return False
    finally:
        os.unlink(temporary)
    return True


def _temporary(path: Path, data: bytes) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        # mkstemp's 0600 would hide the file from a web server under another user.
        os.fchmod(file.fileno(), 0o644)
    return name
