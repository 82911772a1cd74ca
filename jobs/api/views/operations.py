"""Operations on many jobs: try out, start, look at, cancel."""

from __future__ import annotations

from typing import Any, Final

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api import bulk, inputs, pagination, parsers, scope
from jobs.api.base import JobsView, actor, bounded
from jobs.api.operations import choice, no_query, operation, query, text
from jobs.api.serializers import operations as shapes
from jobs.api.serializers.jobs import ReasonRequestSerializer
from jobs.errors import OperationNotFound
from jobs.models import Operation, OperationItem
from jobs.operations import requests
from jobs.operations.requests import check_ids
from jobs.permissions import Permission
from jobs.states import BulkAction, OperationStatus

_MAX_ID: Final = 2**63 - 1
_KEY: Final = text(
    inputs.KEY_HEADER, "As the field idempotency_key, plain or quoted.", 255, header=True
)


def _enum(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/QForge{name}"}


_PARAMETERS: Final = (
    choice("status", "Any of these.", [*OperationStatus], _enum("OperationStatus"), many=True),
    choice("action", "Any of these.", [*BulkAction], _enum("BulkAction"), many=True),
    *pagination.parameters(("-id", "id"), "The newest first by default."),
)


def _known(operation_id: int) -> int:
    if operation_id > _MAX_ID:
        raise OperationNotFound(operation_id)
    return operation_id


def _shown(using: str, row: Operation) -> Any:
    return shapes.OperationSerializer(bulk.documents(using, [row])[0]).data


class OperationListView(JobsView):
    requires = {"GET": Permission.VIEW_JOB, "POST": Permission.BULK_OPERATE}

    def body_limit(self) -> int:
        return parsers.bulk_body_limit()

    @operation(
        "operations_list",
        tag="operations",
        parameters=_PARAMETERS,
        responses={200: shapes.OperationPageSerializer},
        problems=[422],
    )
    def get(self, request: Request) -> Response:
        """List operations on many jobs, the newest first."""
        given = query(request, _PARAMETERS)
        name = given.get("ordering", "-id")
        wanted = {f"{key}__in": given[key] for key in ("status", "action") if key in given}
        with bounded() as using:
            rows = Operation.objects.using(using).filter(**wanted)
            page = pagination.paginate(
                request,
                [rows.values("id")],
                pagination.Ordering(name, (name,)),
                page_size=given.get("page_size", pagination.DEFAULT_PAGE_SIZE),
                cursor=given.get("cursor"),
            )
            found = rows.in_bulk([row["id"] for row in page.rows])
            results = bulk.documents(using, [found[row["id"]] for row in page.rows])
        return Response(shapes.OperationPageSerializer(page.document(results)).data)

    @operation(
        "operations_create",
        tag="operations",
        parameters=[_KEY],
        request=shapes.OperationRequestSerializer,
        responses={200: shapes.DryRunSerializer, 202: shapes.OperationSerializer},
        problems=[409, 422],
    )
    def post(self, request: Request) -> Response:
        """Act on many jobs: those of a filter, or those named by id.

        It is carried out in batches by a job of its own; look at the operation to see how far it
        is. Jobs that arrive later are left alone, and so are those whose status has changed since,
        except by a cancel. With `dry_run` it answers 200 with how many jobs it would be for. Needs
        the permission for the action as well.
        """
        no_query(request)
        given = inputs.body(request, bulk.FIELDS)
        asked = bulk.spec(request, given)
        if bulk.flag(given, "dry_run"):
            with bounded() as using:
                scope.require(using, check_ids(asked.ids) if asked.ids else ())
                count, rows = requests.preview(using, asked)
                document = {
                    "count": count.count,
                    "exact": count.exact,
                    "sample": bulk.sample(rows),
                }
            return Response(shapes.DryRunSerializer(document).data)
        with bounded() as using:
            scope.require(using, check_ids(asked.ids) if asked.ids else ())
            made = requests.create(using, asked)
            shown = _shown(using, made.operation)
        url = reverse("qforge:operation", kwargs={"operation_id": made.operation.pk})
        how = {"Location": url} | ({} if made.created else {"Idempotency-Replayed": "true"})
        return Response(shown, status=202, headers=how)


class OperationView(JobsView):
    requires = Permission.VIEW_JOB

    @operation(
        "operations_get",
        tag="operations",
        responses={200: shapes.OperationSerializer},
        problems=[404, 422],
    )
    def get(self, request: Request, operation_id: int) -> Response:
        """Look at an operation and how far it is."""
        no_query(request)
        with bounded() as using:
            return Response(_shown(using, requests.get(using, _known(operation_id))))


class OperationCancelView(JobsView):
    requires = Permission.BULK_OPERATE

    @operation(
        "operations_cancel",
        tag="operations",
        request=ReasonRequestSerializer,
        responses={200: shapes.OperationSerializer},
        problems=[404, 409, 422],
    )
    def post(self, request: Request, operation_id: int) -> Response:
        """Stop an operation after the batch it is at; what it has done stays done."""
        no_query(request)
        reason = inputs.reason(inputs.body(request, ["reason"]))
        with bounded() as using:
            row = requests.cancel(using, _known(operation_id), actor=actor(request), reason=reason)
            return Response(_shown(using, row))


_ITEM_PARAMETERS: Final = (
    choice(
        "outcome",
        "Only these.",
        OperationItem.Outcome.values,
        _enum("ItemOutcome"),
        many=False,
    ),
    *pagination.parameters(("id", "-id"), "By the id of the job."),
)


class OperationItemsView(JobsView):
    requires = Permission.VIEW_JOB

    @operation(
        "operations_items",
        tag="operations",
        parameters=_ITEM_PARAMETERS,
        responses={200: shapes.OperationItemPageSerializer},
        problems=[404, 422],
    )
    def get(self, request: Request, operation_id: int) -> Response:
        """List the jobs that an operation left as they were, and why.

        Those it changed say so in their events.
        """
        given = query(request, _ITEM_PARAMETERS)
        name = given.get("ordering", "id")
        with bounded() as using:
            row = requests.get(using, _known(operation_id))
            items = row.items.using(using).values("id", "job_id", "outcome", "reason")
            if "outcome" in given:
                items = items.filter(outcome=given["outcome"])
            page = pagination.paginate(
                request,
                [items],
                pagination.Ordering(name, (name,)),
                page_size=given.get("page_size", pagination.DEFAULT_PAGE_SIZE),
                cursor=given.get("cursor"),
            )
        return Response(shapes.OperationItemPageSerializer(page.document(page.rows)).data)
