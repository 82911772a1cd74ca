"""Parts of a workflow, each bounded whatever its size: for pages that are looked at live."""

from __future__ import annotations

from typing import Final

from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api import pagination, workflow_gantt, workflow_graph, workflow_parts, workflows
from jobs.api.base import JobsView, bounded
from jobs.api.operations import choice, integer, no_query, operation, query, text
from jobs.api.queries import as_event
from jobs.api.serializers import workflow_parts as shapes
from jobs.conf import BOUNDS
from jobs.permissions import Permission
from jobs.states import EventKind, JobStatus

_JOB_STATUS: Final = {"$ref": "#/components/schemas/QForgeJobStatus"}
_EVENT_KIND: Final = {"$ref": "#/components/schemas/QForgeEventKind"}
_STEP_PARAMETERS: Final = (
    choice("status", "Any of these.", [*JobStatus], _JOB_STATUS, many=True),
    text("q", "Text within the name or the task, upper and lower case alike.", 200),
    *pagination.parameters(("id", "-id"), "As they were submitted by default."),
)
_EVENT_PARAMETERS: Final = (
    choice("kind", "Any of these.", [*EventKind], _EVENT_KIND, many=True),
    *pagination.parameters(("-id", "id"), "The newest first by default."),
)
_GRAPH_PARAMETERS: Final = (text("around", "Only this step and those up to two edges away.", 200),)
_GANTT_PARAMETERS: Final = (
    integer("offset", "Steps to pass over.", 0, int(BOUNDS["WORKFLOW_MAX_STEPS"][1])),
    integer(
        "limit",
        f"Most steps in the answer, {workflow_gantt.DEFAULT_LIMIT} by default.",
        1,
        workflow_gantt.MAX_LIMIT,
    ),
)


class WorkflowSummaryView(JobsView):
    requires = Permission.VIEW_WORKFLOW

    @operation(
        "workflows_summary",
        tag="workflows",
        responses={200: shapes.WorkflowSummarySerializer},
        problems=[404, 422],
    )
    def get(self, request: Request, workflow_id: int) -> Response:
        """Look at a workflow without its steps."""
        no_query(request)
        with bounded() as using:
            found = workflows.summary(using, workflow_id)
            found |= workflow_parts.counts(using, workflow_id)
        return Response(shapes.WorkflowSummarySerializer(found).data)


class WorkflowStepsView(JobsView):
    requires = Permission.VIEW_WORKFLOW

    @operation(
        "workflows_steps",
        tag="workflows",
        parameters=_STEP_PARAMETERS,
        responses={200: shapes.StepPageSerializer},
        problems=[404, 422],
    )
    def get(self, request: Request, workflow_id: int) -> Response:
        """List the steps of a workflow."""
        given = query(request, _STEP_PARAMETERS)
        with bounded() as using:
            workflows.require(using, workflow_id)
            rows = workflow_parts.step_rows(using, workflow_id)
            page = pagination.paginate(
                request,
                [workflow_parts.matching(rows, given.get("status", []), given.get("q"))],
                _ordering(given.get("ordering", "id")),
                page_size=given.get("page_size", pagination.DEFAULT_PAGE_SIZE),
                cursor=given.get("cursor"),
            )
        document = page.document(map(workflow_parts.as_step, page.rows))
        return Response(shapes.StepPageSerializer(document).data)


def _ordering(name: str) -> pagination.Ordering:
    return pagination.Ordering(name, (name.replace("id", "seq"),))


class WorkflowEventsView(JobsView):
    requires = Permission.VIEW_WORKFLOW

    @operation(
        "workflows_events",
        tag="workflows",
        parameters=_EVENT_PARAMETERS,
        responses={200: shapes.StepEventPageSerializer},
        problems=[404, 422],
    )
    def get(self, request: Request, workflow_id: int) -> Response:
        """List everything that happened to the steps of a workflow."""
        given = query(request, _EVENT_PARAMETERS)
        with bounded() as using:
            workflows.require(using, workflow_id)
            page = pagination.paginate(
                request,
                [workflow_parts.event_rows(using, workflow_id, given.get("kind", []))],
                _ordering(given.get("ordering", "-id")),
                page_size=given.get("page_size", pagination.DEFAULT_PAGE_SIZE),
                cursor=given.get("cursor"),
            )
        document = page.document(map(as_event, page.rows))
        return Response(shapes.StepEventPageSerializer(document).data)


class WorkflowGraphView(JobsView):
    requires = Permission.VIEW_WORKFLOW

    @operation(
        "workflows_graph",
        tag="workflows",
        parameters=_GRAPH_PARAMETERS,
        responses={200: shapes.WorkflowGraphSerializer},
        problems=[404, 422],
    )
    def get(self, request: Request, workflow_id: int) -> Response:
        """Read a workflow as nodes and edges: whole while it is small enough, or around a step."""
        around = query(request, _GRAPH_PARAMETERS).get("around")
        with bounded() as using:
            steps = workflows.require(using, workflow_id)
            return Response(workflow_graph.document(using, workflow_id, steps, around))


class WorkflowGanttView(JobsView):
    requires = Permission.VIEW_WORKFLOW

    @operation(
        "workflows_gantt",
        tag="workflows",
        parameters=_GANTT_PARAMETERS,
        responses={200: shapes.GanttSerializer},
        problems=[404, 422],
    )
    def get(self, request: Request, workflow_id: int) -> Response:
        """Read what the steps did when: for each the stretches it waited and ran, by its events."""
        given = query(request, _GANTT_PARAMETERS)
        offset, limit = given.get("offset", 0), given.get("limit", workflow_gantt.DEFAULT_LIMIT)
        with bounded() as using:
            steps = workflows.require(using, workflow_id)
            return Response(
                workflow_gantt.document(using, workflow_id, steps, offset=offset, limit=limit)
            )
