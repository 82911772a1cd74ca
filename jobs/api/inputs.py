"""From a request's body to what the verbs take; values are checked where Python callers' are."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from rest_framework.request import Request

from jobs.api.operations import read_time
from jobs.api.problems import MAX_ERRORS, Problem, invalid
from jobs.client import JobSpec, prepare
from jobs.conf import conf
from jobs.errors import IdempotencyConflict, InvalidInput
from jobs.payload import check_text
from jobs.store.values import NewJob

SPEC_FIELDS: Final = tuple(JobSpec.__dataclass_fields__)
MAX_REASON: Final = 500
KEY_HEADER: Final = "Idempotency-Key"
_KINDS: Final = {list: "a list", str: "a string", bool: "a truth value", type(None): "null"}


def body(request: Request, fields: Collection[str]) -> dict[str, Any]:
    """The body, an object with no other fields than these; no body is an empty object.

    Raises Problem 411 or 422.
    """
    if "Transfer-Encoding" in request.headers and not request.headers.get("Content-Length"):
        raise Problem(411, "length-required", "Send the body with a Content-Length.")
    return _object(request.data, fields)


def _object(value: Any, fields: Collection[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        kind = _KINDS.get(type(value), "a number")
        raise InvalidInput("body", f"must be an object, not {kind}")
    unknown = [name for name in value if name not in fields]
    if unknown:
        code = "unknown-field"
        raise invalid([InvalidInput(name, "unknown field", code=code) for name in unknown])
    return dict(value)


def reason(given: Mapping[str, Any]) -> str:
    """The `reason` of an action, empty when there is none. Raises InvalidInput."""
    words = given.get("reason")
    return "" if words is None else check_text(words, "reason", max_chars=MAX_REASON)


def new_job(request: Request) -> NewJob:
    """The job that the body asks for, its key perhaps in a header. Raises InvalidInput."""
    spec = _spec(body(request, SPEC_FIELDS))
    return prepare(replace(spec, idempotency_key=key(request, spec.idempotency_key)))


def key(request: Request, field: Any) -> Any:
    """The idempotency key, given in the header or as `field`. Raises InvalidInput."""
    header = request.headers.get(KEY_HEADER)
    if header is None:
        return field
    if not header.isascii():
        raise InvalidInput(KEY_HEADER, "must be ASCII; use the field idempotency_key otherwise")
    # The draft standard of the header has a quoted string, common practice has not.
    found = header[1:-1] if len(header) > 1 and header[0] == header[-1] == '"' else header
    if field not in (None, found):
        raise InvalidInput("idempotency_key", f"differs from the header {KEY_HEADER}")
    return found


def _spec(given: Mapping[str, Any]) -> JobSpec:
    if given.get("task") is None:
        raise InvalidInput("task", "is required", code="required")
    at = given.get("available_at")
    if at is not None:
        at = read_time("available_at", at)
    return JobSpec(**{**given, "available_at": at})


def new_jobs(request: Request) -> list[NewJob]:
    """The jobs of a bulk request. Raises InvalidInput, or Problem 422 with all that is wrong."""
    if KEY_HEADER in request.headers:
        raise InvalidInput(KEY_HEADER, "is for one job; give each job a key of its own")
    items = body(request, ["jobs"]).get("jobs")
    if not isinstance(items, list):
        raise InvalidInput("jobs", "must be a list of objects")
    if not 1 <= len(items) <= conf.BULK_MAX_JOBS:
        bound = f"must hold 1 to {conf.BULK_MAX_JOBS:,} jobs, not {len(items):,}"
        raise InvalidInput("jobs", bound, code="too-many" if items else "empty")
    prepared: list[NewJob] = []
    errors: list[InvalidInput] = []
    for position, item in enumerate(items):
        try:
            prepared.append(prepare(_spec(_object(item, SPEC_FIELDS))))
        except InvalidInput as error:
            errors.append(_within(position, error))
        except Problem as problem:
            errors += [_within(position, error) for error in problem.errors]
        if len(errors) >= MAX_ERRORS:
            break
    if errors:
        raise invalid(errors)
    return prepared


def _within(position: int, error: InvalidInput) -> InvalidInput:
    path = f"jobs[{position}]"
    field = path if error.field == "body" else f"{path}.{error.field}"
    return InvalidInput(field, error.message, code=error.code)


def conflicts(asked: Sequence[NewJob], error: IdempotencyConflict) -> Problem:
    """Which jobs of a bulk request the refused key belongs to."""
    places = [n for n, job in enumerate(asked) if job.idempotency_key == error.key]
    again = "stands in this request more than once, for different jobs"
    message = error.message if len(places) == 1 else again
    return invalid(
        [_within(n, InvalidInput("idempotency_key", message, code=error.code)) for n in places]
    )
