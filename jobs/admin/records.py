"""What is kept of failures, operations and changes."""

from __future__ import annotations

from typing import Any

from django.contrib import admin

from jobs.admin.base import (
    SEARCH_HELP,
    ReadOnlyAdmin,
    allowed,
    as_json,
    as_text,
    console_link,
    shown,
)
from jobs.api import disclosure
from jobs.models import AuditEntry, ErrorGroup, Operation
from jobs.operations import requests
from jobs.permissions import Permission
from jobs.redaction import redact_text
from jobs.store.connections import alias


class ErrorGroupAdmin(ReadOnlyAdmin):
    view_permission = Permission.VIEW_ERRORGROUP
    unlisted = ("message", "note")
    list_display = (
        *("id", "exception", "task", "queue", "culprit", "status", "occurrences"),
        *("first_seen_at", "last_seen_at"),
    )
    list_filter = ("status",)
    search_fields = ("fingerprint",)
    search_help_text = "A fingerprint, exactly."
    fields = (
        *("id", "console", "fingerprint", "task", "queue", "exception", "culprit"),
        *("shown_message", "occurrences", "first_seen_at", "last_seen_at", "first_release"),
        *("last_release", "status", "ignore_until_count", "reopened_at", "note", "changed_by"),
        "changed_at",
    )

    @admin.display(description="Message")
    def shown_message(self, group: ErrorGroup) -> str:
        with shown(group):
            return as_text(redact_text(group.message, group.task) if disclosure.visible() else "")

    @admin.display(description="Console")
    def console(self, group: ErrorGroup) -> str:
        return console_link(f"failures/{group.fingerprint}")


class OperationAdmin(ReadOnlyAdmin):
    view_permission = Permission.VIEW_JOB
    unlisted = ("filter", "job_ids", "snapshot")
    list_display = (
        *("id", "action", "status", "actor", "matched", "done", "skipped", "failed"),
        *("created_at", "finished_at"),
    )
    list_filter = ("status", "action")
    search_fields = ("id", "idempotency_key")
    search_help_text = SEARCH_HELP
    fields = (
        *("id", "console", "action", "filter", "status", "actor", "reason", "rate_per_second"),
        *("matched", "done", "also_changed", "skipped", "failed", "error", "cancelled_by"),
        *("cancel_reason", "created_at", "started_at", "finished_at"),
    )
    actions = ("cancel",)

    def has_cancel_permission(self, request: Any) -> bool:
        return allowed(request, Permission.BULK_OPERATE)

    @admin.action(description="Cancel", permissions=["cancel"])
    def cancel(self, request: Any, queryset: Any) -> None:
        def one(row: Operation, who: str, reason: str) -> None:
            requests.cancel(alias(), row.pk, actor=who, reason=reason)

        self.act(request, queryset[: self.list_per_page], one, "operations cancelled")

    @admin.display(description="Console")
    def console(self, operation: Operation) -> str:
        return console_link(f"operations/{operation.pk}")


class AuditEntryAdmin(ReadOnlyAdmin):
    view_permission = Permission.VIEW_AUDIT
    unlisted = ("before", "after")
    list_display = ("id", "at", "actor", "via", "action", "target", "reason")
    list_filter = ("via",)
    fields = (
        *("id", "console", "at", "actor", "via", "action", "target", "reason", "shown_before"),
        *("shown_after", "request_id"),
    )

    @admin.display(description="Before")
    def shown_before(self, entry: AuditEntry) -> str:
        return as_json(entry.before)

    @admin.display(description="After")
    def shown_after(self, entry: AuditEntry) -> str:
        return as_json(entry.after)

    @admin.display(description="Console")
    def console(self, entry: AuditEntry) -> str:
        return console_link("audit")
