from __future__ import annotations

import datetime as dt
import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from jobs import instrument
from jobs.worker import log
from jobs.worker.log import JsonFormatter, TextFormatter
from jobs.worker.options import PoolOptions

FINISHED: dict[str, Any] = {
    "job_id": 4711,
    "task": "mail.send",
    "queue": "mail",
    "attempt": 1,
    "max_attempts": 5,
    "verb": "succeed",
    "permanent": False,
    "delay_seconds": 0.0,
    "error": "",
    "wait_seconds": 0.0384,
    "run_seconds": 0.28712,
}
FAILING = {"verb": "fail", "delay_seconds": 9.96, "error": "ValueError: no\n  such   user"}
AT = dt.datetime(2026, 3, 1, 12, 3, 11, 402_900, tzinfo=dt.UTC).timestamp()


class Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        record.created = AT
        self.records.append(record)


@pytest.fixture
def kept() -> Iterator[list[logging.LogRecord]]:
    """Everything the worker logs, at noon and some."""
    handler = Kept()
    log.logger.addHandler(handler)
    level = log.logger.level
    log.logger.setLevel(logging.INFO)
    yield handler.records
    log.logger.setLevel(level)
    log.logger.removeHandler(handler)


def text(kept: list[logging.LogRecord]) -> str:
    return TextFormatter().format(kept[-1])


def from_json(kept: list[logging.LogRecord]) -> dict[str, Any]:
    line = JsonFormatter().format(kept[-1])
    assert "\n" not in line
    found: dict[str, Any] = json.loads(line)
    return found


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({}, "INFO  ok       4711 mail.send q=mail a=1/5 wait=38.4ms run=287.1ms"),
        (
            FAILING,
            "WARN  retry    4711 mail.send q=mail a=1/5 wait=38.4ms run=287.1ms next=10s"
            " ValueError: no such user",
        ),
        (
            FAILING | {"attempt": 5},
            "ERROR dead     4711 mail.send q=mail a=5/5 wait=38.4ms run=287.1ms"
            " ValueError: no such user",
        ),
        (
            FAILING | {"permanent": True},
            "ERROR dead     4711 mail.send q=mail a=1/5 wait=38.4ms run=287.1ms"
            " ValueError: no such user",
        ),
        (
            {"verb": "cancel"},
            "INFO  cancel   4711 mail.send q=mail a=1/5 wait=38.4ms run=287.1ms",
        ),
        (
            {"verb": "release"},
            "INFO  release  4711 mail.send q=mail a=1/5 wait=38.4ms run=287.1ms",
        ),
    ],
)
def test_the_end_of_an_attempt_is_one_line_of_text(
    kept: list[logging.LogRecord], change: dict[str, Any], line: str
) -> None:
    log.write("job.finished", FINISHED | change)
    assert text(kept) == f"12:03:11.402 {line}"


def test_the_end_of_an_attempt_is_one_object_of_json(kept: list[logging.LogRecord]) -> None:
    log.write("job.finished", FINISHED | FAILING)
    assert from_json(kept) == {
        "ts": "2026-03-01T12:03:11.402+00:00",
        "level": "warning",
        "event": "job.retrying",
        "pid": os.getpid(),
        "thread": "MainThread",
        "job_id": 4711,
        "task": "mail.send",
        "queue": "mail",
        "attempt": 1,
        "max_attempts": 5,
        "wait_ms": 38.4,
        "run_ms": 287.1,
        "next_seconds": 10.0,
        "error": "ValueError: no\n  such   user",
    }


def test_other_events_are_a_name_and_pairs(kept: list[logging.LogRecord]) -> None:
    log.write("worker.stopped", {"worker": "w1", "released": 2})
    assert text(kept) == "12:03:11.402 INFO  worker.stopped worker=w1 released=2"
    assert from_json(kept) == {
        "ts": "2026-03-01T12:03:11.402+00:00",
        "level": "info",
        "event": "worker.stopped",
        "pid": os.getpid(),
        "thread": "MainThread",
        "worker": "w1",
        "released": 2,
    }


def test_the_options_are_told_to_programs_only(kept: list[logging.LogRecord]) -> None:
    log.write("worker.started", {"worker": "w1", "options": PoolOptions(threads=3)})
    assert text(kept) == "12:03:11.402 INFO  worker.started worker=w1"
    assert from_json(kept)["options"]["threads"] == 3


