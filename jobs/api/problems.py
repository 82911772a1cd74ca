"""Errors in one shape: RFC 9457 `application/problem+json`, with a stable `code` for programs."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.core.signals import got_request_exception
from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import Http404, UnreadablePostError
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from jobs.errors import (
    CountMismatch,
    ErrorGroupNotFound,
    IdempotencyConflict,
    IllegalTransition,
    InvalidInput,
    JobNotFound,
    OperationEnded,
    OperationNotFound,
    ScheduleConflict,
    ScheduleNotFound,
    UnknownTask,
    WorkflowConflict,
    WorkflowNotFound,
)
from jobs.payload import clean_text
from jobs.states import JobStatus, Verb, allowed_verbs

MEDIA_TYPE: Final = "application/problem+json"
MAX_ERRORS: Final = 100
"""Most `errors` in one answer."""
ACTIONS: Final[dict[Verb, str]] = {
    Verb.CANCEL: "cancel",
    Verb.RETRY: "retry",
    Verb.PROMOTE: "run-now",
}
"""The verbs a person may ask for, as the last part of their path."""
_CONFLICTS: Final[dict[type[Exception], tuple[str, str]]] = {
    IllegalTransition: ("illegal-transition", "The job's status does not allow this"),
    WorkflowConflict: ("workflow-conflict", "The workflow does not allow this"),
    ScheduleConflict: ("schedule-conflict", "The schedule does not allow this"),
    OperationEnded: ("operation-ended", "The operation has ended"),
    CountMismatch: ("count-mismatch", "More jobs match than expected"),
}
"""Code and title; an error that has a code of its own keeps that."""
_RETRY_AFTER_SECONDS: Final = 2
_MAX_CHARS: Final = 1000
_NOT_FOUND: Final = (
    JobNotFound,
    WorkflowNotFound,
    ScheduleNotFound,
    ErrorGroupNotFound,
    OperationNotFound,
    Http404,
)

_logger = logging.getLogger("jobs.api")


def allowed_actions(status: str) -> list[str]:
    """The actions the state table allows on a job in `status`."""
    return [ACTIONS[verb] for verb in allowed_verbs(JobStatus(status)) if verb in ACTIONS]


class Problem(Exception):
    """An answer other than success. `errors` say which fields are wrong and why."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        title: str = "",
        errors: Sequence[InvalidInput] = (),
        headers: Mapping[str, str] | None = None,
        **extra: Any,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.title = title or HTTPStatus(status).phrase
        self.errors = errors
        self.headers = dict(headers or {})
        self.extra = extra

    def body(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "type": f"urn:qforge:problem:{self.code}",
            "title": self.title,
            "status": self.status,
            "detail": clean_text(self.detail, _MAX_CHARS),
            "code": self.code,
            **self.extra,
        }
        if self.errors:
            found["errors"] = [
                {
                    "field": clean_text(error.field, _MAX_CHARS),
                    "code": error.code,
                    "detail": clean_text(error.message, _MAX_CHARS),
                }
                for error in self.errors[:MAX_ERRORS]
            ]
        return found


def invalid(errors: Sequence[InvalidInput]) -> Problem:
    """422 for values that were read but may not be."""
    first, more = errors[0], len(errors) - 1
    detail = str(first) + (f" (and {more} more)" if more else "")
    code, extra = "validation", dict[str, Any]()
    if isinstance(first, IdempotencyConflict):
        code, extra = first.code, {first.noun: first.owner_id}
    elif isinstance(first, UnknownTask) and not more:
        code = first.code
    return Problem(422, code, detail, title="The request is not valid", errors=errors, **extra)


def handle(error: Exception, context: Mapping[str, Any]) -> Response:
    """The API's exception handler: any exception as a problem, unexpected ones logged as well."""
    problem = _translate(error)
    if problem is None:
        # As Django does for an uncaught exception, so that error reporting sees it.
        request = context["request"]._request
        got_request_exception.send(sender=None, request=request)
        _logger.error("unexpected error on %s", request.path, exc_info=error)
        problem = Problem(500, "internal-error", "Something went wrong; it has been logged.")
    elif problem.status == HTTPStatus.SERVICE_UNAVAILABLE:
        _logger.warning("%s", problem.code, exc_info=error)
    set_rollback()
    return Response(
        problem.body(), status=problem.status, headers=problem.headers, content_type=MEDIA_TYPE
    )


def _translate(error: Exception) -> Problem | None:
    if isinstance(error, Problem):
        return error
    if isinstance(error, InvalidInput):
        return invalid([error])
    if isinstance(error, _NOT_FOUND):
        return Problem(404, "not-found", str(error) or "There is nothing here.")
    if isinstance(error, tuple(_CONFLICTS)):
        return _conflict(error)
    if isinstance(error, PermissionDenied):
        return Problem(403, "permission-denied", str(error) or "You may not do this.")
    if isinstance(error, UnreadablePostError):
        return Problem(400, "unreadable-body", "The body could not be read to its end.")
    if isinstance(error, exceptions.APIException):
        return _from_framework(error)
    return _from_database(error) if isinstance(error, DatabaseError | InterfaceError) else None


def _conflict(error: Exception) -> Problem:
    """409: the thing is there, but not in a state that allows this."""
    code, title = next(words for kind, words in _CONFLICTS.items() if isinstance(error, kind))
    extra: dict[str, Any] = {}
    if status := getattr(error, "status", None):
        extra["current_status"] = status
    if isinstance(error, IllegalTransition):
        extra["allowed_actions"] = allowed_actions(error.status)
    code = getattr(error, "code", code)
    return Problem(409, code, str(error), title=title, **extra)


def _from_framework(error: exceptions.APIException) -> Problem:
    headers = {}
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = f"{wait:.0f}"
    if auth_header := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = auth_header
    code = error.default_code.replace("_", "-")
    return Problem(error.status_code, code, str(error.detail), headers=headers)


def _from_database(error: DatabaseError | InterfaceError) -> Problem | None:
    """503 for what may be better in a moment; None for what is a fault of ours."""
    state = getattr(error.__cause__, "sqlstate", None)
    if state == "57014":
        code, detail = "query-timeout", "The database took too long; narrow the question down."
    elif state == "42P01" or "no such table" in str(error):
        code, detail = "not-migrated", "The tables are missing; run `manage.py migrate`."
    elif isinstance(error, OperationalError | InterfaceError):
        code, detail = "database-unavailable", "The database cannot be reached; try again."
    else:
        return None
    return Problem(503, code, detail, headers={"Retry-After": str(_RETRY_AFTER_SECONDS)})
