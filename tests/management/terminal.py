"""Running commands with streams that are terminals, or are not."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.management import call_command


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@dataclass
class Ran:
    code: int
    out: str
    err: str


def run(*arguments: str, terminal: bool = False, **options: Any) -> Ran:
    """Run `manage.py …`; CommandErrors are raised, exit codes returned."""
    kind = Terminal if terminal else io.StringIO
    out, err, code = kind(), kind(), 0
    try:
        call_command(*arguments, stdout=out, stderr=err, no_color=not terminal, **options)
    except SystemExit as exit_:
        code = int(exit_.code or 0)
    return Ran(code, out.getvalue(), err.getvalue())


def run_from_argv(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ran:
    """Run as from a shell: errors are printed and become exit codes."""
    from django.core.management import ManagementUtility

    code = 0
    try:
        ManagementUtility(["manage.py", *arguments]).execute()
    except SystemExit as exit_:
        code = int(exit_.code or 0)
    said = capsys.readouterr()
    return Ran(code, said.out, said.err)
