"""The feed of events, for whoever follows along."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api import scope
from jobs.api.base import JobsView, bounded
from jobs.api.operations import integer, operation, query, text
from jobs.api.queries import as_event
from jobs.api.serializers.jobs import FeedSerializer
from jobs.live import feed
from jobs.permissions import Permission

DEFAULT_LIMIT: Final = 100
MAX_LIMIT: Final = 1000
# Servers take requests of 8 kB and more; a cursor is far shorter.
_MAX_CURSOR: Final = 8000
_PARAMETERS: Final = (
    text(
        "after",
        "`cursor` of the last answer; `start` begins with the oldest event there is. Without it "
        "the answer has no events, only the cursor of this moment.",
        _MAX_CURSOR,
    ),
    integer("limit", f"Most events in the answer, {DEFAULT_LIMIT} by default.", 1, MAX_LIMIT),
)


class FeedView(JobsView):
    requires = Permission.VIEW_JOB

    @operation(
        "events_feed",
        tag="events",
        parameters=_PARAMETERS,
        responses={200: FeedSerializer},
        problems=[422],
    )
    def get(self, request: Request) -> Response:
        """Read the events after a cursor, each exactly once.

        An answer is in the order of ids, and the ids of one job's events rise in the order in which
        they happened. An event that is committed late comes in a later answer; none is skipped.
        """
        given = query(request, _PARAMETERS)
        with bounded() as using:
            page = feed.read(using, given.get("after"), limit=given.get("limit", DEFAULT_LIMIT))
            shown = scope.visible(using, {event.job for event in page.events})
        results = [as_event(asdict(event)) for event in page.events if event.job in shown]
        document = {"results": results, "cursor": page.cursor, "more": page.more}
        return Response(FeedSerializer(document).data)
