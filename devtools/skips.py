"""The skips that a run of the tests may have: what a machine or a Django cannot do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

import pytest

EXPECTED: Final[Mapping[str, int]] = {
    "no redis-server": 1,
    "root steps down to another account": 3,
    "no Python here that an ordinary user can start": 1,
    "the clone does not reach back to before the migration": 3,
    "only one home of the Tasks API is installed": 1,
    "this Django has no Tasks": 1,
    "the decorator of Django 6.0 takes no options of a backend's": 1,
    "this release's decorator takes no further options": 1,
}
"""The beginning of a reason, and how many tests may have it."""


class Skips:
    """Counts a run's skips by their reasons."""

    def __init__(self) -> None:
        self._found: Counter[str] = Counter()

    def add(self, report: pytest.TestReport) -> None:
        """Count one of a skipped test."""
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reason = reason.removeprefix("Skipped: ")
        known = (start for start in EXPECTED if reason.startswith(start))
        self._found[next(known, reason)] += 1

    def total(self) -> int:
        return self._found.total()

    def unexpected(self) -> list[str]:
        """What nobody has foreseen, one line for each reason."""
        return [
            f"{count} skipped, at most {EXPECTED.get(reason, 0)} expected: {reason}"
            for reason, count in sorted(self._found.items())
            if count > EXPECTED.get(reason, 0)
        ]
