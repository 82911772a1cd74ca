"""The ways in which projects are served, each with settings of its own over the project's."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from devtools.hostprojects.project import HostProject
from devtools.hostprojects.site import Site

PACKAGES: Final = ("gunicorn", "uvicorn", "whitenoise")
"""What these ways need beyond Django's own server."""

_GUNICORN: Final = ("gunicorn", "--bind=127.0.0.1:{port}", "mysite.wsgi")
_UVICORN: Final = ("uvicorn", "--port={port}", "--lifespan=off", "mysite.asgi:application")
_DEPLOYED: Final = """\
from django.conf.global_settings import STORAGES

from mysite.settings import *

DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1"]
MIDDLEWARE.insert(1, "whitenoise.middleware.WhiteNoiseMiddleware")
STATIC_ROOT = BASE_DIR / "static-files"
"""
_HASHED: Final = """\
STATIC_ROOT = BASE_DIR / "hashed-files"
hashed = "whitenoise.storage.CompressedManifestStaticFilesStorage"
STORAGES = STORAGES | {"staticfiles": {"BACKEND": hashed}}
"""
# The middleware asks for STATIC_URL before Django knows of any prefix, so both are told of it.
_SUB_PATH: Final = """\
ROOT_URLCONF = "mysite.sub_path_urls"
STATIC_URL = "/intranet/static/"
WHITENOISE_STATIC_PREFIX = "/static/"
"""
SUB_PATH_URLS: Final = """\
from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("internal/qforge/", include("jobs.urls")),
]
"""


@dataclass(frozen=True)
class Serving:
    """One way: a server's command, and settings."""

    name: str
    command: tuple[str, ...]
    module: str
    """The settings module."""
    settings: str = ""
    """Its text; "" where the project has it already."""
    console: str = "/jobs/"
    hashed: bool = False
    streams: bool = False
    """Whether the server can hold streams open."""
    prefix: str = ""
    seen_by_server: bool = False
    variables: dict[str, str] = field(default_factory=dict)

    def prepare(self, project: HostProject) -> None:
        """Write the settings and collect the static files."""
        project.append(f"{self.module.replace('.', '/')}.py", self.settings)
        project.manage("collectstatic", "--noinput", DJANGO_SETTINGS_MODULE=self.module)

    @contextlib.contextmanager
    def serve(self, project: HostProject) -> Iterator[Site]:
        """Serve the project until the block ends."""
        port = free_port()
        command = [part.format(port=port) for part in self.command]
        variables = {"DJANGO_SETTINGS_MODULE": self.module} | self.variables
        with project.running(*command, variables=variables) as program:
            yield Site(program, port, self.prefix, seen_by_server=self.seen_by_server)


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


RUNSERVER: Final = Serving(
    "runserver", ("python", "manage.py", "runserver", "{port}"), "mysite.settings"
)
DEPLOYED: Final = (
    Serving("gunicorn", _GUNICORN, "mysite.plain", _DEPLOYED),
    Serving("uvicorn", _UVICORN, "mysite.asynchronous", _DEPLOYED, streams=True),
    Serving("hashed files", _GUNICORN, "mysite.hashed", _DEPLOYED + _HASHED, hashed=True),
    Serving(
        "forced script name",
        _UVICORN,
        "mysite.forced_script_name",
        _DEPLOYED + _HASHED + _SUB_PATH + 'FORCE_SCRIPT_NAME = "/intranet"\n',
        console="/intranet/internal/qforge/",
        hashed=True,
        streams=True,
        prefix="/intranet",
    ),
    Serving(
        "script name",
        _GUNICORN,
        "mysite.script_name",
        _DEPLOYED + _SUB_PATH,
        console="/intranet/internal/qforge/",
        prefix="/intranet",
        seen_by_server=True,
        variables={"SCRIPT_NAME": "/intranet"},
    ),
)
