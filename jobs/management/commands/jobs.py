"""`manage.py jobs <subcommand>`: the console for a shell and for scripts."""

from __future__ import annotations

import difflib
import sys
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandParser

from jobs.api import disclosure
from jobs.management.actor import actor
from jobs.management.console import Console, quiet_when_unread
from jobs.management.subcommands import NAMES, load
from jobs.store import origin
from jobs.store.origin import Origin

_SAY_THEMSELVES: Final = ("doctor", "settings")
"""Subcommands that tell what is wrong, and so must run when something is."""


class Command(BaseCommand):
    help = "Looks at the job queue and tends it. Data goes to stdout, words to stderr."

    def add_arguments(self, parser: CommandParser) -> None:
        subparsers = parser.add_subparsers(dest="subcommand", metavar="subcommand", required=True)
        for name in NAMES:
            subcommand = load(name)
            chosen = subparsers.add_parser(name, help=subcommand.HELP, description=subcommand.HELP)
            subcommand.add_arguments(chosen)

    def run_from_argv(self, argv: list[str]) -> None:
        # Before the parser sees it, which would list all the names and suggest none.
        if len(argv) > 2 and not argv[2].startswith("-") and argv[2] not in NAMES:
            close = difflib.get_close_matches(argv[2], NAMES, n=1)
            hint = f"Did you mean {close[0]!r}?" if close else f"Choose {', '.join(NAMES)}."
            self.stderr.write(f"jobs has no subcommand {argv[2]!r}. {hint}")
            sys.exit(2)
        super().run_from_argv(argv)

    def execute(self, *args: Any, **options: Any) -> Any:
        if options["subcommand"] in _SAY_THEMSELVES:
            options["skip_checks"] = True
        return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        console = Console(self.stdout, self.stderr, self.style)
        # Whoever has this shell has the database, too.
        person = origin.by(Origin(actor(), "cli"))
        with quiet_when_unread(), person, disclosure.shown_to(lambda: True):
            code = load(options["subcommand"]).run(console, options)
        if code:
            sys.exit(code)
