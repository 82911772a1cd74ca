"""The examples of the documents are what they look like: code, commands, settings, statements."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
import yaml
from django.core.management.base import CommandError
from django.db import connection

from jobs import conf
from jobs.api import filters
from jobs.errors import InvalidInput
from jobs.management.arguments import by_name
from jobs.management.commands import jobs as umbrella
from jobs.management.commands import run_job_workers

ROOT = Path(__file__).resolve().parent.parent
FILES = [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]
PAGES = {str(page.relative_to(ROOT)): page for page in FILES}
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAMED = re.compile(r"QFORGE(?:_|\[[\"'])([A-Z_]+)\b")
COMMAND = re.compile(r"(?:\$ )?(?:\S*python )?manage\.py ((?:jobs|run_job_workers)\b.*)")
COMMANDS = {"jobs": umbrella.Command, "run_job_workers": run_job_workers.Command}


def blocks(kind: str) -> list[tuple[str, str]]:
    """(page, text) of every block of a kind."""
    found = [
        (name, text)
        for name, page in sorted(PAGES.items())
        for language, text in BLOCK.findall(page.read_text(encoding="utf-8"))
        if language == kind
    ]
    assert found, f"no page has a block of {kind}"
    return found


def parsed(text: str) -> ast.Module:
    # Some show one call of a chain.
    return ast.parse(f"_{text}" if text.startswith(".") else text)


def test_python_is_python_and_imports_what_is_there() -> None:
    for page, text in blocks("python"):
        for node in ast.walk(parsed(text)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "jobs":
                module = import_module(node.module or "")
                missing = [name.name for name in node.names if not hasattr(module, name.name)]
                assert missing == [], page


def commands() -> Iterator[tuple[str, list[str]]]:
    """(page, words after manage.py) of all commands that are ours, in blocks and in sentences."""
    for name, page in sorted(PAGES.items()):
        text = page.read_text(encoding="utf-8")
        written = [block.replace("\\\n", " ") for _, block in BLOCK.findall(text)]
        lines = [line for block in written for line in block.splitlines()]
        for line in [*lines, *re.findall(r"`([^`\n]+)`", BLOCK.sub("", text))]:
            if found := COMMAND.match(line):
                yield name, shlex.split(found[1], comments=True)


def test_commands_can_be_given_as_they_are_written() -> None:
    seen = 0
    for page, (name, *words) in commands():
        # Placeholders stand for values; in a sentence a command may be named alone.
        if not words or words[0] in ("…", "SUBCOMMAND"):
            continue
        parser = COMMANDS[name]().create_parser("manage.py", name)
        try:
            given = by_name(getattr(parser.parse_args(words), "filter", []))
            filters.read_texts([(f"filter.{name}", values) for name, values in given])
        except (CommandError, SystemExit, InvalidInput) as error:
            raise AssertionError(f"{page}: {name} {' '.join(words)}: {error}") from None
        seen += 1
    assert seen > 20


def test_settings_are_known() -> None:
    known = set(conf.names())
    for page, text in blocks("python"):
        for node in ast.walk(parsed(text)):
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "QFORGE":
                assert isinstance(node.value, ast.Dict), page
                used = {ast.literal_eval(key) for key in node.value.keys if key is not None}
                assert used <= known, page
    for name, page in PAGES.items():
        used = set(re.findall(NAMED, page.read_text(encoding="utf-8")))
        assert used <= known, name


def test_yaml_is_yaml() -> None:
    for _, text in blocks("yaml"):
        assert list(yaml.safe_load_all(text))


def test_whatever_stops_workers_waits_longer_than_their_grace() -> None:
    asked = r"(?:TimeoutStopSec=|stop_grace_period: |terminationGracePeriodSeconds: )(\d+)"
    guides = [ROOT / f"docs/guides/{name}.md" for name in ("systemd", "docker", "kubernetes")]
    for guide in guides:
        seconds = re.findall(asked, guide.read_text(encoding="utf-8"))
        assert seconds, guide
        assert all(int(n) >= conf.Settings.GRACE_SECONDS + 10 for n in seconds), guide


@pytest.mark.postgres
@pytest.mark.django_db
def test_statements_run() -> None:
    scaler = yaml.safe_load(next(text for _, text in blocks("yaml") if "ScaledObject" in text))
    (trigger,) = scaler["spec"]["triggers"]
    statements = [text for _, text in blocks("sql")]
    for statement in [trigger["metadata"]["query"], *statements]:
        with connection.cursor() as cursor:
            cursor.execute(statement)
            assert len(cursor.fetchall()) == 1
