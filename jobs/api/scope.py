"""Which jobs and workflows the user at hand may see at all: `QFORGE["FILTER_QUERYSET"]`.

The function of that setting narrows the querysets from which lists and details are read, so that
what is outside is not found, whichever way it is asked for. Outside of a request, as in a shell,
nothing is narrowed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db.models import QuerySet
from django.utils.module_loading import import_string

from jobs.conf import conf
from jobs.errors import JobNotFound
from jobs.models import Job, Workflow

_user: ContextVar[Callable[[], Any] | None] = ContextVar("user", default=None)


@contextmanager
def of(user: Callable[[], Any]) -> Iterator[None]:
    """Within it, what is read is what `user()` may see."""
    token = _user.set(user)
    try:
        yield
    finally:
        _user.reset(token)


def narrowed() -> bool:
    """Whether there may be jobs that the user at hand may not see."""
    return conf.FILTER_QUERYSET is not None and _user.get() is not None


def jobs(using: str) -> QuerySet[Any]:
    return _narrow(Job.objects.using(using))


def workflows(using: str) -> QuerySet[Any]:
    return _narrow(Workflow.objects.using(using))


def _narrow(rows: QuerySet[Any]) -> QuerySet[Any]:
    user = _user.get()
    if conf.FILTER_QUERYSET is None or user is None:
        return rows
    narrowed: QuerySet[Any] = import_string(conf.FILTER_QUERYSET)(user(), rows)
    return narrowed


def visible(using: str, job_ids: Collection[int]) -> set[int]:
    """Those of the jobs that the user at hand may see."""
    return _among(jobs(using), job_ids)


def visible_workflows(using: str, ids: Collection[int]) -> set[int]:
    """Those of the workflows that the user at hand may see."""
    return _among(workflows(using), ids)


def _among(rows: QuerySet[Any], ids: Collection[int]) -> set[int]:
    if not narrowed():
        return set(ids)
    return set(rows.filter(pk__in=ids).values_list("pk", flat=True))


def require(using: str, job_ids: Collection[int]) -> None:
    """Raises JobNotFound for the first that the user at hand may not see."""
    if narrowed() and (hidden := set(job_ids) - visible(using, job_ids)):
        raise JobNotFound(min(hidden))
