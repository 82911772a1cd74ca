"""`manage.py jobs settings`: every setting in force."""

from __future__ import annotations

import difflib
import json
from typing import Any, Final

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from jobs.conf import Settings, conf, names, problems
from jobs.management.console import Console, table
from jobs.redaction import redact

HELP: Final = "Show the settings in force and which of them the project has changed."


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these")
    parser.add_argument("--changed", action="store_true", help="only those that are not default")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(console: Console, options: dict[str, Any]) -> int:
    """Exit code 0; 1 when the settings are wrong; 2 for a name that is none."""
    known = names()
    for name in options["names"]:
        if name not in known:
            close = difflib.get_close_matches(name.upper(), known, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise CommandError(f"there is no setting {name!r}.{hint}", returncode=2)
    given = getattr(settings, "QFORGE", {})
    wrong = problems(given)
    found = [_setting(name, given, wrong) for name in options["names"] or known]
    if options["changed"]:
        found = [one for one in found if one["source"] == "settings"]
    if options["json"]:
        console.json({"settings": found, "problems": wrong})
    else:
        rows = [
            [one["name"], json.dumps(one["value"], default=str, ensure_ascii=False), one["source"]]
            for one in found
        ]
        for line in table(("name", "value", "source"), rows, words=(0, 1, 2)):
            console.data(line)
        for problem in wrong:
            console.warn(problem)
    return 1 if wrong else 0


def _setting(name: str, given: Any, wrong: list[str]) -> dict[str, Any]:
    default = getattr(Settings, name)
    if not wrong:
        value = getattr(conf, name)
    else:
        # Shown as they are, beside what is wrong with them.
        value = given.get(name, default) if isinstance(given, dict) else default
    if name == "SCHEDULES":
        # A schedule has a payload, and that may hold secrets; no name of a setting is one.
        value = redact(value, "")
    source = "default" if value == default else "settings"
    return {"name": name, "value": value, "source": source}
