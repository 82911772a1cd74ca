"""An operation of the API as data, for reading requests and for writing the OpenAPI document."""

from __future__ import annotations

import datetime as dt
import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer

from jobs.api.problems import invalid
from jobs.errors import InvalidInput
from jobs.payload import normalise

_F = TypeVar("_F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Parameter:
    """A query parameter or header. `read(name, text)` gives its value or raises InvalidInput."""

    name: str
    description: str
    read: Callable[[str, str], Any]
    schema: Mapping[str, Any]
    many: bool = False
    header: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    id: str
    tag: str
    responses: Mapping[int, type[BaseSerializer[Any]] | None]
    request: type[BaseSerializer[Any]] | None = None
    parameters: Sequence[Parameter] = ()
    problems: frozenset[int] = field(default_factory=frozenset)
    """Statuses answered with a problem."""


_EVERYWHERE: Final = frozenset({403, 503})


def operation(
    id: str,
    *,
    tag: str,
    responses: Mapping[int, type[BaseSerializer[Any]] | None],
    request: type[BaseSerializer[Any]] | None = None,
    parameters: Sequence[Parameter] = (),
    problems: Iterable[int] = (),
    public: bool = False,
) -> Callable[[_F], _F]:
    """Describe a view's method; its docstring is the description, the first line the summary.

    `problems` are the statuses answered with one, beside those that every operation has.
    """
    described = Operation(
        id=f"qforge_{id}",
        tag=tag,
        responses=responses,
        request=request,
        parameters=parameters,
        problems=frozenset([*problems, *([400, 413, 415] if request else [])])
        | (frozenset() if public else _EVERYWHERE),
    )

    def mark(method: _F) -> _F:
        method.qforge_operation = described  # type: ignore[attr-defined]
        return method

    return mark


def query(request: Request, parameters: Sequence[Parameter]) -> dict[str, Any]:
    """The values of the query parameters that were given, lists for repeatable ones.

    Raises Problem 422 naming every parameter that is unknown, repeated or has a bad value.
    """
    return values_of(request.query_params.lists(), parameters)


def values_of(
    given: Iterable[tuple[str, Sequence[str]]], parameters: Sequence[Parameter]
) -> dict[str, Any]:
    """The values of parameters by name, each out of one text or, if repeatable, of several.

    Raises Problem 422 as `query` does.
    """
    known = {item.name: item for item in parameters if not item.header}
    values: dict[str, Any] = {}
    errors: list[InvalidInput] = []
    for name, texts in given:
        try:
            values[name] = _value(name, texts, known)
        except InvalidInput as error:
            errors.append(error)
    if errors:
        raise invalid(errors)
    return values


def _value(name: str, texts: Sequence[str], known: Mapping[str, Parameter]) -> Any:
    parameter = known.get(name)
    if parameter is None:
        close = difflib.get_close_matches(name, known, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise InvalidInput(name, f"unknown parameter{hint}", code="unknown-parameter")
    if parameter.many:
        return [parameter.read(name, text) for text in texts]
    if len(texts) > 1:
        raise InvalidInput(name, "may be given only once", code="repeated")
    return parameter.read(name, texts[0])


def no_query(request: Request) -> None:
    """Raises Problem 422 when there are query parameters: this operation has none."""
    query(request, ())


def integer(name: str, description: str, low: int, high: int) -> Parameter:
    def read(name: str, text: str) -> int:
        try:
            value = int(text) if len(text) <= 20 and text.isascii() else None
        except ValueError:
            value = None
        if value is None or not low <= value <= high:
            raise InvalidInput(
                name, f"must be a whole number from {low} to {high}, not {text!r:.80}"
            )
        return value

    schema = {"type": "integer", "minimum": low, "maximum": high}
    return Parameter(name, description, read, schema)


def text(name: str, description: str, longest: int, *, header: bool = False) -> Parameter:
    def read(name: str, text: str) -> str:
        if not 1 <= len(text) <= longest:
            raise InvalidInput(name, f"must have 1 to {longest} characters, not {len(text)}")
        return str(normalise(text, name, max_depth=1))

    schema = {"type": "string", "minLength": 1, "maxLength": longest}
    return Parameter(name, description, read, schema, header=header)


def choice(
    name: str, description: str, values: Sequence[str], schema: Mapping[str, Any], *, many: bool
) -> Parameter:
    def read(name: str, text: str) -> str:
        if text not in values:
            raise InvalidInput(name, f"must be one of {', '.join(values)}, not {text!r:.80}")
        return text

    return Parameter(name, description, read, schema, many=many)


def time(name: str, description: str) -> Parameter:
    def read(name: str, text: str) -> dt.datetime:
        # An unescaped plus sign of a query string arrives as a space.
        return read_time(name, text.replace(" ", "+") if "T" in text else text)

    return Parameter(name, description, read, {"type": "string", "format": "date-time"})


def read_time(name: str, text: Any) -> dt.datetime:
    """RFC 3339 text as a datetime. Raises InvalidInput, also when it has no offset from UTC."""
    try:
        at = dt.datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        at = None
    if at is None or at.tzinfo is None:
        raise InvalidInput(
            name, f"must be a time like 2026-01-31T08:00:00Z, with its offset, not {text!r:.80}"
        )
    try:
        return at.astimezone(dt.UTC)
    except OverflowError:
        raise InvalidInput(name, "is out of range") from None
