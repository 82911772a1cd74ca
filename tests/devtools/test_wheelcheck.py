"""What is wrong with a wheel is found."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from devtools import wheelcheck

GOOD = dict.fromkeys(wheelcheck.REQUIRED, "") | {"it-1.dist-info/RECORD": ""}


def wheel(folder: Path, name: str, files: dict[str, str]) -> Path:
    path = folder / name
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in files.items():
            archive.writestr(file, text)
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for file in ("jobs/static/app.js", "jobs/__pycache__/apps.pyc"):
        path = tmp_path / file
        path.parent.mkdir(parents=True)
        path.touch()
    return tmp_path


def test_a_wheel_with_all_files_of_the_package_and_no_other_passes(root: Path) -> None:
    built = wheel(root, "good.whl", GOOD | {"jobs/static/app.js": ""})
    assert wheelcheck.problems(built, root) == []


def test_what_is_missing_and_what_does_not_belong_is_told(root: Path) -> None:
    built = wheel(root, "bad.whl", GOOD | {"tests/conftest.py": ""})
    assert wheelcheck.problems(built, root) == [
        "tests/conftest.py does not belong into it",
        "jobs/static/app.js is missing",
    ]


def test_two_wheels_differ_by_names_and_by_contents(root: Path) -> None:
    first = wheel(root, "1.whl", GOOD | {"jobs/a.py": "1", "jobs/b.py": "1"})
    same = wheel(root, "2.whl", {"jobs/b.py": "1", "jobs/a.py": "1"} | GOOD)
    other = wheel(root, "3.whl", GOOD | {"jobs/a.py": "2", "jobs/c.py": "1"})
    assert wheelcheck.differences(first, same) == []
    assert wheelcheck.differences(first, other) == [
        f"jobs/{name}.py is not the same in {other}" for name in "abc"
    ]
