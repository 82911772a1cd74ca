"""What somebody may be allowed to do: the permissions of this app, as Django keeps them."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

APP_LABEL: Final = "qforge"


class Permission(StrEnum):
    """Codenames. Those that Django does not make by itself stand in the models' Meta."""

    VIEW_JOB = "view_job"
    """Jobs, their events, tasks and numbers."""
    VIEW_PAYLOAD = "view_payload"
    """The values of payloads, results and errors; without it only their keys are shown."""
    ENQUEUE_JOB = "enqueue_job"
    RETRY_JOB = "retry_job"
    CANCEL_JOB = "cancel_job"
    CHANGE_JOB = "change_job"
    """When and where a waiting job runs: its time, priority and queue."""
    DELETE_JOB = "delete_job"
    BULK_OPERATE = "bulk_operate"
    """Acting on many jobs at once, beside the permission for the action itself."""
    EXPORT_JOB = "export_job"
    VIEW_ERRORGROUP = "view_errorgroup"
    """Failures in groups; their messages and samples need VIEW_PAYLOAD as well."""
    CHANGE_ERRORGROUP = "change_errorgroup"
    """Deciding about a group: ignoring and resolving it, its note."""
    VIEW_WORKFLOW = "view_workflow"
    MANAGE_WORKFLOW = "manage_workflow"
    VIEW_QUEUE = "view_queue"
    PAUSE_QUEUE = "pause_queue"
    VIEW_WORKERPOOL = "view_workerpool"
    CONTROL_WORKER = "control_worker"
    VIEW_SCHEDULE = "view_schedule"
    MANAGE_SCHEDULE = "manage_schedule"
    VIEW_AUDIT = "view_audit"
    """Who has changed what."""

    @property
    def full_name(self) -> str:
        """As `user.has_perm` takes it."""
        return f"{APP_LABEL}.{self.value}"
