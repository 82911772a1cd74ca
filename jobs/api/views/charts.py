"""What charts are drawn from."""

from __future__ import annotations

from typing import Final

from rest_framework.request import Request
from rest_framework.response import Response

from jobs import stats
from jobs.api.base import JobsView, bounded
from jobs.api.operations import choice, integer, operation, query, text
from jobs.api.serializers import charts as shapes
from jobs.permissions import Permission

_DEFAULT_RANGE: Final = "1h"
_DEFAULT_LIMIT: Final = 5
_RANGE: Final = choice(
    "range",
    f"How far back, {_DEFAULT_RANGE} by default.",
    list(stats.RANGES),
    {"type": "string", "enum": list(stats.RANGES)},
    many=False,
)
_SERIES: Final = (_RANGE, text("queue", "Of this queue alone.", 64))
_TASKS: Final = (
    _RANGE,
    integer("limit", f"Most tasks in the answer, {_DEFAULT_LIMIT} by default.", 1, 100),
)


class TimeseriesView(JobsView):
    requires = Permission.VIEW_JOB

    @operation(
        "stats_timeseries",
        tag="stats",
        parameters=_SERIES,
        responses={200: shapes.TimeseriesSerializer},
        problems=[422],
    )
    def get(self, request: Request) -> Response:
        """Look at how it went over time: what came in and how it ended, and how long it took.

        The series come from sums that a worker keeps; `complete_at` says how fresh they are.
        """
        given = query(request, _SERIES)
        wanted = stats.RANGES[given.get("range", _DEFAULT_RANGE)]
        with bounded() as using:
            found = stats.timeseries(using, wanted, given.get("queue"))
        return Response(shapes.TimeseriesSerializer(found).data)


class TaskTimesView(JobsView):
    requires = Permission.VIEW_JOB

    @operation(
        "stats_tasks",
        tag="stats",
        parameters=_TASKS,
        responses={200: shapes.TaskTimesListSerializer},
        problems=[422],
    )
    def get(self, request: Request) -> Response:
        """List the tasks whose attempts took longest, in whole hours."""
        given = query(request, _TASKS)
        hours = stats.RANGES[given.get("range", _DEFAULT_RANGE)].seconds // 3600
        with bounded() as using:
            found = stats.slowest_tasks(using, hours, given.get("limit", _DEFAULT_LIMIT))
        return Response(shapes.TaskTimesListSerializer({"results": found}).data)
