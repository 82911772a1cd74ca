"""Checks of the database that holds the queue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Warning
from django.db import DatabaseError, InterfaceError, NotSupportedError, connections

from jobs.checks.configuration import problems
from jobs.store.connections import alias

LEAST: Final[dict[str, tuple[int, ...]]] = {"postgresql": (14,), "sqlite": (3, 35)}
"""Versions that know every statement of the engine."""


def check_database(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """E004: the queue's database is unknown or of a kind that will not do. W001: SQLite may refuse
    a transaction half-way. Opens no connection."""
    if problems():
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


def check_server(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """E005: the server is too old. Asks it, so Django runs this only with `--database`."""
    if problems() or (name := alias()) not in (databases or ()):
        return []
    connection: Any = connections[name]
    least = LEAST.get(connection.vendor)
    if least is None:
        return []
    try:
        version = tuple(connection.get_database_version())
        # By itself Django asks at the first connection of a process only.
        connection.check_database_version_supported()
    except NotSupportedError as error:
        # Django's own bound is higher in later releases.
        return [_too_old(str(error))]
    except (DatabaseError, InterfaceError):
        return []  # Whoever needs it will say so.
    if version >= least:
        return []
    shown, wanted = (".".join(map(str, numbers)) for numbers in (version, least))
    return [_too_old(f"{connection.display_name} {shown} is too old; QForge needs {wanted}.")]


def _too_old(message: str) -> CheckMessage:
    return Error(message, hint="Upgrade the server that holds the queue.", id="qforge.E005")
