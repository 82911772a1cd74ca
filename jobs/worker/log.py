"""Log lines of the worker: events in, one aligned text line or one JSON object out."""

from __future__ import annotations

import datetime as dt
import json
import logging
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import asdict, is_dataclass
from typing import Any, Final

from jobs import instrument
from jobs.redaction import redact_text

logger = logging.getLogger("jobs.worker")

_LEVELS: Final = {
    "worker.lost_db": logging.WARNING,
    "worker.connection_cut": logging.WARNING,
    "worker.polling_only": logging.WARNING,
    "loop.blocked": logging.WARNING,
    "service.failing": logging.WARNING,
    "job.lease_lost": logging.WARNING,
    "job.rescued": logging.WARNING,
    "job.outcome_refused": logging.ERROR,
    "pool.died": logging.ERROR,
    "schedule.disabled": logging.ERROR,
    "schedule.failed": logging.ERROR,
    "schedule.refused": logging.ERROR,
}
_WORDS: Final = {
    "job.succeeded": "ok",
    "job.retrying": "retry",
    "job.failed": "dead",
    "job.cancelled": "cancel",
    "job.released": "release",
}
_SHORT: Final = {"WARNING": "WARN", "CRITICAL": "FATAL"}
_JOB_LEVELS: Final = {"job.retrying": logging.WARNING, "job.failed": logging.ERROR}


def install(log_format: str, *, quiet: bool = False) -> Callable[[], None]:
    """Log what the engine tells, as `text` or `json`; returns the way out.

    With `quiet` only warnings and errors.

    Logging is configured only where the project has not done so for the logger `jobs`.
    """
    root = logging.getLogger("jobs")
    if not root.hasHandlers():
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(JsonFormatter() if log_format == "json" else TextFormatter())
        root.addHandler(handler)
        root.setLevel(logging.INFO)
    if quiet:
        logger.setLevel(logging.WARNING)
    return instrument.subscribe(write)


def write(event: str, fields: dict[str, Any]) -> None:
    """The subscriber."""
    if event == "job.finished":
        event, fields = _job_outcome(fields)
    level = _JOB_LEVELS.get(event, _LEVELS.get(event, logging.INFO))
    if not logger.isEnabledFor(level):
        return
    plain = {
        key: asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
        for key, value in fields.items()
    }
    logger.log(level, "%s", event, extra={"event": event, "fields": plain})


def _job_outcome(fields: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    event = f"job.{instrument.ended_as(fields)}"
    told = {
        "job_id": fields["job_id"],
        "task": fields["task"],
        "queue": fields["queue"],
        "attempt": fields["attempt"],
        "max_attempts": fields["max_attempts"],
        "wait_ms": round(fields["wait_seconds"] * 1000, 1),
        "run_ms": round(fields["run_seconds"] * 1000, 1),
    }
    if event == "job.retrying":
        told["next_seconds"] = round(fields["delay_seconds"], 1)
    if fields["error"]:
        told["error"] = redact_text(fields["error"], fields["task"])
    return event, told


class TextFormatter(logging.Formatter):
    """`12:03:11.402 INFO  ok       4711 mail.send  q=mail a=1/5 wait=38ms run=287ms`."""

    def format(self, record: logging.LogRecord) -> str:
        at = dt.datetime.fromtimestamp(record.created, dt.UTC)
        clock = at.strftime("%H:%M:%S.") + f"{at.microsecond // 1000:03d}"
        event = getattr(record, "event", None)
        text = record.getMessage() if event is None else self._text(event, record.fields)  # type: ignore[attr-defined]
        if record.exc_info:
            text += "\n" + self.formatException(record.exc_info)
        return f"{clock} {_SHORT.get(record.levelname, record.levelname):<5} {text}"

    def _text(self, event: str, fields: dict[str, Any]) -> str:
        if event not in _WORDS:
            told = {key: value for key, value in fields.items() if key != "options"}
            pairs = " ".join(f"{key}={_one_line(str(value))}" for key, value in told.items())
            return f"{event} {pairs}".rstrip()
        parts = [
            f"{_WORDS[event]:<8} {fields['job_id']} {fields['task']}",
            f"q={fields['queue']} a={fields['attempt']}/{fields['max_attempts']}",
            f"wait={fields['wait_ms']:g}ms run={fields['run_ms']:g}ms",
        ]
        if "next_seconds" in fields:
            parts.append(f"next={fields['next_seconds']:g}s")
        if "error" in fields:
            parts.append(_one_line(fields["error"]))
        return " ".join(parts)


class JsonFormatter(logging.Formatter):
    """One JSON object a line: ts, level, event, pid, thread, then the event's own fields."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "ts": dt.datetime.fromtimestamp(record.created, dt.UTC).isoformat(
                timespec="milliseconds"
            ),
            "level": record.levelname.lower(),
            "event": getattr(record, "event", "log"),
            "pid": os.getpid(),
            "thread": record.threadName or threading.current_thread().name,
        }
        fields = getattr(record, "fields", None)
        line |= {"msg": record.getMessage()} if fields is None else fields
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


def _one_line(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 200 else flat[:199] + "…"
