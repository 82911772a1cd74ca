"""A host project with little else: it starts fast, and shows what the app needs. Variables change
what tests vary."""

from __future__ import annotations

import json
import os
from pathlib import Path

import environ

from config import environment

env = environ.Env()

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = "for tests only"
USE_TZ = True
TIME_ZONE = "UTC"
INSTALLED_APPS = ["jobs", "tests.process_app"]
# `TEST_DATABASE_SETTINGS` holds keys of the database as JSON: {"CONN_MAX_AGE": 600}.
DATABASES = {
    "default": environment.database(env, Path.cwd())
    | json.loads(os.environ.get("TEST_DATABASE_SETTINGS", "{}"))
}
# Without DEBUG Django keeps what its own loggers say to itself.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "loggers": {"django.tasks": {"handlers": ["console"], "level": "INFO"}},
}
TASKS = {"default": {"BACKEND": "jobs.tasks_backend.QForgeBackend"}}
QFORGE = environment.prefixed(os.environ, "QFORGE_")
