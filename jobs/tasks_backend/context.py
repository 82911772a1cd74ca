"""What a task that takes a context is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from jobs.context import JobContext
from jobs.tasks_backend.namespaces import NAMESPACES


def _context_class(base: Any) -> Any:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class QForgeTaskContext(base):  # type: ignore[misc]
        """Django's TaskContext, and `job`: progress, cancel requests, the time that is left."""

        job: JobContext

    return QForgeTaskContext


CONTEXTS: Final = {home.name: _context_class(home.TaskContext) for home in NAMESPACES}
"""By the name of the home."""
