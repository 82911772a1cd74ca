"""What an alias in `TASKS` may say beyond Django's own keys: the defaults of its tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.module_loading import import_string

from jobs import registry
from jobs.errors import InvalidInput, shown
from jobs.tasks_backend.namespaces import Namespace

KEYS: Final = ("MAX_ATTEMPTS", "BACKOFF", "TIMEOUT")


@dataclass(frozen=True, slots=True)
class Defaults:
    """For the tasks of an alias that do not say otherwise."""

    max_attempts: int = 1
    """One, as everywhere in Django's Tasks: a task that fails is `FAILED`, not tried again."""
    timeout: float | None = None
    backoff: Any = None
    """A RetryPolicy, a function or its dotted path."""

    def policy(self) -> Any:
        """`backoff` with its path followed. Raises ImportError, InvalidInput."""
        path = isinstance(self.backoff, str)
        return check_backoff(import_string(self.backoff) if path else self.backoff)


def read(params: Mapping[str, Any]) -> Defaults:
    """The defaults of an alias. Keys stand beside `BACKEND`, or in `OPTIONS`.

    Raises InvalidInput. A dotted path of `BACKOFF` is not followed: tasks are declared while
    modules are still being imported.
    """
    found = given(params)
    attempts, timeout = found.get("MAX_ATTEMPTS"), found.get("TIMEOUT")
    return Defaults(
        max_attempts=1 if attempts is None else registry.check_max_attempts(attempts),
        backoff=found.get("BACKOFF"),
        timeout=None if timeout is None else registry.check_timeout(timeout),
    )


def given(params: Mapping[str, Any]) -> dict[str, Any]:
    options = params.get("OPTIONS") or {}
    return {key: value for source in (options, params) for key, value in source.items()}


def defaults_of(home: Namespace, alias: str) -> Defaults:
    """The defaults of an alias that a row or a task names; QForge's when they cannot be read."""
    try:
        return read(home.backends.settings.get(alias, {}))
    except InvalidInput:
        return Defaults()


def check_backoff(backoff: Any) -> Any:
    """`backoff` itself. Raises InvalidInput unless it is None, a RetryPolicy or a function."""
    if backoff is None or isinstance(backoff, registry.RetryPolicy | Callable):
        return backoff
    message = f"must be a RetryPolicy, a function or its dotted path, not {shown(backoff)}"
    raise InvalidInput("backoff", message)
