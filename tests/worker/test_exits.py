from __future__ import annotations

import signal

from jobs.worker.exits import FORCED, Exit


def test_exit_codes_are_what_scripts_rely_on() -> None:
    assert {code.name: code.value for code in Exit} == {
        "OK": 0,
        "ERROR": 1,
        "USAGE": 2,
        "DATABASE": 3,
        "NOT_READY": 4,
        "RELEASED": 5,
        "JOB_FAILED": 6,
        "RECYCLE": 75,
    }


def test_a_forced_end_is_told_as_shells_tell_signals() -> None:
    assert {signal.SIGINT: 130, signal.SIGTERM: 143} == FORCED
