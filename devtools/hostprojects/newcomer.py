"""A fresh project that follows the README, then is served in every way."""

from __future__ import annotations

import re
import time
from collections.abc import Generator
from pathlib import Path
from typing import Final

from devtools.hostprojects import behaviour, readme, serving
from devtools.hostprojects.behaviour import Answers
from devtools.hostprojects.errors import Unmet
from devtools.hostprojects.project import HostProject, databases
from devtools.hostprojects.serving import Serving
from devtools.hostprojects.site import PASSWORD, USER, Site

TASK: Final = """\
from jobs import task


@task(name="shop.add")
def add(a, b):
    return a + b
"""
_INSTALLED: Final = (
    "from importlib.metadata import distributions\nfor d in distributions(): print(d.name)"
)
_PLAIN: Final = {
    *("asgiref", "cronsim", "django", "django-qforge", "djangorestframework", "pip"),
    *("psycopg", "psycopg-binary", "setuptools", "sqlparse", "typing-extensions", "tzdata"),
}
"""All that the environment of a plain user may hold, the environment's own packages included."""


def run(root: Path, wheel: Path, database: str, page: str) -> Generator[str, None, Answers]:
    """Follow the steps of a README in a fresh project; yields a line for all that holds.

    Returns the API's answers, to be compared with those in other projects.

    Args:
        root: an empty folder for the project and its environment.
        wheel: the package.
        database: URL of an empty database.
        page: the README's text.

    Raises:
        Unmet: something does not hold.
    """
    steps = readme.steps(page)
    project = HostProject(root / "mysite", root / "environment", wheel.parent)
    project.make_environment()
    project.run("pip", "install", "--quiet", "django", "psycopg[binary]", where=root)
    started = time.monotonic()
    _start(project, database)
    *earlier, last = steps
    for step in earlier:
        if step.file:
            project.append(f"mysite/{step.file}", step.text)
        else:
            project.run("sh", "-ec", step.text)
    project.append("shop/tasks.py", TASK)
    yield _holds_no_more(project)
    project.run("python", "-W", "error", "manage.py", "check")
    # The shell is the last to go, so that whoever waits for it has waited for all.
    with project.running("sh", "-ec", f"trap : TERM\n{last.text}") as worker:
        with serving.RUNSERVER.serve(project) as site:
            yield _use(serving.RUNSERVER, site)
        seconds = time.monotonic() - started
        yield f"{seconds:.1f} s from startproject to the finished job"
        project.run("pip", "install", "--quiet", *serving.PACKAGES, "django-qforge[metrics]")
        project.append("mysite/sub_path_urls.py", serving.SUB_PATH_URLS)
        for way in serving.DEPLOYED:
            way.prepare(project)
            with way.serve(project) as site:
                yield _use(way, site)
                site.expect(f"{way.console}metrics/", "text/plain")
                answers = behaviour.of(site, way.console)
        worker.must_run()
    return answers


def _start(project: HostProject, database: str) -> None:
    """The project before the README is followed: its own app, a database, somebody to log in."""
    project.run("django-admin", "startproject", "mysite", where=project.folder.parent)
    project.manage("startapp", "shop")
    project.append("mysite/settings.py", f'INSTALLED_APPS += ["shop"]\n{databases(database)}')
    project.manage("migrate")
    superuser = ("--username", USER, "--email", USER)
    project.manage("createsuperuser", "--noinput", *superuser, DJANGO_SUPERUSER_PASSWORD=PASSWORD)


def _holds_no_more(project: HostProject) -> str:
    project.run("pip", "check")
    names = set(project.run("python", "-c", _INSTALLED).lower().replace("_", "-").split())
    if more := sorted(names - _PLAIN):
        raise Unmet(f"a plain user would also get {', '.join(more)}")
    return f"a plain user has {len(names & _PLAIN)} packages and no other"


def _use(way: Serving, site: Site) -> str:
    boot, seconds = behaviour.use(site, way.console)
    if way.hashed and not all(re.search(r"\.[0-9a-f]{12}\.", part) for part in boot["parts"]):
        raise Unmet(f"{way.name}: parts without a hash in their names: {boot['parts']}")
    if boot["live"]["stream"] != way.streams:
        raise Unmet(f"{way.name}: the page is told that streams are {boot['live']['stream']}")
    return f"{way.name}: page, {len(boot['parts'])} parts, API; a job done in {seconds:.2f} s"
