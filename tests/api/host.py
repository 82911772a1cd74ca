"""A project that is not ours, for processes started by the tests of isolation."""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.test import Client

PREFIX = "/tools/qforge"


class Never:
    """Stands for every class of the project's; whoever uses it fails."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise AssertionError("a class of the project was used")


_NEVER = f"{__name__}.Never"
FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": [_NEVER],
    "DEFAULT_PARSER_CLASSES": [_NEVER],
    "DEFAULT_AUTHENTICATION_CLASSES": [_NEVER],
    "DEFAULT_PERMISSION_CLASSES": [_NEVER],
    "DEFAULT_THROTTLE_CLASSES": [_NEVER],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": _NEVER,
    "DEFAULT_METADATA_CLASS": _NEVER,
    "DEFAULT_VERSIONING_CLASS": _NEVER,
    "DEFAULT_PAGINATION_CLASS": _NEVER,
    "EXCEPTION_HANDLER": _NEVER,
    "DATETIME_FORMAT": "%d.%m.%Y",
    "URL_FORMAT_OVERRIDE": "as",
    "COMPACT_JSON": False,
    "UNICODE_JSON": False,
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
}


def configure(database: str, **more: Any) -> None:
    """The project's settings, with the jobs app below a path of its own."""
    urls = types.ModuleType("host_urls")
    sys.modules[urls.__name__] = urls
    templates = {"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}
    settings.configure(
        ALLOWED_HOSTS=["localhost"],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": database}},
        DEBUG=True,
        INSTALLED_APPS=[
            "django.contrib.contenttypes",
            "django.contrib.auth",
            "rest_framework",
            "jobs",
        ],
        QFORGE={"OPEN_ON_LOOPBACK": True, "AUTHENTICATION_CLASSES": []},
        ROOT_URLCONF=urls.__name__,
        SECRET_KEY="x",
        STATIC_URL="/assets/",
        TEMPLATES=[templates],
        USE_TZ=True,
        **more,
    )
    django.setup()


def start(database: str, **more: Any) -> Client:
    """The project, migrated and with one task; a client on this machine."""
    configure(database, **more)
    from django.core.management import call_command
    from django.urls import include, path

    from jobs import task

    routes: Any = sys.modules["host_urls"]
    routes.urlpatterns = [path(f"{PREFIX[1:]}/", include("jobs.urls"))]
    call_command("migrate", verbosity=0)
    task(name="host.add")(lambda a: a)
    return Client(HTTP_HOST="localhost")


def post(client: Client, path: str, document: Any) -> Any:
    return client.post(f"{PREFIX}{path}", json.dumps(document), "application/json")


def say(answer: Any) -> None:
    """Tell the test."""
    sys.stdout.write(json.dumps(answer))


def exists(database: str) -> bool:
    return Path(database).exists()
