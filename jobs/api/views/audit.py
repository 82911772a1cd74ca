"""Who has changed what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api import disclosure, pagination
from jobs.api.base import JobsView, bounded
from jobs.api.operations import choice, operation, query, text, time
from jobs.api.serializers.audit import AuditPageSerializer
from jobs.models import AuditEntry
from jobs.permissions import Permission
from jobs.redaction import keys_only

_VIA: Final = {"$ref": "#/components/schemas/QForgeAuditVia"}
_ORDERINGS: Final = ("-id", "id")
_PARAMETERS: Final = (
    text("actor", "Exactly this name.", 150),
    text("action", "Exactly this action, like `queue.pause`.", 32),
    text("target", "Exactly this name or id.", 255),
    choice("via", "Any of these.", AuditEntry.Via.values, _VIA, many=True),
    time("since", "Then or later."),
    time("until", "Earlier than this."),
    *pagination.parameters(_ORDERINGS, "The newest first by default."),
)
_LOOKUPS: Final = {
    "actor": "actor",
    "action": "action",
    "target": "target",
    "via": "via__in",
    "since": "at__gte",
    "until": "at__lt",
}
_COLUMNS: Final = (
    *("id", "at", "actor", "via", "action", "target"),
    *("reason", "before", "after", "request_id"),
)


class AuditView(JobsView):
    requires = Permission.VIEW_AUDIT

    @operation(
        "audit_list",
        tag="audit",
        parameters=_PARAMETERS,
        responses={200: AuditPageSerializer},
        problems=[422],
    )
    def get(self, request: Request) -> Response:
        """List what people have changed, by the API, the console, the command line or the admin.

        Enqueued jobs and submitted workflows are not in it; their events tell who asked for them.
        """
        given = query(request, _PARAMETERS)
        name = given.pop("ordering", "-id")
        page_size = given.pop("page_size", pagination.DEFAULT_PAGE_SIZE)
        cursor = given.pop("cursor", None)
        conditions = {_LOOKUPS[key]: value for key, value in given.items()}
        with bounded() as using:
            page = pagination.paginate(
                request,
                [AuditEntry.objects.using(using).filter(**conditions).values(*_COLUMNS)],
                pagination.Ordering(name, (name,)),
                page_size=page_size,
                cursor=cursor,
            )
        document = page.document(map(_shown, page.rows))
        return Response(AuditPageSerializer(document).data)


def _shown(row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, "before": _state(row["before"]), "after": _state(row["after"])}


def _state(state: dict[str, Any] | None) -> dict[str, Any] | None:
    """A state whose payload, as that of a schedule, is for those who may see payloads."""
    if state is None or "payload" not in state or disclosure.visible():
        return state
    return state | {"payload": keys_only(state["payload"])}