def test_what_a_database_says_in_several_lines_stays_one_line(
    kept: list[logging.LogRecord],
) -> None:
    said = 'connection failed: FATAL\n\tIs the server "db" running?\n'
    log.write("worker.lost_db", {"worker": "w1", "error": said})
    assert text(kept) == (
        "12:03:11.402 WARN  worker.lost_db worker=w1"
        ' error=connection failed: FATAL Is the server "db" running?'
    )


def test_a_secret_of_an_error_does_not_reach_the_log(kept: list[logging.LogRecord]) -> None:
    told = {"error": "Refused: login(password='hunter2')"}
    log.write("job.finished", FINISHED | FAILING | told)
    assert "hunter2" not in text(kept) + str(from_json(kept))
    assert "login(password=[redacted])" in text(kept)


def test_a_long_error_is_cut_in_text_and_whole_in_json(kept: list[logging.LogRecord]) -> None:
    log.write("job.finished", FINISHED | FAILING | {"error": "x" * 1000})
    assert text(kept).endswith(" " + "x" * 199 + "…")
    assert from_json(kept)["error"] == "x" * 1000


@pytest.mark.parametrize(
    ("event", "level"),
    [
        ("worker.started", logging.INFO),
        ("worker.lost_db", logging.WARNING),
        ("job.lease_lost", logging.WARNING),
        ("job.outcome_refused", logging.ERROR),
        ("pool.died", logging.ERROR),
    ],
)
def test_events_have_levels(kept: list[logging.LogRecord], event: str, level: int) -> None:
    log.write(event, {"error": "wrong"})
    assert kept[-1].levelno == level


def test_a_line_below_the_level_is_not_made(kept: list[logging.LogRecord]) -> None:
    log.logger.setLevel(logging.WARNING)
    log.write("job.finished", FINISHED)
    assert kept == []
    log.write("job.finished", FINISHED | FAILING)
    assert len(kept) == 1


def test_plain_records_are_formatted_too() -> None:
    record = logging.LogRecord("jobs.x", logging.CRITICAL, "x.py", 1, "lost %s", ("it",), None)
    record.created = AT
    assert TextFormatter().format(record) == "12:03:11.402 FATAL lost it"
    line = json.loads(JsonFormatter().format(record))
    assert (line["event"], line["msg"], line["level"]) == ("log", "lost it", "critical")


def test_a_traceback_follows_the_line_and_is_a_field_in_json() -> None:
    try:
        raise ValueError("wrong")
    except ValueError:
        record = logging.LogRecord("jobs.x", logging.ERROR, "x.py", 1, "failed", (), sys.exc_info())
    record.created = AT
    lines = TextFormatter().format(record).splitlines()
    assert lines[0] == "12:03:11.402 ERROR failed"
    assert lines[-1] == "ValueError: wrong"
    assert json.loads(JsonFormatter().format(record))["exception"].endswith("ValueError: wrong")


def test_json_is_made_of_values_that_json_does_not_know() -> None:
    record = logging.LogRecord("jobs.x", logging.INFO, "x.py", 1, "x", (), None)
    record.event, record.fields = "tests.event", {"at": dt.date(2026, 3, 1), "text": "schön"}
    line = JsonFormatter().format(record)
    assert json.loads(line)["at"] == "2026-03-01"
    assert "schön" in line


@contextmanager
def bare() -> Iterator[logging.Logger]:
    """The logger `jobs` in a project that has configured nothing."""
    logger = logging.getLogger("jobs")
    level, handlers, propagate = logger.level, logger.handlers, logger.propagate
    logger.handlers, logger.propagate = [], False
    try:
        yield logger
    finally:
        logger.setLevel(level)
        logger.handlers, logger.propagate = handlers, propagate


@pytest.mark.parametrize(("name", "kind"), [("text", TextFormatter), ("json", JsonFormatter)])
def test_where_nothing_is_configured_the_worker_logs_to_stderr(
    name: str, kind: type, capsys: pytest.CaptureFixture[str]
) -> None:
    with bare() as logger:
        unsubscribe = log.install(name)
        try:
            assert [type(handler.formatter) for handler in logger.handlers] == [kind]
            instrument.emit("job.finished", **FINISHED)
        finally:
            unsubscribe()
        assert "4711" in capsys.readouterr().err
        instrument.emit("job.finished", **FINISHED)
        assert capsys.readouterr().err == ""


def test_the_logging_of_the_project_is_left_as_it_is() -> None:
    with bare() as logger:
        own = Kept()
        logger.addHandler(own)
        logger.setLevel(logging.ERROR)
        log.install("text")()
        assert (logger.handlers, logger.level) == ([own], logging.ERROR)
