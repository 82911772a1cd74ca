"""What applications import, as `from jobs import task, enqueue, enqueue_many, cancel, retry`."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from jobs import lifecycle, registry
from jobs.errors import InvalidInput, shown
from jobs.models import Job
from jobs.specs import JobSpec as JobSpec
from jobs.specs import prepare as prepare
from jobs.store.connections import alias
from jobs.store.values import EnqueuedJob


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
    cron: str | None = None,
    timezone: str | None = None,
    sensitive: tuple[str, ...] = (),
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
    cron: str | None = None,
    timezone: str | None = None,
    sensitive: tuple[str, ...] = (),
) -> Task | Callable[[Callable[..., Any]], Task]:
    """Register a handler, a function or coroutine function.

    `name` defaults to `module.function`. `priority` is -100 to 100, higher first. `max_attempts`
    counts all tries. `timeout` is in seconds from an attempt's start. `backoff` is a RetryPolicy
    or `f(attempt, error) -> seconds | None`. `permanent` are exceptions that no retry can help.
    `cron` makes workers enqueue it by itself, at these times on the clocks of `timezone`, which
    defaults to the project's. `sensitive` are keys of the payload and the result, at any depth,
    whose values the API and the console never show. A parameter named `context` is given the
    JobContext. Raises InvalidInput, a ValueError, for an option out of bounds and ValueError for a
    name that another handler has.
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
            cron=cron,
            timezone=timezone,
            sensitive=sensitive,
        )
        registry.register(made)
        return made

    return decorate if handler is None else decorate(handler)


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
        if not isinstance(spec, JobSpec):
            raise InvalidInput(f"jobs[{position}]", f"must be a JobSpec, not {shown(spec)}")
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
