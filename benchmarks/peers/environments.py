"""A virtual environment for each peer, made when it is first asked for."""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
import venv
from pathlib import Path
from typing import Final

from benchmarks.peers.catalog import Peer

FOLDER: Final = Path(__file__).resolve().parents[2] / ".qforge" / "peers"


class NotInstalled(Exception):
    """pip could not install a peer; the text is the end of what it said."""


def ensure(name: str, peer: Peer, folder: Path = FOLDER) -> Path:
    """Return the Python of the peer's environment, with the requirements installed.

    Raises:
        NotInstalled: pip failed.
    """
    home = folder / name
    python = home / "bin" / "python"
    # Written last, so that an installation which was cut off is begun anew.
    stamp = home / "requirements"
    if python.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == wanted(peer):
        return python
    print(f"Installing {name} into {home} …", flush=True)
    shutil.rmtree(home, ignore_errors=True)
    venv.create(home, with_pip=True)
    command = [str(python), "-m", "pip", "install", "--quiet", *peer.requirements]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotInstalled(f"pip failed: {done.stderr.strip()[-500:]}")
    stamp.write_text(wanted(peer), encoding="utf-8")
    return python


def wanted(peer: Peer) -> str:
    """What an environment was made for."""
    return "\n".join([platform.python_version(), *peer.requirements])


def versions(python: Path, peer: Peer) -> dict[str, str]:
    """Installed versions: Python's, those of the requirements and of the broker's client."""
    command = [str(python), "-m", "pip", "list", "--format", "json", "--disable-pip-version-check"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    installed = {one["name"].lower(): one["version"] for one in json.loads(done.stdout)}
    asked = [distribution(requirement) for requirement in peer.requirements]
    names = dict.fromkeys([*asked, "asyncpg", "psycopg", "redis"])
    return {name: installed[name] for name in names if name in installed}


def distribution(requirement: str) -> str:
    """The name in a requirement: `celery[redis]>=5.7,<6` is of `celery`."""
    return re.split(r"[\[<>=!~; ]", requirement, maxsplit=1)[0].lower()
