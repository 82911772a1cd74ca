"""Workflows: list, submit, look at, and act on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api import inputs, pagination, parsers, workflow_inputs, workflows
from jobs.api.base import JobsView, actor, bounded
from jobs.api.operations import choice, no_query, operation, query, text, time
from jobs.api.serializers import workflows as shapes
from jobs.api.serializers.jobs import ReasonRequestSerializer
from jobs.permissions import Permission
from jobs.states import WorkflowStatus
from jobs.workflows import actions, rerun, submit
from jobs.workflows.submit import SubmittedWorkflow

_F = TypeVar("_F", bound=Callable[..., Any])
_ORDERINGS: Final = ("-id", "id")
_STATUS: Final = {"$ref": "#/components/schemas/QForgeWorkflowStatus"}
_PARAMETERS: Final = (
    choice("status", "Any of these.", [*WorkflowStatus], _STATUS, many=True),
    text("name", "Exactly this name.", 255),
    time("created_after", "Then or later."),
    time("created_before", "Earlier than this."),
    *pagination.parameters(_ORDERINGS, "The newest first by default."),
)
_LOOKUPS: Final = {
    "name": "name",
    "created_after": "created_at__gte",
    "created_before": "created_at__lt",
}
_KEY: Final = text(
    inputs.KEY_HEADER, "As the field idempotency_key, plain or quoted.", 255, header=True
)


class WorkflowListView(JobsView):
    requires = {"GET": Permission.VIEW_WORKFLOW, "POST": Permission.MANAGE_WORKFLOW}

    def body_limit(self) -> int:
        return parsers.bulk_body_limit()

    @operation(
        "workflows_list",
        tag="workflows",
        parameters=_PARAMETERS,
        responses={200: shapes.WorkflowPageSerializer},
        problems=[422],
    )
    def get(self, request: Request) -> Response:
        """List workflows, the newest first, without their steps."""
        given = query(request, _PARAMETERS)
        name = given.pop("ordering", "-id")
        page_size = given.pop("page_size", pagination.DEFAULT_PAGE_SIZE)
        cursor = given.pop("cursor", None)
        # One branch for each status: that is how the index of a status is in the order of ids.
        statuses = given.pop("status", None)
        conditions = {_LOOKUPS[key]: value for key, value in given.items()}
        with bounded() as using:
            rows = workflows.rows(using).filter(**conditions)
            branches = [rows.filter(status=status) for status in dict.fromkeys(statuses or ())]
            page = pagination.paginate(
                request,
                branches or [rows],
                pagination.Ordering(name, (name,)),
                page_size=page_size,
                cursor=cursor,
            )
            document = page.document(workflows.shown(using, page.rows))
        return Response(shapes.WorkflowPageSerializer(document).data)

    @operation(
        "workflows_submit",
        tag="workflows",
        parameters=[_KEY],
        request=shapes.WorkflowRequestSerializer,
        responses={201: shapes.WorkflowSerializer, 200: shapes.WorkflowSerializer},
        problems=[422],
    )
    def post(self, request: Request) -> Response:
        """Submit a workflow: named steps, each with the steps it depends on.

        The whole graph is checked before anything is written. Answers 200 with the workflow there
        is when the idempotency key has one already, and 422 when that one was asked for in other
        words.
        """
        no_query(request)
        given = inputs.body(request, workflow_inputs.FIELDS)
        key = inputs.key(request, given.get("idempotency_key"))
        steps = workflow_inputs.steps(given)
        with bounded() as using:
            made = submit.submit(using, given.get("name", ""), steps, idempotency_key=key)
            return _answer(using, made)


def _answer(using: str, made: SubmittedWorkflow) -> Response:
    document = shapes.WorkflowSerializer(workflows.summary(using, made.id)).data
    where = {"Location": reverse("qforge:workflow", kwargs={"workflow_id": made.id})}
    if made.created:
        return Response(document, status=201, headers=where)
    return Response(document, headers={"Idempotency-Replayed": "true"})


class WorkflowView(JobsView):
    requires = Permission.VIEW_WORKFLOW

    @operation(
        "workflows_get",
        tag="workflows",
        responses={200: shapes.WorkflowDetailSerializer},
        problems=[404, 422],
    )
    def get(self, request: Request, workflow_id: int) -> Response:
        """Look at a workflow: steps, edges, progress, timing and critical path."""
        no_query(request)
        with bounded() as using:
            found = workflows.summary(using, workflow_id)
            parts = workflows.parts(using, workflow_id)
        return Response({**shapes.WorkflowSerializer(found).data, **parts})


def _act(request: Request, workflow_id: int, verb: Callable[..., Any]) -> Response:
    no_query(request)
    reason = inputs.reason(inputs.body(request, ["reason"]))
    with bounded() as using:
        workflows.require(using, workflow_id)
        verb(using, workflow_id, actor=actor(request), reason=reason)
        return Response(shapes.WorkflowSerializer(workflows.summary(using, workflow_id)).data)


def _action(id: str) -> Callable[[_F], _F]:
    return operation(
        id,
        tag="workflows",
        request=ReasonRequestSerializer,
        responses={200: shapes.WorkflowSerializer},
        problems=[404, 409, 422],
    )


class WorkflowCancelView(JobsView):
    requires = Permission.MANAGE_WORKFLOW

    @_action("workflows_cancel")
    def post(self, request: Request, workflow_id: int) -> Response:
        """Cancel what waits at once and ask what runs to stop."""
        return _act(request, workflow_id, actions.cancel_workflow)


class WorkflowRetryView(JobsView):
    requires = Permission.MANAGE_WORKFLOW

    @_action("workflows_retry")
    def post(self, request: Request, workflow_id: int) -> Response:
        """Run again every step that ended without success, and what depends on it."""
        return _act(request, workflow_id, actions.retry_workflow)


class WorkflowRerunView(JobsView):
    requires = Permission.MANAGE_WORKFLOW

    @operation(
        "workflows_rerun",
        tag="workflows",
        parameters=[_KEY],
        request=shapes.RerunRequestSerializer,
        responses={201: shapes.WorkflowSerializer, 200: shapes.WorkflowSerializer},
        problems=[404, 422],
    )
    def post(self, request: Request, workflow_id: int) -> Response:
        """Submit the steps of a workflow once more, as a new workflow.

        With `from_steps` only these and what is below them run again, and the results of the other
        steps are kept; a step that has no result to keep runs again as well.
        """
        no_query(request)
        given = inputs.body(request, ["from_steps", "idempotency_key", "reason"])
        key = inputs.key(request, given.get("idempotency_key"))
        names = workflow_inputs.from_steps(given)
        with bounded() as using:
            workflows.require(using, workflow_id)
            made = rerun.rerun_workflow(
                using,
                workflow_id,
                from_steps=names,
                idempotency_key=key,
                reason=inputs.reason(given),
            )
            return _answer(using, made)
