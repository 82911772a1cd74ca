"""What bin/test runs: pytest, a clear last line, and an exit code that no empty run can make 0."""

from __future__ import annotations

import os
import sys
import time
import traceback

import pytest

from devtools.skips import Skips


class Counts:
    """Counts a run's tests by outcome."""

    def __init__(self) -> None:
        self.passed = self.failed = self.deselected = 0
        self.skips = Skips()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed += 1
        elif report.skipped:
            self.skips.add(report)
        elif report.when == "call":
            self.passed += 1

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        self.deselected += len(items)

    def __str__(self) -> str:
        skipped = self.skips.total()
        return (
            f"{self.passed} passed, {self.failed} failed, {skipped} skipped,"
            f" {self.deselected} deselected"
        )


def parallel(arguments: list[str]) -> list[str]:
    """Arguments that spread a whole run over processes; a run of named tests stays in one."""
    if any(not argument.startswith("-") or argument.startswith("-n") for argument in arguments):
        return []
    # Many tests wait for worker processes, so there is room for more than one a core.
    return ["-n", str((os.cpu_count() or 1) + 1), "--dist", "loadfile"]


def main(arguments: list[str]) -> int:
    """Run pytest with the arguments; returns the exit code."""
    started = time.monotonic()
    counts = Counts()
    options = ["-c", "pyproject.toml", "-rs", *parallel(arguments), *arguments]
    try:
        code = int(pytest.main(options, plugins=[counts]))
    except Exception:
        # Raised after the run, such as for a resource that was not closed.
        traceback.print_exc()
        code = int(pytest.ExitCode.INTERNAL_ERROR)
    # Listing and help run no test and are right to.
    only_asked = {"--collect-only", "--co", "-h", "--help", "--version", "--markers", "--fixtures"}
    if only_asked & set(arguments):
        return code
    if code == 0 and not counts.passed:
        code = int(pytest.ExitCode.NO_TESTS_COLLECTED)
    unexpected = counts.skips.unexpected()
    for line in unexpected:
        print(f"bin/test: {line}")
    if unexpected:
        code = code or int(pytest.ExitCode.TESTS_FAILED)
    database = "SQLite" if os.environ.get("TEST_DATABASE_ENGINE") == "sqlite" else "PostgreSQL"
    verdict = {0: "OK", 2: "INTERRUPTED", 5: "FAILED, no test ran"}.get(code, "FAILED")
    seconds = time.monotonic() - started
    print(f"bin/test: {verdict} on {database}: {counts}, {seconds:.0f} s", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
