"""The system checks of an alias in `TASKS`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.apps import apps
from django.core.checks import CheckMessage, Error

from jobs import registry
from jobs.errors import InvalidInput
from jobs.tasks_backend.options import KEYS, given, read

_DJANGOS: Final = ("BACKEND", "QUEUES", "OPTIONS")
_LONGEST_ALIAS: Final = 64


def check(alias: str, params: Mapping[str, Any]) -> Iterator[CheckMessage]:
    """E020: the app is missing. E021: what the alias says is wrong."""
    if not apps.is_installed("jobs"):
        hint = 'Add "jobs" to INSTALLED_APPS.'
        yield Error("QForgeBackend needs the app of QForge.", hint=hint, id="qforge.E020")
    found = list(_problems(params))
    if len(alias) > _LONGEST_ALIAS:
        found.append(f"the alias is longer than {_LONGEST_ALIAS} characters")
    for problem in found:
        hint = "See docs/guides/django-tasks.md."
        yield Error(f"TASKS[{alias!r}]: {problem}.", hint=hint, id="qforge.E021")


def _problems(params: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with an alias, a sentence a finding."""
    unknown = [key for key in given(params) if key not in (*KEYS, *_DJANGOS)]
    if unknown:
        names = ", ".join(sorted(map(str, unknown)))
        yield f"unknown keys: {names}; known are {', '.join(KEYS)}"
    try:
        read(params).policy()
    except (InvalidInput, ImportError) as error:
        yield str(error)
    for name in params.get("QUEUES") or ():
        try:
            registry.check_queue(name)
        except InvalidInput as error:
            yield f"QUEUES: {error.message}"
