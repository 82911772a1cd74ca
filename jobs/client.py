"""What applications import, as `from jobs import task, enqueue, enqueue_many, cancel, retry`."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, overload

from django.utils import timezone

from jobs import lifecycle, registry
from jobs.backoff import MAX_DELAY_SECONDS
from jobs.conf import conf
from jobs.errors import InvalidInput
from jobs.models import Job
from jobs.payload import encode, normalise
from jobs.store.connections import alias
from jobs.store.values import EnqueuedJob, NewJob

_EARLIEST: Final = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
_LATEST: Final = dt.datetime(2200, 1, 1, tzinfo=dt.UTC)
_MAX_KEY: Final = 255


@dataclass(frozen=True, eq=False)
class Task(registry.Task):
    """A task as `@task` returns it: call it to run it here, `enqueue` it to run it in a worker."""

    def enqueue(self, **payload: Any) -> EnqueuedJob:
        """Enqueue with these keyword arguments and the task's own options."""
        return enqueue(self, payload)


@overload
def task(handler: Callable[..., Any], /) -> Task: ...
@overload
def task(
    *,
    name: str | None = None,
    queue: str = registry.DEFAULT_QUEUE,
    priority: int = 0,
    max_attempts: int | None = None,
    timeout: float | None = None,
    backoff: registry.Backoff | None = None,
    permanent: tuple[type[BaseException], ...] = (),
) -> Callable[[Callable[..., Any]], Task]: ...


def task(
    handler: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    queue: str = registry.DEFAULT_QUEUE,
    priority: int = 0,
    max_attempts: int | None = None,
    timeout: float | None = None,
    backoff: registry.Backoff | None = None,
    permanent: tuple[type[BaseException], ...] = (),
) -> Task | Callable[[Callable[..., Any]], Task]:
    """Register a handler, a function or coroutine function.

    `name` defaults to `module.function`. `priority` is -100 to 100, higher first. `max_attempts`
    counts all tries. `timeout` is in seconds from an attempt's start. `backoff` is a RetryPolicy
    or `f(attempt, error) -> seconds | None`. `permanent` are exceptions that no retry can help.
    A parameter named `context` is given the JobContext. Raises InvalidInput, a ValueError, for an
    option out of bounds and ValueError for a name that another handler has.
    """

    def decorate(function: Callable[..., Any]) -> Task:
        made = Task(
            name=name or f"{function.__module__}.{function.__qualname__}",
            handler=function,
            queue=queue,
            priority=priority,
            max_attempts=max_attempts,
            timeout_seconds=timeout,
            backoff=backoff,
            permanent=permanent,
        )
        registry.register(made)
        return made

    return decorate if handler is None else decorate(handler)


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


def enqueue(
    task: str | registry.Task,
    payload: Mapping[str, Any] | None = None,
    *,
    args: Sequence[Any] = (),
    queue: str | None = None,
    priority: int | None = None,
    max_attempts: int | None = None,
    timeout_seconds: float | None = None,
    delay_seconds: float | None = None,
    available_at: dt.datetime | None = None,
    idempotency_key: str | None = None,
) -> EnqueuedJob:
    """Enqueue one job, inside the transaction that is open, if any.

    `payload` are the handler's keyword arguments. A key that has a job already gives that job,
    with `created` False. Raises InvalidInput (a ValueError naming the field) before any SQL,
    UnknownTask, and IdempotencyConflict when the key's job was asked for differently.
    """
    spec = JobSpec(
        task=task,
        payload={} if payload is None else payload,
        args=args,
        queue=queue,
        priority=priority,
        max_attempts=max_attempts,
        timeout_seconds=timeout_seconds,
        delay_seconds=delay_seconds,
        available_at=available_at,
        idempotency_key=idempotency_key,
    )
    return lifecycle.enqueue(alias(), [prepare(spec)])[0]


