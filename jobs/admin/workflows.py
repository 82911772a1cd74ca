"""Workflows."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet

from jobs.admin.base import SEARCH_HELP, ReadOnlyAdmin, allowed, console_link
from jobs.api import scope
from jobs.models import Workflow
from jobs.permissions import Permission
from jobs.store.connections import alias
from jobs.workflows.actions import cancel_workflow, retry_workflow


class WorkflowAdmin(ReadOnlyAdmin):
    view_permission = Permission.VIEW_WORKFLOW
    list_display = (
        *("id", "name", "status", "steps", "open_steps", "failed_steps", "cancelled_steps"),
        *("created_at", "finished_at"),
    )
    list_filter = ("status",)
    search_fields = ("id", "idempotency_key")
    search_help_text = SEARCH_HELP
    fields = (
        *("id", "console", "name", "status", "steps", "open_steps", "failed_steps"),
        *("cancelled_steps", "tolerated_failures", "tolerated_cancels", "idempotency_key"),
        *("rerun_of", "cancel_requested_at", "created_at", "finished_at"),
    )
    actions = ("cancel", "retry")

    def rows(self, using: str) -> QuerySet[Any]:
        return scope.workflows(using)

    def has_manage_permission(self, request: Any) -> bool:
        return allowed(request, Permission.MANAGE_WORKFLOW)

    @admin.action(description="Cancel", permissions=["manage"])
    def cancel(self, request: Any, queryset: Any) -> None:
        def one(row: Workflow, who: str, reason: str) -> None:
            cancel_workflow(alias(), row.pk, actor=who, reason=reason)

        self.act(request, queryset[: self.list_per_page], one, "workflows cancelled")

    @admin.action(description="Retry what has failed", permissions=["manage"])
    def retry(self, request: Any, queryset: Any) -> None:
        def one(row: Workflow, who: str, reason: str) -> None:
            retry_workflow(alias(), row.pk, actor=who, reason=reason)

        self.act(request, queryset[: self.list_per_page], one, "workflows retried")

    @admin.display(description="Console")
    def console(self, workflow: Workflow) -> str:
        return console_link(f"workflows/{workflow.pk}")
