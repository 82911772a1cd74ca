"""Rules about the code itself: sizes, who writes what, and what an import may do."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted((ROOT / "jobs").rglob("*.py"))
SOFT_LIMIT, HARD_LIMIT = 200, 400

LONGER_THAN_THE_SOFT_LIMIT = {
    "jobs/api/views/jobs.py": "one resource, a method for each of its requests",
    "jobs/api/workflows.py": "one resource, a method for each of its requests",
    "jobs/conf.py": "a key, its type, default and meaning each, and their bounds",
    "jobs/lifecycle.py": "the verbs, side by side",
    "jobs/models/job.py": "one table: its columns, constraints and indexes",
    "jobs/registry.py": "the task with every check of its options",
    "jobs/states.py": "the state table, and the words for all that has a status",
    "jobs/store/values.py": "plain values and their constructors, side by side",
    "jobs/worker/exchange.py": "one protocol between threads",
    "jobs/worker/pool.py": "the parts of a process put together",
    "jobs/workflows/definition.py": "what a workflow may say, checked part by part",
}
WRITES_ROWS = re.compile(
    r"\b(UPDATE|INSERT\s+INTO|DELETE\s+FROM)\s+(ONLY\s+)?jobs\b", re.IGNORECASE
)
WRITING_METHODS = {"bulk_create", "bulk_update", "create", "get_or_create", "update_or_create"}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def is_migration(path: Path) -> bool:
    return "migrations" in path.parts


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def trees(*, outside: str = "") -> Iterator[tuple[str, ast.Module]]:
    for path in FILES:
        name = name_of(path)
        if not is_migration(path) and not (outside and name.startswith(outside)):
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def test_no_file_is_over_the_hard_limit() -> None:
    too_long = {name_of(path): lines_of(path) for path in FILES if not is_migration(path)}
    assert {name: count for name, count in too_long.items() if count > HARD_LIMIT} == {}


def test_every_file_over_the_soft_limit_is_known_with_a_reason() -> None:
    found = {name_of(p) for p in FILES if not is_migration(p) and lines_of(p) > SOFT_LIMIT}
    assert sorted(found - set(LONGER_THAN_THE_SOFT_LIMIT)) == []


def test_every_module_says_what_it_is_for() -> None:
    silent = [name for name, tree in trees() if tree.body and ast.get_docstring(tree) is None]
    assert silent == []


def writes_of_jobs(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if WRITES_ROWS.search(node.value):
                yield f"line {node.lineno}: SQL that writes jobs"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            called, source = node.func.attr, ast.unparse(node.func.value)
            keywords = {keyword.arg for keyword in node.keywords}
            if called == "update" and "status" in keywords:
                yield f"line {node.lineno}: an update of status"
            elif called in WRITING_METHODS and "Job.objects" in source:
                yield f"line {node.lineno}: {called} of jobs"


def test_only_the_store_writes_the_status_of_jobs() -> None:
    found = {name: list(writes_of_jobs(tree)) for name, tree in trees(outside="jobs/store/")}
    assert {name: writes for name, writes in found.items() if writes} == {}


def test_that_rule_can_tell_a_write() -> None:
    wrong = """
        Job.objects.filter(pk=1).update(status="queued")
        Job.objects.using("a").bulk_create([])
        cursor.execute("UPDATE jobs SET status = 'queued'")
        cursor.execute("delete from jobs where id = 1")
    """
    assert len(list(writes_of_jobs(ast.parse(textwrap.dedent(wrong))))) == 4
    right = (
        "Job.objects.filter(pk=1).update(progress=1)\nhashlib.sha256().update(b'')\n'update job'"
    )
    assert list(writes_of_jobs(ast.parse(right))) == []


def test_no_signal_carries_core_flow() -> None:
    signals = re.compile(r"^\s*(from|import) django\.(db\.models\.signals|dispatch)", re.MULTILINE)
    found = [name_of(path) for path in FILES if signals.search(path.read_text(encoding="utf-8"))]
    # Django says that settings were changed. The others tell applications; nothing of ours
    # listens to it.
    assert found == ["jobs/conf.py", "jobs/signals.py", "jobs/tasks_backend/signals.py"]


def python(code: str, **environment: str) -> str:
    """Output of the code in a fresh interpreter, where warnings are errors."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT,
        env=kept | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_importing_the_package_needs_no_settings_and_imports_no_model() -> None:
    code = """
import sys, jobs
print(sorted(n for n in sys.modules if n.startswith(("django", "psycopg", "jobs."))))
"""
    assert python(code) == "[]"


SETUP = """
import sys, threading
seen = []
watched = {"socket.connect", "sqlite3.connect", "subprocess.Popen", "os.fork"}
watched |= {"_thread.start_new_thread", "_thread.start_joinable_thread"}
sys.addaudithook(lambda event, args: seen.append(event) if event in watched else None)
import django
django.setup()
import jobs.client, jobs.urls, jobs.lifecycle
from django.core.checks import run_checks
assert not run_checks(tags=["qforge"])
from django.db import connections
assert all(c.connection is None for c in connections.all(initialized_only=True))
assert threading.active_count() == 1, threading.enumerate()
print(seen)
"""


@pytest.mark.parametrize(
    "url", ["postgres://nobody@127.0.0.1:1/nothing", "sqlite:////nonexistent/folder/db.sqlite3"]
)
def test_setting_up_django_opens_no_connection_and_starts_no_thread(url: str) -> None:
    environment = {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "SECRET_KEY": "for tests only",
        "DATABASE_URL": url,
    }
    assert python(SETUP, **environment) == "[]"


def test_every_public_name_loads_by_itself() -> None:
    code = """
import django
django.setup()
import jobs
missing = [name for name in jobs.__all__ if not hasattr(jobs, name)]
print(missing, set(jobs._HOME) ^ set(jobs.__all__))
"""
    environment = {"DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": "for tests only"}
    assert python(code, **environment) == "[] set()"
