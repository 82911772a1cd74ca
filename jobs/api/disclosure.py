"""What the request at hand is shown of payloads, results and errors: the one place that decides.

Whoever lacks the permission `view_payload` sees keys and types. The others see values, but for the
secrets that `jobs.redaction` takes out and what `QFORGE["FORMAT_PAYLOAD"]` makes of the rest. The
fields below `jobs.api.serializers` and the few documents that are built without one ask here, so
that no view can forget to; outside of a request nothing is shown.
"""

from __future__ import annotations

import functools
import json
import logging
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from django.utils.module_loading import import_string

from jobs.conf import conf
from jobs.payload import clean_text
from jobs.previews import beginning
from jobs.redaction import HIDDEN, keys_only, redact, redact_args, redact_text
from jobs.states import EventKind, JobStatus

PREVIEW_CHARS: Final = 200
NOT_SHOWN: Final = "[could not be shown]"
_TYPE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*(?=:|$)")
# What the engine and people say of an attempt, and never a handler.
_PLAIN_DATA: Final = frozenset(
    {"actor", "cause", "dropped", "kept_from", "lost_worker", "operation", "run_seconds"}
)
_PLAIN_ERROR: Final = frozenset({"type", "fingerprint"})

_logger = logging.getLogger("jobs.api")
_allowed: ContextVar[Callable[[], bool]] = ContextVar("allowed", default=lambda: False)


@contextmanager
def shown_to(allowed: Callable[[], bool]) -> Iterator[None]:
    """Within it values are shown if `allowed()`, which is asked once at most."""
    token = _allowed.set(functools.cache(allowed))
    try:
        yield
    finally:
        _allowed.reset(token)


def visible() -> bool:
    """Whether values are shown at all."""
    return _allowed.get()()


def payload(value: Any, task: str) -> Any:
    return _value(value, task, "payload", redact)


def args(value: Any, task: str) -> Any:
    return _value(value, task, "args", redact_args)


def result(value: Any, task: str) -> Any:
    return _value(value, task, "result", redact)


def _value(value: Any, task: str, kind: str, clean: Callable[[Any, str], Any]) -> Any:
    if value is None:
        return None
    if not visible():
        return keys_only(value)
    cleaned = clean(value, task)
    if conf.FORMAT_PAYLOAD is None:
        return cleaned
    try:
        formatted = import_string(conf.FORMAT_PAYLOAD)(task, kind, cleaned)
        return json.loads(json.dumps(formatted))
    except Exception:
        # Showing it all the same could show what the function would have taken out.
        _logger.exception("FORMAT_PAYLOAD failed on the %s of a job of %s", kind, task)
        return NOT_SHOWN


def payload_preview(text: str, task: str) -> str:
    """The beginning of a payload, whose JSON text the database has cut off."""
    value = beginning(text)
    if value is None:
        return ""
    shown = payload(value, task)
    if shown is value:
        return text
    # Spaced as PostgreSQL does.
    return clean_text(json.dumps(shown, ensure_ascii=False)[:PREVIEW_CHARS], PREVIEW_CHARS)


def error(text: str, task: str) -> str:
    return redact_text(text, task) if visible() else _type_of(text)


def error_line(end: str, start: str, task: str) -> str:
    """The last line of an error, of which the database gave the end and the start."""
    if not visible():
        return _type_of(start)
    lines = end.strip().splitlines()
    return redact_text(lines[-1].strip(), task) if lines else ""


def _type_of(text: str) -> str:
    """Of `ValueError: 4711 is no number` the name, and nothing of what is no exception."""
    found = _TYPE.match(text)
    return found[0] if found else ""


def progress(value: Any, task: str) -> Any:
    """What a handler says of itself while it runs."""
    if isinstance(value, dict) and not visible():
        return {key: item if key == "percent" else None for key, item in value.items()}
    return redact(value, task)


def event_data(event: Mapping[str, Any], task: str) -> Any:
    """The data of an event; `event` has its kind and from_status as well."""
    data = event["data"]
    if visible():
        return redact(data, task)
    if not isinstance(data, dict):
        return keys_only(data)
    by_handler = (
        event["from_status"] == JobStatus.RUNNING
        and event["kind"] != EventKind.RESCUED
        and "actor" not in data
    )
    shown = {}
    for key, item in data.items():
        if key == "error":
            shown[key] = _error_data(item)
        else:
            plain = key in _PLAIN_DATA or (key == "reason" and not by_handler)
            shown[key] = item if plain else HIDDEN
    return shown


def _error_data(item: Any) -> Any:
    if isinstance(item, dict):
        return {key: text if key in _PLAIN_ERROR else HIDDEN for key, text in item.items()}
    return _type_of(item) if isinstance(item, str) else HIDDEN
