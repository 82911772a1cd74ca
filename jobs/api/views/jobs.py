"""Jobs: list, enqueue, look at, and act on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from django.db.models import QuerySet
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from jobs import lifecycle
from jobs.api import disclosure, inputs, pagination, parsers, queries, scope, search
from jobs.api.base import JobsView, actor, bounded
from jobs.api.filters import FILTERS
from jobs.api.operations import no_query, operation, query, text
from jobs.api.serializers import jobs as shapes
from jobs.errors import IdempotencyConflict, InvalidInput, JobNotFound
from jobs.models import Job
from jobs.permissions import Permission
from jobs.states import TERMINAL, JobStatus
from jobs.stats.failures import HELD_IN
from jobs.store.filters import matching
from jobs.store.literals import unseen

_F = TypeVar("_F", bound=Callable[..., Any])
_FINISHED: Final = tuple(status for status in JobStatus if status in TERMINAL)
_ORDERINGS: Final = {
    "-id": ("-id",),
    "id": ("id",),
    "-finished_at": ("-finished_at", "-id"),
    "finished_at": ("finished_at", "id"),
    "-priority": Job.CLAIM_ORDER,
    "priority": ("priority", "-available_at", "-created_at", "-id"),
    "available_at": ("available_at", "id"),
    "-available_at": ("-available_at", "-id"),
}
_MAX_ID: Final = 2**63 - 1
# Only the jobs in these statuses are in the index that serves the ordering.
_LISTS_ONLY: Final = {
    "finished_at": _FINISHED,
    "priority": (JobStatus.QUEUED,),
    "available_at": (JobStatus.SCHEDULED,),
}
_ABOUT_ORDERING: Final = (
    "`finished_at` lists finished jobs only, `available_at` scheduled ones, and `-priority` queued "
    "ones in the order in which they will be claimed."
)
_PARAMETERS: Final = FILTERS + pagination.parameters(list(_ORDERINGS), _ABOUT_ORDERING)
_KEY: Final = text(
    inputs.KEY_HEADER, "As the field idempotency_key, plain or quoted.", 255, header=True
)


class JobListView(JobsView):
    requires = {"GET": Permission.VIEW_JOB, "POST": Permission.ENQUEUE_JOB}

    @operation(
        "jobs_list",
        tag="jobs",
        parameters=_PARAMETERS,
        responses={200: shapes.JobPageSerializer},
        problems=[422],
    )
    def get(self, request: Request) -> Response:
        """List jobs, the newest first.

        Rows hold the beginning of the payload only. Page with the URLs in `next` and `previous`:
        they neither repeat nor skip a job, whatever changes in between. Among very many jobs a
        search for rare ones is cut off in time: then a page has few rows or none and a `next`.
        """
        given = query(request, _PARAMETERS)
        name = given.pop("ordering", "-id")
        page_size = given.pop("page_size", pagination.DEFAULT_PAGE_SIZE)
        cursor = given.pop("cursor", None)
        with bounded() as using:
            page = _page(request, using, name, given, page_size=page_size, cursor=cursor)
        document = page.document(map(queries.as_row, page.rows))
        return Response(shapes.JobPageSerializer(document).data)

    @operation(
        "jobs_enqueue",
        tag="jobs",
        parameters=[_KEY],
        request=shapes.JobRequestSerializer,
        responses={201: shapes.JobSerializer, 200: shapes.JobSerializer},
        problems=[422],
    )
    def post(self, request: Request) -> Response:
        """Enqueue a job.

        Answers 200 with the job there is when the idempotency key has one already, and 422 when
        that one was asked for in other words. A key is kept as long as its job, finished or not.
        """
        no_query(request)
        asked = inputs.new_job(request)
        with bounded() as using:
            enqueued = lifecycle.enqueue(using, [asked])[0]
            job = queries.job_detail(using, enqueued.id)
        url = reverse("qforge:job", kwargs={"job_id": enqueued.id})
        how = {"Location": url} if enqueued.created else {"Idempotency-Replayed": "true"}
        status = 201 if enqueued.created else 200
        return Response(shapes.JobSerializer(job).data, status=status, headers=how)


def _page(
    request: Request, using: str, name: str, given: dict[str, Any], **paging: Any
) -> pagination.Page:
    ordering = pagination.Ordering(name, _ORDERINGS[name])
    branches = _branches(queries.job_rows(using), name, given)
    if search.is_needed(name, given):
        stretches = search.Stretches.of(using, given)
        return search.paginate(request, branches[0], ordering, stretches, **paging)
    return pagination.paginate(request, branches, ordering, **paging)


def _branches(
    rows: QuerySet[Any, Any], ordering: str, given: dict[str, Any]
) -> list[QuerySet[Any, Any]]:
    """The filtered list, in as many parts as the index of the ordering has statuses."""
    only = _LISTS_ONLY.get(ordering.removeprefix("-"))
    statuses = given.get("status")
    if only and statuses and not set(statuses) <= set(only):
        raise InvalidInput("ordering", f"{ordering} lists {', '.join(only)} jobs only")
    filtered = rows.filter(matching(given, in_errors=disclosure.visible()))
    if only is None and "error_fingerprint" in given:
        # The index of the groups has the jobs of each status in the order of their ids.
        return [filtered.filter(status=unseen(s)) for s in HELD_IN if not statuses or s in statuses]
    if only is None:
        return [filtered]
    return [filtered.filter(status=s) for s in only if not statuses or s in statuses]


class JobBulkView(JobsView):
    requires = Permission.ENQUEUE_JOB

    def body_limit(self) -> int:
        return parsers.bulk_body_limit()

    @operation(
        "jobs_enqueue_bulk",
        tag="jobs",
        request=shapes.BulkRequestSerializer,
        responses={201: shapes.BulkAnswerSerializer, 200: shapes.BulkAnswerSerializer},
        problems=[422],
    )
    def post(self, request: Request) -> Response:
        """Enqueue many jobs, all or none.

        Answers 200 when every idempotency key had its job already.
        """
        no_query(request)
        asked = inputs.new_jobs(request)
        try:
            with bounded() as using:
                enqueued = lifecycle.enqueue(using, asked)
                scope.require(using, [one.id for one in enqueued])
        except IdempotencyConflict as error:
            raise inputs.conflicts(asked, error) from None
        status = 201 if any(one.created for one in enqueued) else 200
        return Response(shapes.BulkAnswerSerializer({"results": enqueued}).data, status=status)


class JobView(JobsView):
    requires = Permission.VIEW_JOB

    @operation("jobs_get", tag="jobs", responses={200: shapes.JobSerializer}, problems=[404, 422])
    def get(self, request: Request, job_id: int) -> Response:
        """Look at a job, with its payload and result."""
        no_query(request)
        with bounded() as using:
            job = queries.job_detail(using, job_id)
        return Response(shapes.JobSerializer(job).data)


_EVENT_ORDERINGS: Final = ("id", "-id")
_EVENT_PARAMETERS: Final = pagination.parameters(_EVENT_ORDERINGS, "The oldest first by default.")


class JobEventsView(JobsView):
    requires = Permission.VIEW_JOB

    @operation(
        "jobs_events",
        tag="jobs",
        parameters=_EVENT_PARAMETERS,
        responses={200: shapes.EventPageSerializer},
        problems=[404, 422],
    )
    def get(self, request: Request, job_id: int) -> Response:
        """List everything that happened to a job."""
        given = query(request, _EVENT_PARAMETERS)
        name = given.get("ordering", "id")
        with bounded() as using:
            queries.require_job(using, job_id)
            page = pagination.paginate(
                request,
                [queries.event_rows(using, job_id)],
                pagination.Ordering(name, (name,)),
                page_size=given.get("page_size", pagination.DEFAULT_PAGE_SIZE),
                cursor=given.get("cursor"),
            )
        document = page.document(map(queries.as_event, page.rows))
        return Response(shapes.EventPageSerializer(document).data)


def _act(request: Request, job_id: int, verb: Callable[..., Any]) -> Response:
    no_query(request)
    reason = inputs.reason(inputs.body(request, ["reason"]))
    if job_id > _MAX_ID:
        raise JobNotFound(job_id)
    with bounded() as using:
        scope.require(using, [job_id])
        verb(using, job_id, actor=actor(request), reason=reason)
        job = queries.job_detail(using, job_id)
    return Response(shapes.JobSerializer(job).data)


def _action(id: str) -> Callable[[_F], _F]:
    return operation(
        id,
        tag="jobs",
        request=shapes.ReasonRequestSerializer,
        responses={200: shapes.JobSerializer},
        problems=[404, 409, 422],
    )


class JobCancelView(JobsView):
    requires = Permission.CANCEL_JOB

    @_action("jobs_cancel")
    def post(self, request: Request, job_id: int) -> Response:
        """Cancel a job.

        A waiting job is cancelled at once. A running one is asked to stop; it is cancelled when its
        handler does, unless the handler succeeds all the same.
        """
        return _act(request, job_id, lifecycle.cancel)


class JobRetryView(JobsView):
    requires = Permission.RETRY_JOB

    @_action("jobs_retry")
    def post(self, request: Request, job_id: int) -> Response:
        """Queue a failed or cancelled job anew, with all its attempts."""
        return _act(request, job_id, lifecycle.retry)


class JobRunNowView(JobsView):
    requires = Permission.CHANGE_JOB

    @_action("jobs_run_now")
    def post(self, request: Request, job_id: int) -> Response:
        """Queue a scheduled job before its time."""
        return _act(request, job_id, lifecycle.run_now)
