"""System checks of QForge, ids `qforge.E…` and `qforge.W…`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from jobs import conf


def register_checks() -> None:
    register(check_settings, "qforge")


def check_settings(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """E001: the QFORGE dict is wrong. E002: times without zones cannot be compared with the database's."""
    found: list[CheckMessage] = [
        Error(f"QFORGE: {problem}.", hint="See jobs/conf.py for keys and bounds.", id="qforge.E001")
        for problem in conf.problems(getattr(settings, "QFORGE", {}))
    ]
    if not settings.USE_TZ:
        found.append(
            Error(
                "QForge needs USE_TZ = True.", hint="All its times carry a zone.", id="qforge.E002"
            )
        )
    return found
