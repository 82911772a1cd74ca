"""The demo project's settings with the benchmark's own tasks."""

from __future__ import annotations

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS as _APPS

INSTALLED_APPS = [*_APPS, "benchmarks"]
SECRET_KEY = "for benchmarks only"  # noqa: S105 - nothing here is served
DEBUG = False
