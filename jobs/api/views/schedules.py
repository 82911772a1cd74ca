"""Schedules: list, make, change, and act on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api import inputs, pagination, schedules
from jobs.api.base import JobsView, actor, bounded
from jobs.api.operations import choice, no_query, operation, query, text
from jobs.api.serializers import schedules as shapes
from jobs.api.serializers.jobs import EnqueuedSerializer, ReasonRequestSerializer
from jobs.models import Schedule
from jobs.permissions import Permission
from jobs.schedules import actions

_F = TypeVar("_F", bound=Callable[..., Any])
_BOOLEANS: Final = ("true", "false")
_PARAMETERS: Final = (
    text("task", "Exactly this task.", 255),
    choice(
        "enabled", "Only these.", _BOOLEANS, {"type": "string", "enum": [*_BOOLEANS]}, many=False
    ),
    *pagination.parameters(("id", "-id"), "The oldest first by default."),
)


class ScheduleListView(JobsView):
    requires = {"GET": Permission.VIEW_SCHEDULE, "POST": Permission.MANAGE_SCHEDULE}

    @operation(
        "schedules_list",
        tag="schedules",
        parameters=_PARAMETERS,
        responses={200: shapes.SchedulePageSerializer},
        problems=[422],
    )
    def get(self, request: Request) -> Response:
        """List schedules, those declared in code among them."""
        given = query(request, _PARAMETERS)
        name = given.get("ordering", "id")
        with bounded() as using:
            found = Schedule.objects.using(using)
            if "task" in given:
                found = found.filter(task=given["task"])
            if "enabled" in given:
                found = found.filter(enabled=given["enabled"] == "true")
            page = pagination.paginate(
                request,
                [found.values("id")],
                pagination.Ordering(name, (name,)),
                page_size=given.get("page_size", pagination.DEFAULT_PAGE_SIZE),
                cursor=given.get("cursor"),
            )
            results = schedules.rows(using, [row["id"] for row in page.rows])
        return Response(shapes.SchedulePageSerializer(page.document(results)).data)

    @operation(
        "schedules_create",
        tag="schedules",
        request=shapes.ScheduleRequestSerializer,
        responses={201: shapes.ScheduleSerializer},
        problems=[422],
    )
    def post(self, request: Request) -> Response:
        """Make a schedule. It fires from now on."""
        no_query(request)
        given = inputs.body(request, [*schedules.FIELDS, "enabled"])
        enabled = schedules.enabled(given)
        given.pop("enabled", None)
        with bounded() as using:
            made = actions.create(using, schedules.definition(given), enabled=enabled)
            document = schedules.detail(using, made.pk)
        where = {"Location": reverse("qforge:schedule", kwargs={"schedule_id": made.pk})}
        return Response(shapes.ScheduleSerializer(document).data, status=201, headers=where)


class ScheduleView(JobsView):
    requires = {
        "GET": Permission.VIEW_SCHEDULE,
        "PATCH": Permission.MANAGE_SCHEDULE,
        "DELETE": Permission.MANAGE_SCHEDULE,
    }

    @operation(
        "schedules_get",
        tag="schedules",
        responses={200: shapes.ScheduleSerializer},
        problems=[404, 422],
    )
    def get(self, request: Request, schedule_id: int) -> Response:
        """Look at a schedule."""
        no_query(request)
        with bounded() as using:
            return Response(shapes.ScheduleSerializer(schedules.detail(using, schedule_id)).data)

    @operation(
        "schedules_change",
        tag="schedules",
        request=shapes.SchedulePatchSerializer,
        responses={200: shapes.ScheduleSerializer},
        problems=[404, 409, 422],
    )
    def patch(self, request: Request, schedule_id: int) -> Response:
        """Change a schedule; new times count from now, so that no change fires a burst.

        Answers 409 for one that is declared in code.
        """
        no_query(request)
        changes = schedules.changes(inputs.body(request, schedules.FIELDS))
        with bounded() as using:
            actions.update(using, schedule_id, changes)
            return Response(shapes.ScheduleSerializer(schedules.detail(using, schedule_id)).data)

    @operation("schedules_delete", tag="schedules", responses={204: None}, problems=[404, 409, 422])
    def delete(self, request: Request, schedule_id: int) -> Response:
        """Delete a schedule; its jobs stay. Answers 409 for one that is declared in code."""
        no_query(request)
        with bounded() as using:
            actions.delete(using, schedule_id)
        return Response(status=204)


def _switch(id: str) -> Callable[[_F], _F]:
    return operation(
        id,
        tag="schedules",
        request=ReasonRequestSerializer,
        responses={200: shapes.ScheduleSerializer},
        problems=[404, 422],
    )


class ScheduleEnableView(JobsView):
    requires = Permission.MANAGE_SCHEDULE

    @_switch("schedules_enable")
    def post(self, request: Request, schedule_id: int) -> Response:
        """Let a schedule fire, from now on. Answers 422 when its definition is broken."""
        no_query(request)
        reason = inputs.reason(inputs.body(request, ["reason"]))
        with bounded() as using:
            actions.enable(using, schedule_id, reason=reason)
            return Response(shapes.ScheduleSerializer(schedules.detail(using, schedule_id)).data)


class ScheduleDisableView(JobsView):
    requires = Permission.MANAGE_SCHEDULE

    @_switch("schedules_disable")
    def post(self, request: Request, schedule_id: int) -> Response:
        """Stop a schedule from firing; its open jobs go on."""
        no_query(request)
        reason = inputs.reason(inputs.body(request, ["reason"]))
        with bounded() as using:
            actions.disable(using, schedule_id, actor=actor(request), reason=reason)
            return Response(shapes.ScheduleSerializer(schedules.detail(using, schedule_id)).data)


class ScheduleRunNowView(JobsView):
    requires = Permission.MANAGE_SCHEDULE

    @operation(
        "schedules_run_now",
        tag="schedules",
        request=ReasonRequestSerializer,
        responses={201: EnqueuedSerializer},
        problems=[404, 409, 422],
    )
    def post(self, request: Request, schedule_id: int) -> Response:
        """Enqueue a job of the schedule at once; its fire times stay as they are.

        Answers 409 when overlap is `skip` and the previous job has not ended.
        """
        no_query(request)
        reason = inputs.reason(inputs.body(request, ["reason"]))
        with bounded() as using:
            job = actions.run_now(using, schedule_id, reason=reason)
        where = {"Location": reverse("qforge:job", kwargs={"job_id": job.id})}
        return Response(EnqueuedSerializer(job).data, status=201, headers=where)
