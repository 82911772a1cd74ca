"""Failures in groups of those that are alike: list, look at, decide about."""

from __future__ import annotations

from typing import Final

from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api import failures, inputs, pagination
from jobs.api.base import JobsView, actor, bounded
from jobs.api.operations import choice, no_query, operation, query, text
from jobs.api.permissions import may
from jobs.api.serializers import failures as shapes
from jobs.permissions import Permission
from jobs.states import ErrorGroupStatus
from jobs.store import error_groups

_STATUS: Final = {"$ref": "#/components/schemas/QForgeErrorGroupStatus"}
_ORDERINGS: Final = {
    "-last_seen_at": ("-last_seen_at", "-id"),
    "last_seen_at": ("last_seen_at", "id"),
}
_PARAMETERS: Final = (
    choice("status", "Any of these.", [*ErrorGroupStatus], _STATUS, many=True),
    text("task", "Exactly this task.", 255),
    text("queue", "Exactly this queue, as that of the latest failure.", 64),
    text("q", "Exactly this fingerprint, or this exception with or without its module.", 255),
    *pagination.parameters(list(_ORDERINGS), "The latest seen first by default."),
)


class FailureListView(JobsView):
    requires = Permission.VIEW_ERRORGROUP

    @operation(
        "failures_list",
        tag="failures",
        parameters=_PARAMETERS,
        responses={200: shapes.FailurePageSerializer},
        problems=[422],
    )
    def get(self, request: Request) -> Response:
        """List groups of failures that are alike, the latest seen first.

        A group stays when retention has pruned its jobs. Counts of jobs are bounded.
        """
        given = query(request, _PARAMETERS)
        name = given.get("ordering", "-last_seen_at")
        visible = may(request, Permission.VIEW_PAYLOAD)
        with bounded() as using:
            page = pagination.paginate(
                request,
                failures.found(using, given),
                pagination.Ordering(name, _ORDERINGS[name]),
                page_size=given.get("page_size", pagination.DEFAULT_PAGE_SIZE),
                cursor=given.get("cursor"),
            )
            results = failures.documents(using, page.rows, values_visible=visible)
        return Response(shapes.FailurePageSerializer(page.document(results)).data)


class FailureView(JobsView):
    requires = {"GET": Permission.VIEW_ERRORGROUP, "PATCH": Permission.CHANGE_ERRORGROUP}

    @operation(
        "failures_get",
        tag="failures",
        responses={200: shapes.FailureSerializer},
        problems=[404, 422],
    )
    def get(self, request: Request, fingerprint: str) -> Response:
        """Look at a group of failures, with samples of its jobs and what their payloads share."""
        no_query(request)
        return self._answer(request, fingerprint)

    @operation(
        "failures_change",
        tag="failures",
        request=shapes.FailurePatchSerializer,
        responses={200: shapes.FailureSerializer},
        problems=[404, 422],
    )
    def patch(self, request: Request, fingerprint: str) -> Response:
        """Resolve, ignore or open a group of failures, or write a note.

        A resolved group opens again by itself when it is seen again, an ignored one after as many
        more failures as `ignore_for` says.
        """
        no_query(request)
        made = failures.decision(inputs.body(request, failures.PATCH_FIELDS))
        failures.check_fingerprint(fingerprint)
        with bounded() as using:
            error_groups.decide(using, fingerprint, actor=actor(request), **made)
        return self._answer(request, fingerprint)

    def _answer(self, request: Request, fingerprint: str) -> Response:
        visible = may(request, Permission.VIEW_PAYLOAD)
        with bounded() as using:
            document = failures.detail(using, fingerprint, values_visible=visible)
        return Response(shapes.FailureSerializer(document).data)
