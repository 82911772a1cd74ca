"""What has changed, for pages that ask again and again."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api import live
from jobs.api.base import JobsView, bounded
from jobs.api.operations import operation, query
from jobs.api.serializers.live import LiveSerializer
from jobs.live.changes import look
from jobs.live.counters import counters
from jobs.live.topics import EVERYTHING
from jobs.permissions import Permission


class LiveView(JobsView):
    requires = Permission.VIEW_JOB

    @operation(
        "live_get",
        tag="live",
        parameters=live.PARAMETERS,
        responses={200: LiveSerializer, 304: None},
        problems=[422],
    )
    def get(self, request: Request) -> Response:
        """Ask what has changed since a cursor.

        The answer has ids and flags; read what you show of them. An event that is committed late
        comes in a later answer; none is skipped. `If-None-Match` is answered with 304 while all is
        as it was.
        """
        live.require_enabled()
        given = query(request, live.PARAMETERS)
        with bounded() as using:
            counted = counters.get(using)
            found, place = look(using, given.get("cursor"), counted.marks)
            changes = live.visible(using, found)
        document = live.message(changes, place, counted, given.get("topics", EVERYTHING))
        tag = live.etag(document)
        headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
        if request.headers.get("If-None-Match") == tag:
            return Response(status=304, headers=headers)
        return Response(document, headers=headers)
