"""From the path of a task to the task, and back.

Rows hold paths and never pickles, and a path counts only if a Task stands there: nothing else is
ever called, whatever a row says.
"""

from __future__ import annotations

import logging
import sys
from importlib import import_module
from typing import Any

from jobs.tasks_backend.namespaces import of_task

_logger = logging.getLogger("jobs.tasks_backend")
_declared: set[str] = set()


def remember(path: str) -> None:
    """A task of this path has been declared; it can be found once its module is complete."""
    _declared.add(path)


def declared() -> list[str]:
    """The paths of the tasks of modules that have been imported."""
    return [path for path in list(_declared) if find(path, load=False) is not None]


def find(path: str, *, load: bool) -> Any | None:
    """The Task at `module.name`; None when something else stands there, or nothing.

    With `load` its module may be imported; one that cannot be is logged.
    """
    module_name, _, name = path.rpartition(".")
    module = sys.modules.get(module_name)
    if load and module_name and module_name != "__main__":
        try:
            # Also of a module that is there: another thread may be importing it just now.
            module = import_module(module_name)
        except (Exception, SystemExit):
            _logger.warning("the module of task %r cannot be imported", path, exc_info=True)
    try:
        found = getattr(module, name, None)
    except Exception:
        return None
    return found if of_task(found) is not None else None


def problem(task: Any) -> str | None:
    """Why a worker could not find this task by its path; None when it can."""
    path: str = task.module_path
    if task.func.__module__ == "__main__":
        return f"{path!r} cannot be imported by a worker: move it out of the main script."
    if find(path, load=True) is None:
        return f"{path!r} is not a Task: give the task the name of its function, in its module."
    return None


def placeholder(path: str) -> Any:
    """Stands for the function of a task whose code has been renamed or removed."""

    def gone(*args: Any, **kwargs: Any) -> None:
        raise LookupError(f"the code of task {path!r} is gone")

    gone.__module__, _, gone.__qualname__ = path.rpartition(".")
    gone.__name__ = gone.__qualname__
    return gone