def enqueue_many(specs: Iterable[JobSpec]) -> list[EnqueuedJob]:
    """Enqueue all or none, in a statement for each 5,000; the answers come in the same order.

    Raises as `enqueue` does; the field is then `jobs[n].…`.
    """
    prepared = []
    for position, spec in enumerate(specs):
        try:
            prepared.append(prepare(spec))
        except InvalidInput as error:
            error.field = f"jobs[{position}].{error.field}"
            error.args = (f"{error.field}: {error.message}",)
            raise
    return lifecycle.enqueue(alias(), prepared) if prepared else []


def cancel(job_id: int, *, actor: str = "", reason: str = "") -> Job:
    """Cancel a waiting job, or ask a running one to stop. Raises JobNotFound, IllegalTransition."""
    return lifecycle.cancel(alias(), job_id, actor=actor, reason=reason)


def retry(job_id: int, *, actor: str = "", reason: str = "") -> Job:
    """Queue a failed or cancelled job anew. Raises JobNotFound, IllegalTransition."""
    return lifecycle.retry(alias(), job_id, actor=actor, reason=reason)


def prepare(spec: JobSpec) -> NewJob:
    """Check and encode a spec; touches no database. Raises InvalidInput."""
    task = spec.task if isinstance(spec.task, registry.Task) else registry.get(spec.task)
    if not isinstance(spec.payload, Mapping):
        raise InvalidInput("payload", f"must be an object, not {type(spec.payload).__name__}")
    if not isinstance(spec.args, list | tuple):
        raise InvalidInput("args", f"must be a list, not {type(spec.args).__name__}")
    depth, size = conf.PAYLOAD_MAX_DEPTH, conf.PAYLOAD_MAX_BYTES
    payload = normalise(dict(spec.payload), "payload", max_depth=depth)
    args = normalise(spec.args, "args", max_depth=depth)
    task.check_arguments(args, payload)
    delay = spec.delay_seconds
    if delay is not None:
        if spec.available_at is not None:
            raise InvalidInput("available_at", "cannot be given together with delay_seconds")
        delay = registry.check_seconds(delay, "delay_seconds", 0, MAX_DELAY_SECONDS)
    max_attempts = _first(spec.max_attempts, task.max_attempts, conf.MAX_ATTEMPTS)
    timeout = _first(spec.timeout_seconds, task.timeout_seconds, conf.TIMEOUT_SECONDS)
    return NewJob(
        task=task.name,
        queue=registry.check_queue(_first(spec.queue, task.queue)),
        payload=encode(payload, "payload", max_bytes=size),
        args=encode(args, "args", max_bytes=size),
        priority=registry.check_priority(_first(spec.priority, task.priority)),
        max_attempts=registry.check_max_attempts(max_attempts),
        timeout_seconds=None if timeout is None else registry.check_timeout(timeout),
        delay_seconds=delay,
        available_at=_check_time(spec.available_at),
        idempotency_key=_check_key(spec.idempotency_key),
        idempotency_hash=""
        if spec.idempotency_key is None
        else _hash(spec, task.name, payload, args),
    )


def _first(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)


def _check_time(at: Any) -> dt.datetime | None:
    if at is None:
        return None
    if not isinstance(at, dt.datetime) or timezone.is_naive(at):
        raise InvalidInput("available_at", f"must be a datetime with a time zone, not {at!r:.80}")
    try:
        inside = _EARLIEST <= at < _LATEST
    except OverflowError:
        inside = False
    if not inside:
        raise InvalidInput("available_at", f"must lie between {_EARLIEST.year} and {_LATEST.year}")
    return at


def _check_key(key: Any) -> str | None:
    """Keys are compared as they are, letter for letter; so nothing is trimmed, only refused."""
    if key is None:
        return None
    if not isinstance(key, str) or not 1 <= len(key) <= _MAX_KEY:
        raise InvalidInput("idempotency_key", f"must be a string of 1 to {_MAX_KEY} characters")
    if key != key.strip() or not key.isprintable():
        raise InvalidInput(
            "idempotency_key", "must be printable and must not begin or end with white space"
        )
    return key


def _hash(spec: JobSpec, task: str, payload: Any, args: Any) -> str:
    """Fingerprint of what was asked for; the order of keys does not matter, nor 1 against 1.0."""
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
