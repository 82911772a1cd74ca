"""The backend of Django's Tasks, `jobs.tasks_backend.QForgeBackend` in `TASKS`.

For `django.tasks` of Django 6.0 and newer, for the `django_tasks` package that brings the same to
older releases, and for both at once. A task is a job: one table, one worker, one console.

Imported while applications declare their tasks, so no model is imported before one is enqueued.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jobs.tasks_backend.backend import QForgeBackend as QForgeBackend
    from jobs.tasks_backend.signals import task_attempt_failed as task_attempt_failed

_HOME = {
    "QForgeBackend": "jobs.tasks_backend.backend",
    "task_attempt_failed": "jobs.tasks_backend.signals",
}

__all__ = ["QForgeBackend", "task_attempt_failed"]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
