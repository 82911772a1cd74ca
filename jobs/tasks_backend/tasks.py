"""The classes of our tasks, one for each home: Django's, and what QForge can do beyond it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from django.db import transaction

from jobs.tasks_backend.namespaces import NAMESPACES

Backoff = Callable[[BaseException, Any], float | None]
"""`f(exception, task_result) -> seconds to wait`; None means no further attempt."""


class _Methods:
    __slots__ = ()

    def using(
        self,
        *,
        priority: int | None = None,
        queue_name: str | None = None,
        run_after: dt.datetime | dt.timedelta | None = None,
        backend: str | None = None,
        max_attempts: int | None = None,
        backoff: Backoff | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """A copy with other options.

        A `backoff` given here counts only where the copy stands in its module in the place of the
        task, since that is where the worker finds it.

        `run_after` may be a time, or a timedelta from the moment of enqueueing. `max_attempts`
        counts all tries. `timeout` is in seconds from an attempt's start. `idempotency_key`: of
        all tasks enqueued with this key the first is stored, and the others get its result.
        """
        asked = {
            "priority": priority,
            "queue_name": queue_name,
            "run_after": run_after,
            "backend": backend,
            "max_attempts": max_attempts,
            "backoff": backoff,
            "timeout": timeout,
            "idempotency_key": idempotency_key,
        }
        changes: Any = {name: value for name, value in asked.items() if value is not None}
        return replace(self, **changes)  # type: ignore[type-var]

    def enqueue_on_commit(self, *args: Any, **kwargs: Any) -> None:
        """Enqueue once the open transaction of the default database has committed, or now when
        there is none. What is wrong with the task or its arguments is raised at once.

        Only needed where the queue has a database of its own: elsewhere `enqueue` is part of the
        transaction.
        """
        task: Any = self
        task.get_backend().check_enqueue(task, args, kwargs)
        transaction.on_commit(partial(task.enqueue, *args, **kwargs))


def _task_class(base: Any, name: str) -> Any:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class QForgeTask(_Methods, base):  # type: ignore[misc]
        """A task of Django's, with what QForge can do beyond it."""

        max_attempts: int | None = None
        backoff: Backoff | None = None
        timeout: float | None = None
        idempotency_key: str | None = None

    # Where pickle finds it.
    QForgeTask.__qualname__ = QForgeTask.__name__ = name
    return QForgeTask


def _named(name: str) -> str:
    return "QForgeTask" if name == "django.tasks" else "BackportedTask"


CLASSES: Final = {home.name: _task_class(home.Task, _named(home.name)) for home in NAMESPACES}
"""By the name of the home."""

globals().update({made.__name__: made for made in CLASSES.values()})
