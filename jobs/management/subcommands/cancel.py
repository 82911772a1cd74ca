"""`manage.py jobs cancel`."""

from __future__ import annotations

from typing import Any, Final

from django.core.management.base import CommandParser

from jobs.management import acting
from jobs.management.console import Console
from jobs.states import BulkAction

HELP: Final = "Cancel jobs that wait and ask running ones to stop, by id or by filter."


def add_arguments(parser: CommandParser) -> None:
    acting.add_arguments(parser, BulkAction.CANCEL)


def run(console: Console, options: dict[str, Any]) -> int:
    """Exit code 0; 1 when not all went well; 2 for what cannot be asked for."""
    return acting.run(console, options, BulkAction.CANCEL)
