"""Checks built wheels, which must be alike: `python -m devtools.wheelcheck dist/….whl …`."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

PACKAGE = Path("jobs")
REQUIRED = ("jobs/py.typed", "jobs/apps.py", "jobs/migrations/0001_initial.py")


def problems(wheel: Path, root: Path) -> list[str]:
    """Return what is wrong with the wheel's list of files.

    Args:
        wheel: the built file.
        root: the checkout it was built from.
    """
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
    foreign = [n for n in names if not n.startswith("jobs/") and ".dist-info/" not in n]
    found = [f"{name} does not belong into it" for name in sorted(foreign)]
    # Static files and templates are easily forgotten, so all that is in the folder is asked for.
    there = [p for p in (root / PACKAGE).rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    wanted = {str(path.relative_to(root)) for path in there} | set(REQUIRED)
    return found + [f"{name} is missing" for name in sorted(wanted - names)]


def differences(first: Path, other: Path) -> list[str]:
    """Return which files only one of two wheels has, or has with another content."""
    contents: list[set[tuple[str, int]]] = []
    for wheel in (first, other):
        with zipfile.ZipFile(wheel) as archive:
            contents.append({(entry.filename, entry.CRC) for entry in archive.infolist()})
    unlike = {name for name, _ in contents[0] ^ contents[1]}
    return [f"{name} is not the same in {other}" for name in sorted(unlike)]


def main(arguments: list[str]) -> int:
    """Check each wheel; returns 1 when one has a problem, they differ, or none was named."""
    wheels = [Path(name) for name in arguments]
    found = [text for wheel in wheels for text in problems(wheel, Path.cwd())]
    found += [text for other in wheels[1:] for text in differences(wheels[0], other)]
    for text in found:
        print(f"wheel: {text}")
    print(f"wheel: {len(found)} problems in {len(arguments)} wheels")
    return 1 if found or not arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
