"""Why is this job not running?"""

from __future__ import annotations

import datetime as dt
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from jobs import explain
from jobs.api import disclosure, scope
from jobs.api.base import JobsView, bounded
from jobs.api.fields import utc_text
from jobs.api.operations import no_query, operation
from jobs.api.serializers.why import WhySerializer
from jobs.permissions import Permission


class JobWhyView(JobsView):
    requires = Permission.VIEW_JOB

    @operation("jobs_why", tag="jobs", responses={200: WhySerializer}, problems=[404, 422])
    def get(self, request: Request, job_id: int) -> Response:
        """Ask why a job is not running, or how it ended.

        The reasons come from a few bounded queries, whatever the number of jobs.
        """
        no_query(request)
        with bounded() as using:
            scope.require(using, [job_id])
            facts = explain.gather(using, job_id)
        found = explain.reasons(facts, handler_words=disclosure.visible())
        document = {
            "job": job_id,
            "status": facts.job.status,
            "at": facts.now,
            "reasons": [_shown(reason) for reason in found],
        }
        return Response(WhySerializer(document).data)


def _shown(reason: explain.Reason) -> dict[str, Any]:
    facts = {
        name: utc_text(value) if isinstance(value, dt.datetime) else value
        for name, value in reason.facts.items()
    }
    return {"code": reason.code, "summary": reason.summary, "facts": facts}
