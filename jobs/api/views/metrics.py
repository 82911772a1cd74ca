"""The numbers of the queue, for Prometheus."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from jobs import metrics
from jobs.api.base import JobsView, bounded
from jobs.api.problems import Problem
from jobs.errors import MissingExtra
from jobs.permissions import Permission


class MetricsView(JobsView):
    """Text that Prometheus reads, at the moment of the request."""

    schema = None
    requires = Permission.VIEW_JOB

    def get(self, request: Request) -> HttpResponse:
        try:
            with bounded() as using:
                text, media_type = metrics.exposition(using)
        except MissingExtra as missing:
            raise Problem(404, "not-found", str(missing)) from None
        return HttpResponse(text, content_type=media_type)
