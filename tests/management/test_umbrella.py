from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from jobs.management.subcommands import NAMES
from tests.management.terminal import run_from_argv
from tests.support.processes import ROOT, url_of


def test_a_misspelt_subcommand_is_told_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run_from_argv(capsys, "jobs", "statsu")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "jobs has no subcommand 'statsu'. Did you mean 'status'?\n"


def test_a_word_that_is_like_none_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run_from_argv(capsys, "jobs", "xyzzy")
    assert ran.code == 2
    assert ran.err == f"jobs has no subcommand 'xyzzy'. Choose {', '.join(NAMES)}.\n"


def test_without_a_subcommand_the_usage_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run_from_argv(capsys, "jobs")
    assert (ran.code, ran.out) == (2, "")
    assert "usage: manage.py jobs" in ran.err


def test_help_names_every_subcommand(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run_from_argv(capsys, "jobs", "--help")
    assert ran.code == 0
    for name in NAMES:
        assert f"\n    {name} " in ran.out


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["status", "--watch", "0"], "from 0.1 to 86400"),
        (["status", "--max-dead", "-1"], "from 0 to 9,999, not '-1'"),
        (["status", "--min-workers", "x"], "from 0 to 100,000, not 'x'"),
        (["status", "--max-ready-age", "nan"], "from 0 to 315360000, not 'nan'"),
        (["prune", "--status", "queued"], "invalid choice: 'queued'"),
        (["prune", "--older-than-seconds", "-1"], "from 0 to 3153600000, not '-1'"),
        (["loadtest", "--jobs", "0"], "from 1 to 100,000, not '0'"),
        (["loadtest", "--delayed", "1.5"], "from 0 to 1, not '1.5'"),
        (["loadtest", "--timeout", "inf"], "from 1 to 86400, not 'inf'"),
        (["loadtest", "--concurrency", "²"], "from 1 to 500, not '²'"),
    ],
)
def test_a_value_out_of_bounds_names_option_and_bounds(arguments: list[str], error: str) -> None:
    option = next(word for word in arguments if word.startswith("--"))
    with pytest.raises(CommandError, match=f"argument {option}") as caught:
        call_command("jobs", *arguments)
    assert error in str(caught.value)


@pytest.mark.process
@pytest.mark.postgres
def test_a_reader_that_leaves_early_gets_no_traceback(committed_db: None) -> None:
    database = url_of(connections["default"].settings_dict)
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run(
        [sys.executable, "manage.py", "jobs", "status"],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": database},
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
        timeout=30,
    )
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (128 + signal.SIGPIPE, b"")
