"""The tasks of django-tasks-db, which finds them by their path."""

from __future__ import annotations

from typing import Any, Final

from benchmarks import stamps

try:
    from django.tasks import task
except ImportError:
    from django_tasks import task  # type: ignore[no-redef]


@task()
def noop(number: int) -> None:
    stamps.noop(number)


@task()
def nap(number: int) -> None:
    stamps.nap(number)


HANDLERS: Final[dict[str, Any]] = {"noop": noop, "nap": nap}
