"""Collects the facts: part by part, each cut off in time, none of them fatal to the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connections, transaction
from django.utils.connection import ConnectionDoesNotExist

from jobs.conf import conf, problems
from jobs.doctor import schema, server, upkeep, work
from jobs.doctor.facts import Facts, Unread
from jobs.store.connections import EngineConnection
from jobs.store.dialects import dialect

TIMEOUT_SECONDS: Final = 5.0
"""Of each statement."""
_PARTS: Final[Mapping[str, Callable[[str], dict[str, Any]]]] = {
    "clock": server.clocks,
    "migrations": schema.migrations,
    "indexes and constraints": schema.drift,
    "claim": server.claim_plan,
    "dead rows": server.dead_rows,
    "oldest transaction": server.oldest_transaction,
    "queues": work.queues,
    "tasks": work.strangers,
    "leases": upkeep.leases,
    "prune": upkeep.prune,
    "rollup": upkeep.rollup,
    "schedules": upkeep.schedules,
}


def gather() -> Facts:
    """Look at everything, over a connection that does not wait for ever for a lost server."""
    wrong = problems(getattr(settings, "QFORGE", {}))
    if wrong:
        # Without settings nobody knows which database, nor what to compare with.
        return Facts(settings_problems=wrong)
    try:
        engine = EngineConnection()
    except ConnectionDoesNotExist as error:
        return Facts(settings_problems=[f"DATABASE: {str(error).rstrip('.')}"])
    found: dict[str, Any] = {
        "lease_seconds": conf.LEASE_SECONDS,
        "rescue_seconds": conf.RESCUE_SECONDS,
        "timeout_seconds": conf.TIMEOUT_SECONDS,
    }
    try:
        with engine.borrowed() as wrapper:
            try:
                wrapper.ensure_connection()
                found |= server.version(engine.alias)
            except (DatabaseError, InterfaceError) as error:
                return Facts(unreachable=_words(error))
            unread = _read(engine.alias, found)
        try:
            found["listening"] = server.listening() if conf.LISTEN else None
        except (DatabaseError, InterfaceError) as error:
            unread.append(Unread("notifications", _words(error)))
    finally:
        engine.close()
    return Facts(unread=unread, **found)


def _read(using: str, found: dict[str, Any]) -> list[Unread]:
    unread = []
    for part, read in _PARTS.items():
        try:
            with transaction.atomic(using=using):
                dialect(using).statement_timeout(using, TIMEOUT_SECONDS)
                found |= read(using)
        except (DatabaseError, InterfaceError) as error:
            unread.append(Unread(part, _words(error)))
            # A lost one is made again for the next part.
            connections[using].close_if_unusable_or_obsolete()
    return unread


def _words(error: Exception) -> str:
    return " ".join(str(error).split())[:500] or type(error).__name__
