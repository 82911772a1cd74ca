"""Runs Django's own tests of its Tasks against QForge's backend: `python -m devtools.tasks_suite`.

They come with Django's source distribution, which pip fetches; nothing of it is kept. Where they
ask for Django's dummy backend they get ours, and where they ask for the immediate one they get ours
with a worker that runs at once. On a Django without Tasks the tests of the newest are run against
the package `django-tasks`, whose names differ.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import unittest
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from devtools.ephemeral import ephemeral

NEWEST: Final = "django>=6.1,<6.2"
SKIPPED: Final = {
    "DummyBackendTestCase.test_refresh_result": "it changes a result in the dummy's memory",
    "DummyBackendTestCase.test_refresh_result_async": "it changes a result in the dummy's memory",
    "ImmediateBackendTestCase.test_cannot_get_result": "QForge keeps results",
    "ImmediateBackendTestCase.test_cannot_refresh_result": "QForge keeps results",
    "ImmediateBackendTestCase.test_cannot_pass_run_after": "QForge knows run_after",
    "ImmediateBackendTestCase.test_throws_keyboard_interrupt": (
        "a task's KeyboardInterrupt is a failed attempt and ends no worker"
    ),
}
SKIPPED_ON_BACKPORT: Final = {
    "TaskTestCase.test_pickle_task": "tasks of django-tasks 0.12 cannot be pickled",
    "TaskTestCase.test_pickle_task_result": "tasks of django-tasks 0.12 cannot be pickled",
    "TaskTestCase.test_unpickle_arbitrary_string": "tasks of django-tasks 0.12 cannot be pickled",
    "TaskTestCase.test_unpickle_non_task_object": "tasks of django-tasks 0.12 cannot be pickled",
    "TaskTestCase.test_run_after_in_decorator": "django-tasks 0.12 words its TypeError otherwise",
    "CustomBackendTestCase.test_no_enqueue": "Python 3.11 words its TypeError otherwise",
}
_OURS: Final = {
    "django.tasks.backends.dummy": "devtools.tasks_suite_backends",
    "django.tasks.backends.immediate": "devtools.tasks_suite_backends",
    # They touch a database now.
    "SimpleTestCase": "TransactionTestCase",
}
_BACKPORT: Final = {
    "from django.tasks import Task, ": (
        "from django_tasks.base import Task\nfrom django_tasks import "
    ),
    "django.tasks": "django_tasks",
    "InvalidTaskBackend": "InvalidTaskBackendError",
    "InvalidTask,": "InvalidTaskError,",
    "InvalidTask\n": "InvalidTaskError\n",
    "does not support async Tasks.": "does not support async tasks.",
}


def fetch(folder: Path) -> Path:
    """Download the source distribution into `folder`; returns the folder of the tests."""
    import django

    wanted = f"django=={django.get_version()}" if find_spec("django.tasks") else NEWEST
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--no-binary", "django", "--ignore-requires-python", "--dest", str(folder), wanted]
    subprocess.run(command, check=True)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    (tests,) = folder.glob("*/tests/tasks")
    return tests


def repoint(tests: Path, *, backport: bool) -> None:
    """Write the names of our backends, and of the package, into the tests."""
    for path in tests.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        for old, new in {**_OURS, **(_BACKPORT if backport else {})}.items():
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")


def cases(suite: unittest.TestSuite) -> Iterator[Any]:
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from cases(each)
        else:
            yield each


def skip(suite: unittest.TestSuite, reasons: dict[str, str]) -> list[str]:
    """Mark the tests that have a reason; returns the reasons no test has asked for."""
    unused = dict(reasons)
    for case in cases(suite):
        name = f"{type(case).__name__}.{case._testMethodName}"
        if name in reasons:
            method = getattr(case, case._testMethodName)
            setattr(case, case._testMethodName, unittest.skip(reasons[name])(method))
            unused.pop(name, None)
    return list(unused)


def run(tests: Path) -> int:
    """Run the tests that stand in a folder; returns the exit code."""
    import django
    from django.test.runner import DiscoverRunner

    backport = find_spec("django.tasks") is None
    repoint(tests, backport=backport)
    sys.path.insert(0, str(tests.parent))
    django.setup()
    runner = DiscoverRunner(verbosity=1, interactive=False)
    suite = runner.build_suite(["tasks"])
    unused = skip(suite, SKIPPED | (SKIPPED_ON_BACKPORT if backport else {}))
    runner.setup_test_environment()
    # Never torn down: async tests leave connections behind, and the server goes as a whole.
    runner.setup_databases()
    result: Any = runner.run_suite(suite)
    for case, reason in result.skipped:
        print(f"skipped: {case}: {reason}")
    home = "django-tasks" if backport else "django.tasks"
    failed = len(result.failures) + len(result.errors)
    ran = result.testsRun - len(result.skipped)
    print(
        f"tasks suite: Python {sys.version.split()[0]}, Django {django.get_version()}, {home}:"
        f" {ran} run, {failed} failed, {len(result.skipped)} skipped"
    )
    for name in unused:
        print(f"tasks suite: no test {name}, which was to be skipped")
    return 1 if failed or unused or not ran else 0


def main() -> int:
    os.environ.setdefault("SECRET_KEY", "for tests only")
    # Some ask for a result from async code without awaiting it, which a database does not like.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    os.environ["DJANGO_SETTINGS_MODULE"] = "devtools.tasks_suite_settings"
    with tempfile.TemporaryDirectory() as name, ephemeral() as server:
        server.create_database("qforge")
        os.environ["DATABASE_URL"] = server.url("qforge")
        return run(fetch(Path(name)))


if __name__ == "__main__":
    sys.exit(main())
