"""Jobs and their events."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html

from jobs import lifecycle
from jobs.admin.base import (
    SEARCH_HELP,
    ReadOnlyAdmin,
    allowed,
    as_json,
    as_text,
    console_link,
    shown,
)
from jobs.api import disclosure, scope
from jobs.models import Job, JobEvent
from jobs.permissions import Permission
from jobs.store.connections import alias

_MOST: Final = 100
"""Jobs of one action; more are for an operation, which has a rate and can be cancelled."""


class JobAdmin(ReadOnlyAdmin):
    view_permission = Permission.VIEW_JOB
    unlisted = ("payload", "args", "result", "error", "progress")
    list_display = (
        *("id", "task", "queue", "status", "priority", "attempts", "max_attempts"),
        *("created_at", "finished_at"),
    )
    list_filter = ("status",)
    search_fields = ("id", "idempotency_key")
    search_help_text = SEARCH_HELP
    list_per_page = _MOST
    fields = (
        *("id", "console", "events", "task", "queue", "status", "priority", "attempts"),
        *("max_attempts", "timeout_seconds", "available_at", "created_at", "started_at"),
        *("finished_at", "cancel_requested_at", "locked_by", "lease_expires_at"),
        *("idempotency_key", "workflow_id", "step_name", "error_fingerprint"),
        *("shown_payload", "shown_args", "shown_progress", "shown_result", "shown_error"),
    )
    actions = ("retry", "cancel", "run_now")

    def rows(self, using: str) -> QuerySet[Any]:
        return scope.jobs(using)

    def has_retry_permission(self, request: Any) -> bool:
        return allowed(request, Permission.RETRY_JOB)

    def has_cancel_permission(self, request: Any) -> bool:
        return allowed(request, Permission.CANCEL_JOB)

    def has_run_now_permission(self, request: Any) -> bool:
        return allowed(request, Permission.CHANGE_JOB)

    @admin.action(description="Retry", permissions=["retry"])
    def retry(self, request: Any, queryset: Any) -> None:
        self._each(request, queryset, lifecycle.retry, "queued anew")

    @admin.action(description="Cancel", permissions=["cancel"])
    def cancel(self, request: Any, queryset: Any) -> None:
        self._each(request, queryset, lifecycle.cancel, "cancelled or asked to stop")

    @admin.action(description="Run now", permissions=["run_now"])
    def run_now(self, request: Any, queryset: Any) -> None:
        self._each(request, queryset, lifecycle.run_now, "queued before their time")

    def _each(self, request: Any, queryset: Any, verb: Any, done: str) -> None:
        using = alias()
        rows = list(queryset.order_by("pk").defer(*self.unlisted)[: _MOST + 1])
        if len(rows) > _MOST:
            messages.error(
                request,
                f"Nothing was done: one action here is for {_MOST} jobs at most. Act on more by an "
                "operation: in the console, or with manage.py jobs.",
            )
            return

        def one(row: Job, who: str, reason: str) -> None:
            verb(using, row.pk, actor=who, reason=reason)

        self.act(request, rows, one, f"jobs {done}")

    @admin.display(description="Console")
    def console(self, job: Job) -> str:
        return console_link(f"jobs/{job.pk}")

    @admin.display(description="Events")
    def events(self, job: Job) -> str:
        site = self.admin_site.name
        url = reverse(f"admin:{JobEvent._meta.app_label}_jobevent_changelist", current_app=site)
        return format_html('<a href="{}?job__exact={}">What happened to it</a>', url, job.pk)

    @admin.display(description="Payload")
    def shown_payload(self, job: Job) -> str:
        with shown(job):
            return as_json(disclosure.payload(job.payload, job.task))

    @admin.display(description="Positional arguments")
    def shown_args(self, job: Job) -> str:
        with shown(job):
            return as_json(disclosure.args(job.args, job.task))

    @admin.display(description="Progress")
    def shown_progress(self, job: Job) -> str:
        with shown(job):
            return as_json(disclosure.progress(job.progress, job.task))

    @admin.display(description="Result")
    def shown_result(self, job: Job) -> str:
        with shown(job):
            return as_json(disclosure.result(job.result, job.task))

    @admin.display(description="Error")
    def shown_error(self, job: Job) -> str:
        with shown(job):
            return as_text(disclosure.error(job.error, job.task))


class JobEventAdmin(ReadOnlyAdmin):
    view_permission = Permission.VIEW_JOB
    unlisted = ("data",)
    lookups = frozenset({"job__exact"})
    list_display = ("id", "job_id", "kind", "from_status", "to_status", "attempt", "worker", "at")
    fields = (
        *("id", "job_id", "kind", "at", "from_status", "to_status", "attempt", "worker"),
        "shown_data",
    )

    def rows(self, using: str) -> QuerySet[Any]:
        rows = JobEvent.objects.using(using).all()
        return rows.filter(job__in=scope.jobs(using)) if scope.narrowed() else rows

    @admin.display(description="Data")
    def shown_data(self, event: JobEvent) -> str:
        task = Job.objects.using(alias()).filter(pk=event.job_id).values_list("task", flat=True)
        told = {"data": event.data, "kind": event.kind, "from_status": event.from_status}
        with shown(event):
            return as_json(disclosure.event_data(told, task.first() or ""))
