"""Tells of tasks that end outside of a worker's thread: their worker was lost, or they waited."""

from __future__ import annotations

from typing import Any

from jobs.errors import Cancel, LeaseExpired
from jobs.states import TERMINAL
from jobs.tasks_backend.backend import QForgeBackend, backend_class
from jobs.tasks_backend.namespaces import NAMESPACES, of_task


def listen(event: str, fields: dict[str, Any]) -> None:
    """A subscriber: sends `task_finished` for tasks that a rescue has ended, or a cancel."""
    if event == "job.rescued" and fields["status"] in TERMINAL:
        from django.db import connections

        from jobs.store.connections import alias

        job_id = fields["job_id"]
        try:
            _finished(job_id, LeaseExpired(f"the worker of task {job_id} was lost"))
        finally:
            # A service has no use for a connection of its own between two of these.
            connections[alias()].close()
    elif event == "job.cancelled_waiting" and fields["tasks_backend"]:
        _finished(fields["job_id"], Cancel("cancelled while it waited"))


def _finished(job_id: int, reason: Exception) -> None:
    backend = QForgeBackend("default", {})
    try:
        result = backend.get_result(str(job_id))
    except backend.home.DoesNotExist:
        return
    home = of_task(result.task) or NAMESPACES[0]
    sender = backend_class(home, result.backend)
    try:
        raise reason
    except type(reason):
        home.signals.task_finished.send_robust(sender, task_result=result)
