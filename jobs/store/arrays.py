"""Rows on their way to PostgreSQL, a column as the text of an array.

`unnest` turns them back into a table, so a batch costs one round trip and the statement's text does
not grow with it. The driver would write the same text, a pattern match for each element: for the
outcome of a no-op that took 25 µs, so it takes 2. Most columns hold one type, which is asked once.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from types import NoneType
from typing import Any, Final

_BETWEEN: Final = "\0"
_BARE: Final = ({int}, {float}, {bool}, {uuid.UUID})
"""Types whose text never needs quotes."""


def columns(rows: Sequence[tuple[Any, ...]]) -> list[str]:
    """The columns of `rows`, each as the text of an array; at least one row."""
    return [array(column) for column in zip(*rows, strict=True)]


def array(values: Iterable[Any]) -> str:
    """Text of a PostgreSQL array of strings, numbers, booleans, UUIDs, times or nulls.

    As the manual has it under "Array Input and Output Syntax": elements in quotes, with backslashes
    before backslashes and quotes. To be cast to the type that is meant.
    """
    elements = tuple(values)
    types = set(map(type, elements))
    if types == {str}:
        return '{"' + _quoted(elements) + '"}'
    if types in _BARE:
        return "{" + ",".join(map(str, elements)) + "}"
    if types == {NoneType}:
        return "{" + ",".join(["NULL"] * len(elements)) + "}"
    return "{" + ",".join(map(_element, elements)) + "}"


def _quoted(texts: Sequence[str]) -> str:
    joined = _BETWEEN.join(texts)
    if joined.count(_BETWEEN) >= len(texts):
        raise ValueError("PostgreSQL has no NUL in a text")
    return _escaped(joined).replace(_BETWEEN, '","')


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _element(value: Any) -> str:
    if value is None:
        return "NULL"
    return f'"{_escaped(str(value))}"'
