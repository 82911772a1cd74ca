"""Settings of `devtools.tasks_suite`: a host project with nothing but the app."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import environ

from config import environment

SECRET_KEY = "for tests only"  # noqa: S105 - of no use to anybody
USE_TZ = True
INSTALLED_APPS = ["jobs", *(["django_tasks"] if find_spec("django_tasks") else [])]
DATABASES = {"default": environment.database(environ.Env(), Path.cwd())}
TASKS = {"default": {"BACKEND": "jobs.tasks_backend.QForgeBackend"}}
