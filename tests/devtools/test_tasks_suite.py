"""Pointing Django's tests of its Tasks at our backend."""

from __future__ import annotations

import unittest
from pathlib import Path

from devtools import tasks_suite


class _Sample(unittest.TestCase):
    def test_one(self) -> None:
        raise AssertionError("one")

    def test_two(self) -> None:
        """Passes."""


_Sample.__test__ = False  # type: ignore[attr-defined]


def suite() -> unittest.TestSuite:
    return unittest.defaultTestLoader.loadTestsFromTestCase(_Sample)


def test_a_named_test_is_skipped_with_its_reason_and_the_others_run() -> None:
    chosen = suite()
    assert tasks_suite.skip(chosen, {"_Sample.test_one": "for a reason"}) == []
    result = unittest.TestResult()
    chosen.run(result)
    assert [reason for _, reason in result.skipped] == ["for a reason"]
    assert result.wasSuccessful()
    # Python 3.12.1 alone does not count what it skips.
    assert result.testsRun in (1, 2)


def test_a_reason_that_no_test_has_is_told() -> None:
    assert tasks_suite.skip(suite(), {"_Sample.test_three": "gone"}) == ["_Sample.test_three"]


def test_our_backends_take_the_place_of_djangos(tmp_path: Path) -> None:
    page = tmp_path / "tests.py"
    page.write_text(
        "from django.tasks.backends.dummy import DummyBackend\n"
        "from django.tasks.exceptions import InvalidTask, InvalidTaskBackend\n"
    )
    tasks_suite.repoint(tmp_path, backport=True)
    assert page.read_text() == (
        "from devtools.tasks_suite_backends import DummyBackend\n"
        "from django_tasks.exceptions import InvalidTaskError, InvalidTaskBackendError\n"
    )
