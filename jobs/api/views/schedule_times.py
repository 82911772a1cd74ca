"""The times to come of a schedule, saved or not."""

from __future__ import annotations

from typing import Final

from rest_framework.request import Request
from rest_framework.response import Response

from jobs import timing
from jobs.api import schedules
from jobs.api.base import JobsView, bounded
from jobs.api.operations import integer, operation, query, text
from jobs.api.serializers import schedules as shapes
from jobs.conf import default_timezone
from jobs.cron import MAX_CHARS
from jobs.permissions import Permission
from jobs.schedules import actions
from jobs.schedules.definition import timing_of
from jobs.store import clock

_COUNT: Final = integer("count", "How many, 5 by default.", 1, 100)
_PREVIEW: Final = (
    text("cron", "Five fields or a word; either this or interval_seconds.", MAX_CHARS),
    integer("interval_seconds", "Seconds between two.", *timing.INTERVAL_SECONDS),
    text("timezone", "IANA name; the project's by default.", 64),
    _COUNT,
)


class ScheduleNextView(JobsView):
    requires = Permission.VIEW_SCHEDULE

    @operation(
        "schedules_next",
        tag="schedules",
        parameters=(_COUNT,),
        responses={200: shapes.RunListSerializer},
        problems=[404, 422],
    )
    def get(self, request: Request, schedule_id: int) -> Response:
        """List the next fire times, of a disabled schedule as if it were enabled now."""
        count = query(request, (_COUNT,)).get("count", 5)
        with bounded() as using:
            row = actions.get(using, schedule_id)
            now = clock.now(using)
        results = schedules.runs(timing_of(row, now), now, count, row.timezone)
        return Response(shapes.RunListSerializer({"results": results}).data)


class SchedulePreviewView(JobsView):
    requires = Permission.VIEW_SCHEDULE

    @operation(
        "schedules_preview",
        tag="schedules",
        parameters=_PREVIEW,
        responses={200: shapes.PreviewSerializer},
        problems=[422],
    )
    def get(self, request: Request) -> Response:
        """List the fire times that a schedule with these times would have."""
        given = query(request, _PREVIEW)
        cron, seconds = given.get("cron", ""), given.get("interval_seconds")
        zone = given.get("timezone", default_timezone())
        timing.check_times({"cron": cron, "interval_seconds": seconds, "timezone": zone})
        with bounded() as using:
            now = clock.now(using)
        fires = timing.timing(cron=cron, interval_seconds=seconds, timezone=zone, anchor=now)
        document = {
            "description": schedules.describe(cron, seconds),
            "timezone": zone,
            "results": schedules.runs(fires, now, given.get("count", 5), zone),
        }
        return Response(shapes.PreviewSerializer(document).data)
