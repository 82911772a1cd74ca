"""What may be asked for: a job as the caller describes it, checked and encoded for the store."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils import timezone

from jobs import registry
from jobs.backoff import MAX_DELAY_SECONDS
from jobs.conf import conf
from jobs.errors import InvalidInput, shown
from jobs.payload import check_text, encode, normalise
from jobs.store.values import NewJob

_EARLIEST: Final = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
_LATEST: Final = dt.datetime(2200, 1, 1, tzinfo=dt.UTC)
_MAX_KEY: Final = 255
SCHEDULE_KEY_PREFIX: Final = "schedule:"
"""Begins the keys of the jobs of schedules; no other job may have one like it."""


@dataclass(frozen=True, kw_only=True)
class JobSpec:
    """A job to enqueue. None stands for the task's own value, or the settings'."""

    task: str | registry.Task
    payload: Mapping[str, Any] = field(default_factory=dict)
    args: Sequence[Any] = ()
    queue: str | None = None
    priority: int | None = None
    max_attempts: int | None = None
    timeout_seconds: float | None = None
    delay_seconds: float | None = None
    available_at: dt.datetime | None = None
    idempotency_key: str | None = None


def prepare(spec: JobSpec) -> NewJob:
    """Check and encode a spec; touches no database. Raises InvalidInput."""
    task = spec.task if isinstance(spec.task, registry.Task) else registry.get(spec.task)
    if not isinstance(spec.payload, Mapping):
        raise InvalidInput("payload", f"must be an object, not {type(spec.payload).__name__}")
    if not isinstance(spec.args, list | tuple):
        raise InvalidInput("args", f"must be a list, not {type(spec.args).__name__}")
    depth, size = conf.PAYLOAD_MAX_DEPTH, conf.PAYLOAD_MAX_BYTES
    payload = normalise(dict(spec.payload), "payload", max_depth=depth)
    args = normalise(spec.args, "args", max_depth=depth) if spec.args else []
    task.check_arguments(args, payload)
    delay = spec.delay_seconds
    if delay is not None:
        if spec.available_at is not None:
            raise InvalidInput("available_at", "cannot be given together with delay_seconds")
        delay = registry.check_seconds(delay, "delay_seconds", 0, MAX_DELAY_SECONDS)
    return NewJob(
        task=task.name,
        queue=task.queue if spec.queue is None else registry.check_queue(spec.queue),
        payload=encode(payload, "payload", max_bytes=size),
        args=encode(args, "args", max_bytes=size) if args else "[]",
        priority=task.priority if spec.priority is None else registry.check_priority(spec.priority),
        max_attempts=_max_attempts(spec, task),
        timeout_seconds=_timeout(spec, task),
        delay_seconds=delay,
        available_at=_check_time(spec.available_at),
        idempotency_key=check_key(spec.idempotency_key),
        idempotency_hash=""
        if spec.idempotency_key is None
        else _hash(spec, task.name, payload, args),
        tasks_backend=task.tasks_backend,
    )


def _max_attempts(spec: JobSpec, task: registry.Task) -> int:
    if spec.max_attempts is not None:
        return registry.check_max_attempts(spec.max_attempts)
    return conf.MAX_ATTEMPTS if task.max_attempts is None else task.max_attempts


def _timeout(spec: JobSpec, task: registry.Task) -> float | None:
    if spec.timeout_seconds is not None:
        return registry.check_timeout(spec.timeout_seconds)
    return conf.TIMEOUT_SECONDS if task.timeout_seconds is None else task.timeout_seconds


def _check_time(at: Any) -> dt.datetime | None:
    if at is None:
        return None
    if not isinstance(at, dt.datetime) or timezone.is_naive(at):
        raise InvalidInput("available_at", f"must be a datetime with a time zone, not {shown(at)}")
    try:
        inside = _EARLIEST <= at < _LATEST
    except OverflowError:
        inside = False
    if not inside:
        raise InvalidInput("available_at", f"must lie between {_EARLIEST.year} and {_LATEST.year}")
    return at


def words(actor: str, reason: str) -> dict[str, str]:
    """Who and why, as events keep them. Raises InvalidInput when they are too long."""
    return {
        "actor": check_text(actor, "actor", max_chars=150),
        "reason": check_text(reason, "reason", max_chars=500),
    }


def check_key(key: Any) -> str | None:
    """Keys are compared as they are, letter for letter; so nothing is trimmed, only refused."""
    if key is None:
        return None
    if not isinstance(key, str) or not 1 <= len(key) <= _MAX_KEY:
        raise InvalidInput("idempotency_key", f"must be a string of 1 to {_MAX_KEY} characters")
    if key != key.strip() or not key.isprintable():
        raise InvalidInput(
            "idempotency_key", "must be printable and must not begin or end with white space"
        )
    if key.startswith(SCHEDULE_KEY_PREFIX):
        raise InvalidInput(
            "idempotency_key",
            f"must not begin with {SCHEDULE_KEY_PREFIX!r}, as the keys of schedules do",
            code="reserved",
        )
    return key


def _hash(spec: JobSpec, task: str, payload: Any, args: Any) -> str:
    asked = {
        "task": task,
        "payload": payload,
        "args": args,
        "queue": spec.queue,
        "priority": spec.priority,
        "max_attempts": spec.max_attempts,
        "timeout_seconds": spec.timeout_seconds,
        "delay_seconds": spec.delay_seconds,
        "available_at": spec.available_at and spec.available_at.astimezone(dt.UTC).isoformat(),
    }
    return fingerprint(asked)


def fingerprint(asked: Any) -> str:
    """Hash of what was asked for; the order of keys does not matter, nor 1 against 1.0."""
    text = json.dumps(_canonical(asked), sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _canonical(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _canonical(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_canonical(item) for item in value]
    return value
