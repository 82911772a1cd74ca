"""A project whose own package has the name of ours."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from devtools.hostprojects import readme
from devtools.hostprojects.errors import Unmet
from devtools.hostprojects.project import HostProject

_REFUSAL: Final = "Application labels aren't unique, duplicates: jobs"


def taken(root: Path, environment: Path, wheel: Path, page: str) -> str:
    """Follow the README in a project that has a top-level package `jobs`; says what happens.

    Raises:
        Unmet: it is not refused before anything is done.
    """
    project = HostProject(root / "taken", environment, wheel.parent)
    # No command makes such an app where ours is installed, so it is an older one.
    project.run("django-admin", "startproject", "taken", where=root)
    project.append("jobs/__init__.py", "")
    project.append("taken/settings.py", 'INSTALLED_APPS += ["jobs"]\n')
    for step in readme.steps(page):
        if step.file:
            project.append(f"taken/{step.file}", step.text)
    try:
        project.manage("migrate")
    except Unmet as refused:
        if _REFUSAL in str(refused):
            return "a package named jobs in the project: refused by Django, two apps of one name"
        raise
    raise Unmet("a project with a package named jobs migrates, with the wrong one of the two")
