"""System checks of QForge, ids `qforge.E…` and `qforge.W…`; docs/reference/findings.md has
what each means."""

from __future__ import annotations

from django.core.checks import Tags, register

from jobs.checks.configuration import check_schedules, check_settings
from jobs.checks.database import check_database, check_server
from jobs.checks.web import check_console, check_deployment

__all__ = ["register_checks"]


def register_checks() -> None:
    register(check_settings, "qforge")
    register(check_database, "qforge")
    register(check_schedules, "qforge")
    register(check_console, "qforge")
    # Under this tag alone: later releases of Django run what has another one without being asked.
    register(check_server, Tags.database)
    register(check_deployment, "qforge", Tags.security, deploy=True)
