"""References in a payload to the result of a parent, resolved when the step starts.

`{"$result": "build"}` stands for the whole result of the parent `build`, and
`{"$result": "build", "path": "artifact.url"}` for a field of it. A path is keys and list indexes
joined by dots, or a list of them where a key has a dot of its own. `"default"` is what to use when
the parent has no such field, or no result because it ended without success.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from jobs.errors import InvalidInput

KEY: Final = "$result"
_ALLOWED: Final = {KEY, "path", "default"}


@dataclass(frozen=True, slots=True)
class Reference:
    """Where it stands in the payload, the parent it names and the way into the result."""

    field: str
    parent: str
    path: tuple[str | int, ...]


class Unresolved(LookupError):
    """The parent's result has nothing at the path of the reference, and there is no default."""


def find(payload: Mapping[str, Any], field: str = "payload") -> Iterator[Reference]:
    """Every reference in the payload. Raises InvalidInput for one that is malformed."""
    if KEY in payload:
        raise InvalidInput(
            field,
            f"the payload itself cannot be a {KEY} reference; give its arguments one by one",
            code="reference",
        )
    for key, value in payload.items():
        yield from _find(value, f"{field}.{key}")


def _find(value: Any, field: str) -> Iterator[Reference]:
    if isinstance(value, dict):
        if KEY in value:
            yield _parse(value, field)
            return
        for key, item in value.items():
            yield from _find(item, f"{field}.{key}")
    elif isinstance(value, list):
        for n, item in enumerate(value):
            yield from _find(item, f"{field}[{n}]")


def _parse(value: dict[str, Any], field: str) -> Reference:
    unknown = value.keys() - _ALLOWED
    if unknown:
        raise InvalidInput(
            field,
            f"a {KEY} reference may have {', '.join(sorted(_ALLOWED))}, not {min(unknown)!r}",
            code="reference",
        )
    parent = value[KEY]
    if not isinstance(parent, str):
        raise InvalidInput(
            f"{field}.{KEY}", f"must be the name of a step, not {parent!r:.80}", code="reference"
        )
    return Reference(field, parent, _path(value.get("path", []), f"{field}.path"))


def _path(path: Any, field: str) -> tuple[str | int, ...]:
    if isinstance(path, str) and path:
        return tuple(path.split("."))
    if isinstance(path, list) and all(
        isinstance(part, str | int) and not isinstance(part, bool) for part in path
    ):
        return tuple(path)
    raise InvalidInput(
        field, f"must be text such as 'artifact.url' or a list of keys, not {path!r:.80}"
    )


def resolve(payload: Mapping[str, Any], results: Mapping[str, Any]) -> dict[str, Any]:
    """The payload with every reference replaced. `results` holds those of parents that succeeded.

    Raises Unresolved, whose text names the place in the payload and what is missing.
    """
    return {key: _resolve(value, f"payload.{key}", results) for key, value in payload.items()}


def _resolve(value: Any, field: str, results: Mapping[str, Any]) -> Any:
    if isinstance(value, dict):
        if KEY in value:
            return _look_up(value, _parse(value, field), results)
        return {key: _resolve(item, f"{field}.{key}", results) for key, item in value.items()}
    if isinstance(value, list):
        return [_resolve(item, f"{field}[{n}]", results) for n, item in enumerate(value)]
    return value


def _look_up(value: dict[str, Any], reference: Reference, results: Mapping[str, Any]) -> Any:
    try:
        if reference.parent not in results:
            raise Unresolved(
                f"{reference.field}: step {reference.parent!r} did not succeed, so it has no result"
            )
        return _walk(results[reference.parent], reference)
    except Unresolved:
        if "default" in value:
            return value["default"]
        raise


def _walk(found: Any, reference: Reference) -> Any:
    for part in reference.path:
        if isinstance(found, dict) and str(part) in found:
            found = found[str(part)]
        elif isinstance(found, list) and (index := _index(part)) < len(found):
            found = found[int(index)]
        else:
            path = ".".join(map(str, reference.path))
            raise Unresolved(
                f"{reference.field}: the result of step {reference.parent!r} has no {path!r}"
            )
    return found


def _index(part: str | int) -> float:
    """A list index; infinity for what is none, negative ones included."""
    text = str(part)
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else math.inf
