"""The subcommands of `manage.py jobs`, one module each."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final, Protocol, cast

from django.core.management.base import CommandParser

from jobs.management.console import Console


class Subcommand(Protocol):
    """What each module offers."""

    HELP: str

    def add_arguments(self, parser: CommandParser) -> None: ...

    def run(self, console: Console, options: dict[str, Any]) -> int:
        """Do it; returns the exit code. Raises CommandError."""


NAMES: Final = (
    *("cancel", "check-workflows", "doctor", "enqueue", "list", "loadtest", "pause", "prune"),
    *("queues", "resume", "retry", "schedules", "settings", "show", "status", "tail", "why"),
    "workers",
)


def load(name: str) -> Subcommand:
    """The module of a subcommand."""
    return cast(Subcommand, import_module(f"{__name__}.{name.replace('-', '_')}"))
