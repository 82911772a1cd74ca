"""System checks of QForge, ids `qforge.E…` and `qforge.W…`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register
from django.db import connections
from django.utils.module_loading import import_string

from jobs import conf
from jobs.errors import InvalidInput
from jobs.registry import check_queue
from jobs.schedules.declared import checked
from jobs.store.connections import alias


def register_checks() -> None:
    register(check_settings, "qforge")
    register(check_database, "qforge")
    register(check_schedules, "qforge")


def check_settings(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """E001: the QFORGE dict is wrong. E002: times have no zone, unlike the database's."""
    found: list[CheckMessage] = [
        Error(f"QFORGE: {problem}.", hint="See jobs/conf.py for keys and bounds.", id="qforge.E001")
        for problem in _problems()
    ]
    if not settings.USE_TZ:
        found.append(
            Error(
                "QForge needs USE_TZ = True.", hint="All its times carry a zone.", id="qforge.E002"
            )
        )
    return found


def _problems() -> list[str]:
    found = conf.problems(getattr(settings, "QFORGE", {}))
    if not found:
        for name in conf.conf.QUEUES:
            try:
                check_queue(name)
            except InvalidInput as error:
                found.append(f"QUEUES: {error.message}")
        if path := conf.conf.ERROR_FINGERPRINT:
            try:
                hook = import_string(path)
            except ImportError as missing:
                found.append(f"ERROR_FINGERPRINT: {missing}")
            else:
                if not callable(hook):
                    found.append(f"ERROR_FINGERPRINT: {path!r} is not a function")
    return found


def check_database(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """E004: the queue's database is unknown or of a kind that will not do. W001: SQLite may refuse
    a transaction half-way. Opens no connection."""
    if _problems():
        return []
    name = alias()
    if name not in connections.databases:
        message = f"The queue's database {name!r} is not in DATABASES."
        return [Error(message, hint='See QFORGE["DATABASE"] and your routers.', id="qforge.E004")]
    connection = connections[name]
    if connection.vendor not in ("postgresql", "sqlite"):
        message = f"QForge cannot keep its queue in {connection.display_name}."
        return [Error(message, hint="Use PostgreSQL, or SQLite for a look.", id="qforge.E004")]
    if connection.vendor == "sqlite" and (
        connection.settings_dict["OPTIONS"].get("transaction_mode") != "IMMEDIATE"
    ):
        message = "SQLite transactions that read before they write fail when two meet."
        hint = 'Set OPTIONS["transaction_mode"] = "IMMEDIATE".'
        return [Warning(message, hint=hint, id="qforge.W001")]
    return []


def check_schedules(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """E003: a schedule declared in code has an unknown task, or a payload that does not fit it."""
    if conf.problems(getattr(settings, "QFORGE", {})):
        return []
    _, wrong = checked()
    return [
        Error(
            f"Schedule {name!r}: {problem}.", hint="See docs/guides/schedules.md.", id="qforge.E003"
        )
        for name, problem in wrong.items()
    ]
