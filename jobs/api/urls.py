"""Routes of the API, each with and without its last slash."""

from __future__ import annotations

from typing import Any, Final

from django.urls import URLPattern, path, re_path

from jobs.api.base import JobsView
from jobs.api.views import (
    audit,
    charts,
    documentation,
    events,
    failures,
    health,
    jobs,
    live,
    me,
    metrics,
    operating,
    operations,
    schedule_times,
    schedules,
    stream,
    why,
    workflow_parts,
    workflows,
)

_ROUTES: Final[tuple[tuple[str, type[JobsView], str], ...]] = (
    ("api/jobs", jobs.JobListView, "jobs"),
    ("api/jobs/bulk", jobs.JobBulkView, "jobs-bulk"),
    ("api/jobs/<int:job_id>", jobs.JobView, "job"),
    ("api/jobs/<int:job_id>/events", jobs.JobEventsView, "job-events"),
    ("api/jobs/<int:job_id>/why", why.JobWhyView, "job-why"),
    ("api/jobs/<int:job_id>/cancel", jobs.JobCancelView, "job-cancel"),
    ("api/jobs/<int:job_id>/retry", jobs.JobRetryView, "job-retry"),
    ("api/jobs/<int:job_id>/run-now", jobs.JobRunNowView, "job-run-now"),
    ("api/failures", failures.FailureListView, "failures"),
    ("api/failures/<str:fingerprint>", failures.FailureView, "failure"),
    ("api/tasks", operating.TaskListView, "tasks"),
    ("api/queues", operating.QueueListView, "queues"),
    ("api/queues/<str:name>/pause", operating.QueuePauseView, "queue-pause"),
    ("api/queues/<str:name>/resume", operating.QueueResumeView, "queue-resume"),
    ("api/schedules", schedules.ScheduleListView, "schedules"),
    ("api/schedules/preview", schedule_times.SchedulePreviewView, "schedules-preview"),
    ("api/schedules/<int:schedule_id>", schedules.ScheduleView, "schedule"),
    ("api/schedules/<int:schedule_id>/enable", schedules.ScheduleEnableView, "schedule-enable"),
    ("api/schedules/<int:schedule_id>/disable", schedules.ScheduleDisableView, "schedule-disable"),
    ("api/schedules/<int:schedule_id>/run-now", schedules.ScheduleRunNowView, "schedule-run-now"),
    ("api/schedules/<int:schedule_id>/next", schedule_times.ScheduleNextView, "schedule-next"),
    ("api/workflows", workflows.WorkflowListView, "workflows"),
    ("api/workflows/<int:workflow_id>", workflows.WorkflowView, "workflow"),
    ("api/workflows/<int:workflow_id>/cancel", workflows.WorkflowCancelView, "workflow-cancel"),
    ("api/workflows/<int:workflow_id>/retry", workflows.WorkflowRetryView, "workflow-retry"),
    ("api/workflows/<int:workflow_id>/rerun", workflows.WorkflowRerunView, "workflow-rerun"),
    (
        "api/workflows/<int:workflow_id>/summary",
        workflow_parts.WorkflowSummaryView,
        "workflow-summary",
    ),
    ("api/workflows/<int:workflow_id>/steps", workflow_parts.WorkflowStepsView, "workflow-steps"),
    ("api/workflows/<int:workflow_id>/graph", workflow_parts.WorkflowGraphView, "workflow-graph"),
    ("api/workflows/<int:workflow_id>/gantt", workflow_parts.WorkflowGanttView, "workflow-gantt"),
    (
        "api/workflows/<int:workflow_id>/events",
        workflow_parts.WorkflowEventsView,
        "workflow-events",
    ),
    ("api/operations", operations.OperationListView, "operations"),
    ("api/operations/<int:operation_id>", operations.OperationView, "operation"),
    (
        "api/operations/<int:operation_id>/cancel",
        operations.OperationCancelView,
        "operation-cancel",
    ),
    ("api/operations/<int:operation_id>/items", operations.OperationItemsView, "operation-items"),
    ("api/workers", operating.WorkerListView, "workers"),
    ("api/stats", operating.StatsView, "stats"),
    ("api/stats/timeseries", charts.TimeseriesView, "stats-timeseries"),
    ("api/stats/tasks", charts.TaskTimesView, "stats-tasks"),
    ("api/events", events.FeedView, "events"),
    ("api/audit", audit.AuditView, "audit"),
    ("api/me", me.MeView, "me"),
    ("api/live", live.LiveView, "live"),
    ("api/live/stream", stream.LiveStreamView, "live-stream"),
    ("api/schema", documentation.SchemaView, "schema"),
    ("api/docs", documentation.DocsView, "docs"),
    ("metrics", metrics.MetricsView, "metrics"),
    ("healthz", health.HealthView, "healthz"),
    ("readyz", health.ReadyView, "readyz"),
)


def _both(route: str, view: type[JobsView], name: str) -> list[URLPattern]:
    # A redirect to the slash would lose the body of a POST. Only one of the two is documented.
    undocumented: Any = type(view.__name__, (view,), {"schema": None})
    return [
        path(f"{route}/", view.as_view(), name=name),
        path(route, undocumented.as_view()),
    ]


urlpatterns: list[URLPattern] = [
    *[pattern for route in _ROUTES for pattern in _both(*route)],
    re_path(r"^api(?:/.*)?$", documentation.NowhereView.as_view(), name="nowhere"),
]
