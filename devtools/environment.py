"""Keeps the virtual environment in step with a requirements file. Standard library only."""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DEFAULT_FOLDER = ".venv"
PLAIN = "requirements"
SETS = tuple(f"{name}.txt" for name in (PLAIN, "requirements-dev", "requirements-docs"))


class SetupFailed(Exception):
    """The environment cannot be made; the text says what to do about it."""


def say(text: str) -> None:
    print(f"setup: {text}", file=sys.stderr, flush=True)


def fingerprint(requirements: Path) -> str:
    """Return the SHA-256 of a requirements file, what it includes, and pip's constraint file."""
    digest = hashlib.sha256()
    waiting = [requirements]
    constraint = os.environ.get("PIP_CONSTRAINT")
    if constraint:
        waiting.append(Path(constraint))
    while waiting:
        path = waiting.pop()
        text = path.read_text(encoding="utf-8")
        digest.update(text.encode())
        waiting += [path.parent / name for name in re.findall(r"(?m)^-r\s+(\S+)", text)]
    return digest.hexdigest()


def python_of(folder: Path) -> Path:
    return folder / "bin" / "python"


def version_of(folder: Path) -> str | None:
    """Return "major.minor" of the environment's Python, or None when it does not start."""
    program = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run(
            [python_of(folder), "-c", program], capture_output=True, text=True, check=False
        )
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def create(folder: Path) -> None:
    """Create an empty virtual environment.

    Raises:
        SetupFailed: this Python cannot make one.
    """
    version = "{}.{}".format(*sys.version_info[:2])
    say(f"creating {folder.name} with Python {version} ({sys.executable})")
    shutil.rmtree(folder, ignore_errors=True)
    done = subprocess.run(
        [sys.executable, "-m", "venv", folder], capture_output=True, text=True, check=False
    )
    if done.returncode:
        shutil.rmtree(folder, ignore_errors=True)
        raise SetupFailed(
            f"{sys.executable} cannot make a virtual environment:\n"
            f"{(done.stdout + done.stderr).strip()}\n"
            f"On Debian or Ubuntu: apt-get install python{version}-venv\n"
            "Or name another Python: PYTHON=/path/to/python3 bin/dev"
        )


def install(folder: Path, requirements: Path) -> None:
    """Install a requirements file.

    Raises:
        SetupFailed: pip failed; its own output is already on the terminal.
    """
    say(f"installing {requirements.name} into {folder.name}")
    command = [str(python_of(folder)), "-m", "pip", "install", "--quiet"]
    command += ["--disable-pip-version-check", "--no-input", "--requirement", str(requirements)]
    if subprocess.run(command, check=False, cwd=ROOT, stdout=sys.stderr).returncode:
        raise SetupFailed(f"pip could not install {requirements.name}; its message is above.")


def ensure(folder: Path, requirements: Path, *, same_python: bool) -> None:
    """Bring the environment in step with the requirements; does nothing when it is.

    Args:
        folder: where the environment is or will be.
        requirements: the file whose packages it must have.
        same_python: rebuild when it was made by another version than the running Python.

    Raises:
        SetupFailed: it cannot be made or filled.
    """
    running = "{}.{}".format(*sys.version_info[:2])
    found = version_of(folder)
    if found is None or (same_python and found != running):
        create(folder)
    own = folder / f"{requirements.stem}.stamp"
    # A development environment has everything the plain one has, so its stamp serves both.
    accepted = [own, folder / "requirements-dev.stamp"] if requirements.stem == PLAIN else [own]
    for stamp in accepted:
        wanted = fingerprint(ROOT / f"{stamp.stem}.txt")
        if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
            return
    install(folder, requirements)
    own.write_text(fingerprint(requirements), encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bin/_setup", description=__doc__)
    parser.add_argument("requirements", choices=SETS)
    parser.add_argument("--rebuild-for-other-python", action="store_true")
    options = parser.parse_args(arguments)
    folder = Path(os.environ.get("DEV_VENV") or ROOT / DEFAULT_FOLDER).absolute()
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Two commands started at once must not fill one environment together.
    with (folder.parent / f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            ensure(
                folder,
                ROOT / options.requirements,
                same_python=options.rebuild_for_other_python,
            )
        except SetupFailed as error:
            print(error, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
