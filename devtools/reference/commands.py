"""docs/reference/commands.md: the arguments of `run_job_workers` and of `jobs`."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from django.core.management.base import BaseCommand

from devtools.reference.markers import cell, inserted
from jobs.management.commands import run_job_workers
from jobs.management.subcommands import NAMES, load

PAGE: Final = Path("docs/reference/commands.md")


def rendered(root: Path) -> str:
    """The page, with its tables written anew."""
    page = (root / PAGE).read_text(encoding="utf-8")
    page = inserted(page, "worker options", _table(_of_worker()))
    return inserted(page, "subcommands", "\n\n".join(map(_subcommand, NAMES)))


def _of_worker() -> list[argparse.Action]:
    """Without the options that every command of Django's has."""
    usual = {action.dest for action in BaseCommand().create_parser("manage.py", "any")._actions}
    parser = run_job_workers.Command().create_parser("manage.py", "run_job_workers")
    return [action for action in parser._actions if action.dest not in usual]


def _subcommand(name: str) -> str:
    subcommand = load(name)
    parser = BaseCommand().create_parser("manage.py", "any")
    usual = list(parser._actions)
    subcommand.add_arguments(parser)
    own = [action for action in parser._actions if action not in usual]
    parts = [f"### jobs {name}", subcommand.HELP]
    return "\n\n".join([*parts, _table(own)] if own else parts)


def _table(actions: Iterable[argparse.Action]) -> str:
    return "\n".join(["| argument | meaning |", "|---|---|", *map(_row, actions)])


def _row(action: argparse.Action) -> str:
    value = "" if action.nargs == 0 else " ".join(_value(action))
    names = action.option_strings or [""]
    spelled = ", ".join(f"`{' '.join(part for part in (name, value) if part)}`" for name in names)
    help_text = (action.help or "") % {"default": action.default}
    return f"| {spelled} | {cell(help_text)} |"


def _value(action: argparse.Action) -> Iterator[str]:
    if action.choices is not None:
        yield "{" + ",".join(map(str, action.choices)) + "}"
    elif isinstance(action.metavar, str):
        yield action.metavar
    else:
        yield action.dest.upper()
    if action.nargs == "*":
        yield "…"
