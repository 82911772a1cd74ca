from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from devtools import environment
from tests.devtools.processes import ROOT


def program(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout that needs no packages, so that setting it up needs no network."""
    for name in ("bin/_setup", "devtools/__init__.py", "devtools/environment.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "requirements.txt").write_text("")
    (tmp_path / "requirements-dev.txt").write_text("-r requirements.txt\n")
    return tmp_path


def setup(
    checkout: Path, requirements: str = "requirements.txt", **variables: str
) -> subprocess.CompletedProcess[str]:
    inherited = {k: v for k, v in os.environ.items() if k not in ("DEV_VENV", "PYTHON")}
    return subprocess.run(
        [checkout / "bin" / "_setup", requirements],
        cwd=checkout,
        env=inherited | variables,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.long
def test_an_environment_follows_its_requirements_and_its_python(checkout: Path) -> None:
    first = setup(checkout)
    assert first.returncode == 0, first.stderr
    assert "creating .venv" in first.stderr
    assert setup(checkout).stderr == "", "the second time there is nothing to do"

    (checkout / "requirements.txt").write_text("# changed\n")
    assert "installing requirements.txt" in setup(checkout).stderr

    assert "installing requirements-dev.txt" in setup(checkout, "requirements-dev.txt").stderr
    (checkout / ".venv" / "requirements.stamp").unlink()
    assert setup(checkout).stderr == "", "the development environment serves the plain one too"

    python = checkout / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/nowhere/python3")
    assert "creating .venv" in setup(checkout).stderr
    assert environment.version_of(checkout / ".venv")


@pytest.mark.long
def test_a_python_that_does_not_start_is_passed_over(checkout: Path, tmp_path: Path) -> None:
    shim = program(tmp_path / "shims" / "python3", "#!/bin/sh\nexit 127\n")
    done = setup(checkout, PATH=f"{shim.parent}:{os.environ['PATH']}")
    assert done.returncode == 0, done.stderr


def test_without_any_python_it_says_what_to_do(checkout: Path) -> None:
    done = setup(checkout, PYTHON="/nowhere/python3")
    assert done.returncode == 1
    assert "No Python 3.11 or newer starts here" in done.stderr


def test_a_python_without_venv_gets_the_exact_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = program(tmp_path / "python3", "#!/bin/sh\necho ensurepip is not available\nexit 1\n")
    monkeypatch.setattr("sys.executable", str(broken))
    with pytest.raises(environment.SetupFailed, match=r"apt-get install python3\.\d+-venv"):
        environment.create(tmp_path / ".venv")
