from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from devtools.skips import EXPECTED, Skips
from tests.support.processes import ROOT

REASON = "this Django has no Tasks"


def counted(*reasons: str) -> Skips:
    skips = Skips()
    for reason in reasons:
        skips.add(pytest.TestReport("a", ("a", 1, ""), {}, "skipped", ("a", 1, reason), "setup"))
    return skips


def test_a_skip_for_a_known_reason_is_expected() -> None:
    skips = counted(*(f"Skipped: {reason}" for reason in EXPECTED))
    assert (skips.total(), skips.unexpected()) == (len(EXPECTED), [])


def test_what_follows_a_known_reason_makes_no_difference() -> None:
    told = "this release's decorator takes no further options: unexpected argument"
    assert counted(f"Skipped: {told}").unexpected() == []


def test_more_of_them_than_there_are_tests_is_not() -> None:
    (line,) = counted(*[f"Skipped: {REASON}"] * (EXPECTED[REASON] + 1)).unexpected()
    assert line == f"{EXPECTED[REASON] + 1} skipped, at most {EXPECTED[REASON]} expected: {REASON}"


def test_another_reason_is_not() -> None:
    assert counted("Skipped: no time").unexpected() == ["1 skipped, at most 0 expected: no time"]


def test_a_run_with_an_unexpected_skip_fails_and_says_why(tmp_path: Path) -> None:
    module = tmp_path / "test_made_up.py"
    module.write_text(
        "import pytest\ndef test_passes(): pass\ndef test_skips(): pytest.skip('no time')\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "devtools.test", str(module), "-q", "--rootdir", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    last = done.stdout.splitlines()[-2:]
    assert last[0] == "bin/test: 1 skipped, at most 0 expected: no time"
    assert last[1].startswith("bin/test: FAILED")
    assert done.returncode == 1
