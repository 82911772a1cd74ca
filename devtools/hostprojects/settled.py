"""QForge added to a project with settled ways of its own, which it must neither feel nor change."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from devtools.hostprojects import behaviour
from devtools.hostprojects.behaviour import Answers
from devtools.hostprojects.errors import Unmet
from devtools.hostprojects.project import HostProject, databases
from devtools.hostprojects.serving import Serving
from devtools.hostprojects.site import PASSWORD, USER

FILES: Final = Path(__file__).with_name("settled_project")
_SETTINGS: Final = "shop.with_qforge"
_SERVING: Final = Serving(
    "a settled project",
    ("gunicorn", "--bind=127.0.0.1:{port}", "shop.wsgi"),
    _SETTINGS,
    console="/qforge/",
)


def run(
    root: Path, environment: Path, wheel: Path, database: str, expected: Answers
) -> Iterator[str]:
    """Add QForge to the project; yields a line for all that holds.

    Args:
        root: an empty folder for the project.
        environment: a virtual environment with QForge and what projects are served with.
        wheel: the package.
        database: URL of an empty database.
        expected: what the API answers elsewhere.

    Raises:
        Unmet: something does not hold.
    """
    project = HostProject(root / "project", environment, wheel.parent)
    shutil.copytree(FILES, project.folder)
    project.append("shop/settings.py", databases(database, ATOMIC_REQUESTS=True))
    project.run("pip", "install", "--quiet", "drf-spectacular")
    project.manage("makemigrations", "accounts", "jobs")
    project.manage("migrate")
    superuser = {"DJANGO_SUPERUSER_PASSWORD": PASSWORD}
    project.manage("createsuperuser", "--noinput", "--email", USER, **superuser)
    before = _schema(project, "shop.settings")
    ours = {"DJANGO_SETTINGS_MODULE": _SETTINGS}
    project.run("python", "-W", "error", "manage.py", "check", variables=ours)
    project.manage("makemigrations", "--check", "--dry-run", **ours)
    project.manage("migrate", **ours)
    yield "settled: an app labelled jobs, another AutoField and user model: no check, no migration"
    if _schema(project, _SETTINGS) != before:
        raise Unmet("the project's own OpenAPI document changes when QForge is added")
    yield f"settled: its own OpenAPI document stays the same {len(before)} bytes"
    project.manage("collectstatic", "--noinput", **ours)
    with (
        project.running("python", "manage.py", "run_job_workers", variables=ours) as worker,
        _SERVING.serve(project) as site,
    ):
        behaviour.use(site, _SERVING.console)
        yield "settled: its login, CSRF token in the session, static files; a job done"
        answers = behaviour.of(site, _SERVING.console)
        behaviour.compare(answers, expected)
        yield f"settled: {len(answers)} answers of the API are those of a fresh project"
        own = site.get("/api/jobs/")
        if (own.status, own.type, own.body) != (418, "application/vnd.shop", _TROUBLE):
            raise Unmet(f"the project's own API answers {own}")
        yield "settled: its own API keeps its permission, renderer and exception handler"
        worker.must_run()
    for command in (["check"], ["run_job_workers", "--drain"]):
        _refused_without_zones(project, command)
    yield "settled: USE_TZ = False is refused by check and worker, qforge.E002"


_TROUBLE: Final = b'{"SHOP":{"shop":"trouble"}}'


def _schema(project: HostProject, settings: str) -> bytes:
    file = project.folder / "schema.yaml"
    project.manage("spectacular", "--file", str(file), DJANGO_SETTINGS_MODULE=settings)
    return file.read_bytes()


def _refused_without_zones(project: HostProject, command: list[str]) -> None:
    try:
        project.manage(*command, DJANGO_SETTINGS_MODULE="shop.without_zones")
    except Unmet as refused:
        if "qforge.E002" not in str(refused):
            raise
    else:
        raise Unmet(f"{command[0]} accepts USE_TZ = False")
