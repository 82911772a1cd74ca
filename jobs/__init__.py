"""QForge: background jobs and workflows for Django on PostgreSQL.

The names below are what applications import. They load on first use, so that importing this
package needs neither Django's settings nor its app registry.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from jobs.backoff import RetryPolicy as RetryPolicy
    from jobs.client import JobSpec as JobSpec
    from jobs.client import cancel as cancel
    from jobs.client import enqueue as enqueue
    from jobs.client import enqueue_many as enqueue_many
    from jobs.client import retry as retry
    from jobs.client import task as task
    from jobs.context import JobContext as JobContext
    from jobs.errors import Cancel as Cancel
    from jobs.errors import PermanentError as PermanentError
    from jobs.errors import Retry as Retry
    from jobs.errors import Snooze as Snooze
    from jobs.workflows.builder import Workflow as Workflow
    from jobs.workflows.definition import Step as Step

_HOME = {
    "Cancel": "jobs.errors",
    "JobContext": "jobs.context",
    "JobSpec": "jobs.client",
    "PermanentError": "jobs.errors",
    "Retry": "jobs.errors",
    "RetryPolicy": "jobs.backoff",
    "Snooze": "jobs.errors",
    "Step": "jobs.workflows.definition",
    "Workflow": "jobs.workflows.builder",
    "cancel": "jobs.client",
    "enqueue": "jobs.client",
    "enqueue_many": "jobs.client",
    "retry": "jobs.client",
    "task": "jobs.client",
}

__all__ = [
    "Cancel",
    "JobContext",
    "JobSpec",
    "PermanentError",
    "Retry",
    "RetryPolicy",
    "Snooze",
    "Step",
    "Workflow",
    "cancel",
    "enqueue",
    "enqueue_many",
    "retry",
    "task",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
