"""Queues, workers and schedules."""

from __future__ import annotations

from typing import Any

from django.contrib import admin

from jobs.admin.base import ReadOnlyAdmin, allowed, as_json, console_link, shown
from jobs.api import disclosure
from jobs.models import Queue, Schedule, WorkerPool
from jobs.permissions import Permission
from jobs.schedules import actions
from jobs.store import queues
from jobs.store.connections import alias


class QueueAdmin(ReadOnlyAdmin):
    """Queues that somebody has paused once; the others have no row."""

    view_permission = Permission.VIEW_QUEUE
    list_display = ("name", "paused_at", "paused_by", "pause_reason")
    fields = ("id", "console", "name", "paused_at", "paused_by", "pause_reason")
    actions = ("pause", "resume")

    def has_pause_permission(self, request: Any) -> bool:
        return allowed(request, Permission.PAUSE_QUEUE)

    @admin.action(description="Pause", permissions=["pause"])
    def pause(self, request: Any, queryset: Any) -> None:
        def one(row: Queue, who: str, reason: str) -> None:
            queues.pause(alias(), row.name, by=who, reason=reason)

        self.act(request, queryset[: self.list_per_page], one, "queues paused")

    @admin.action(description="Resume", permissions=["pause"])
    def resume(self, request: Any, queryset: Any) -> None:
        def one(row: Queue, who: str, reason: str) -> None:
            queues.resume(alias(), row.name, reason=reason)

        self.act(request, queryset[: self.list_per_page], one, "queues active")

    @admin.display(description="Console")
    def console(self, queue: Queue) -> str:
        return console_link(f"queues/{queue.name}")


class WorkerPoolAdmin(ReadOnlyAdmin):
    view_permission = Permission.VIEW_WORKERPOOL
    unlisted = ("tasks", "services")
    list_display = ("name", "host", "pid", "version", "threads", "busy", "stopping", "heartbeat_at")
    fields = (
        *("id", "console", "name", "host", "pid", "version", "queues", "tasks", "threads"),
        *("busy", "stopping", "services", "started_at", "heartbeat_at"),
    )

    @admin.display(description="Console")
    def console(self, pool: WorkerPool) -> str:
        return console_link("workers")


class ScheduleAdmin(ReadOnlyAdmin):
    view_permission = Permission.VIEW_SCHEDULE
    unlisted = ("payload",)
    list_display = (
        *("name", "task", "cron", "interval_seconds", "timezone", "enabled", "next_run_at"),
        *("last_run_at", "disabled_reason"),
    )
    list_filter = ("enabled", "declared_in")
    fields = (
        *("id", "console", "name", "task", "shown_payload", "queue", "priority", "cron"),
        *("interval_seconds", "timezone", "missed", "missed_limit", "overlap", "enabled"),
        *("disabled_reason", "declared_in", "next_run_at", "last_run_at", "last_job_id"),
        *("last_skipped_at", "last_skip_reason", "created_at", "updated_at"),
    )
    actions = ("run_now", "enable", "disable")

    def has_manage_permission(self, request: Any) -> bool:
        return allowed(request, Permission.MANAGE_SCHEDULE)

    @admin.action(description="Run now", permissions=["manage"])
    def run_now(self, request: Any, queryset: Any) -> None:
        def one(row: Schedule, who: str, reason: str) -> None:
            actions.run_now(alias(), row.pk, reason=reason)

        self.act(request, queryset[: self.list_per_page], one, "schedules got a job")

    @admin.action(description="Enable", permissions=["manage"])
    def enable(self, request: Any, queryset: Any) -> None:
        def one(row: Schedule, who: str, reason: str) -> None:
            actions.enable(alias(), row.pk, reason=reason)

        self.act(request, queryset[: self.list_per_page], one, "schedules enabled")

    @admin.action(description="Disable", permissions=["manage"])
    def disable(self, request: Any, queryset: Any) -> None:
        def one(row: Schedule, who: str, reason: str) -> None:
            actions.disable(alias(), row.pk, actor=who, reason=reason)

        self.act(request, queryset[: self.list_per_page], one, "schedules disabled")

    @admin.display(description="Console")
    def console(self, schedule: Schedule) -> str:
        return console_link("schedules")

    @admin.display(description="Payload")
    def shown_payload(self, schedule: Schedule) -> str:
        with shown(schedule):
            return as_json(disclosure.payload(schedule.payload, schedule.task))
