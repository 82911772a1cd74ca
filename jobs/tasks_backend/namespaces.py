"""The two homes of the Tasks API, which differ in names and little else."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final


@dataclass(frozen=True, eq=False)
class Namespace:
    """The classes of one home. They look alike and are not related."""

    name: str
    """`django.tasks` or `django_tasks`."""
    backends: Any
    """The handler that makes a backend for each alias."""
    Backend: Any
    Task: Any
    TaskContext: Any
    TaskError: Any
    TaskResult: Any
    Status: Any
    InvalidTask: Any
    DoesNotExist: Any
    signals: Any
    normalize_json: Any


def _load(name: str) -> Namespace:
    api, base = import_module(name), import_module(f"{name}.base")
    exceptions = import_module(f"{name}.exceptions")
    json = import_module("django.utils.json" if name == "django.tasks" else f"{name}.utils")
    return Namespace(
        name=name,
        backends=api.task_backends,
        Backend=import_module(f"{name}.backends.base").BaseTaskBackend,
        Task=base.Task,
        TaskContext=base.TaskContext,
        TaskError=base.TaskError,
        TaskResult=base.TaskResult,
        Status=base.TaskResultStatus,
        # The package gave it Django's name only after 0.12.
        InvalidTask=getattr(exceptions, "InvalidTask", None) or exceptions.InvalidTaskError,
        DoesNotExist=exceptions.TaskResultDoesNotExist,
        signals=import_module(f"{name}.signals"),
        normalize_json=json.normalize_json,
    )


NAMESPACES: Final = tuple(_load(n) for n in ("django.tasks", "django_tasks") if find_spec(n))
"""Those that are installed, Django's own first."""


def of_task(task: Any) -> Namespace | None:
    """Where this object is a Task; None for what is no Task."""
    return next((home for home in NAMESPACES if isinstance(task, home.Task)), None)
