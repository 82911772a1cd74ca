"""`manage.py jobs resume QUEUE`."""

from __future__ import annotations

from typing import Any, Final

from django.core.management.base import CommandParser

from jobs.management import pausing
from jobs.management.console import Console

HELP: Final = "Let workers take jobs of a paused queue again."


def add_arguments(parser: CommandParser) -> None:
    pausing.add_arguments(parser)


def run(console: Console, options: dict[str, Any]) -> int:
    """Exit code 0; 1 for an unknown queue."""
    return pausing.run(console, options, pause=False)
