"""The conditions by which jobs are chosen: for the list of jobs and for operations on many."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from jobs.api.fields import utc_text
from jobs.api.operations import Parameter, choice, integer, text, time, values_of
from jobs.api.problems import invalid
from jobs.errors import InvalidInput, shown
from jobs.registry import PRIORITIES
from jobs.states import JobStatus

_MAX_ID: Final = 2**63 - 1
_STATUS: Final = {"$ref": "#/components/schemas/QForgeJobStatus"}
FILTERS: Final[tuple[Parameter, ...]] = (
    choice("status", "Any of these.", [*JobStatus], _STATUS, many=True),
    text("queue", "Exactly this queue.", 64),
    text("task", "Exactly this task.", 255),
    integer("priority", "Exactly this priority.", *PRIORITIES),
    integer("workflow", "Steps of this workflow.", 1, _MAX_ID),
    time("created_after", "Then or later."),
    time("created_before", "Earlier than this."),
    time("finished_after", "Then or later."),
    time("finished_before", "Earlier than this."),
    text("error_fingerprint", "Jobs whose latest failure belongs to this group.", 32),
    text("q", "Text within the task or the error, upper and lower case alike.", 200),
)
"""`jobs.store.filters` says what each means to the database."""


def read(given: Any) -> dict[str, Any]:
    """The filter of a body: an object of conditions, checked as those of a query are.

    A condition that may be repeated takes a list as well. Returns what JSON can keep. Raises
    InvalidInput, or Problem 422 naming each condition that is wrong.
    """
    if not isinstance(given, Mapping):
        raise InvalidInput("filter", f"must be an object of conditions, not {shown(given)}")
    many = {item.name for item in FILTERS if item.many}
    texts = []
    for name, value in given.items():
        values = value if isinstance(value, list) and name in many else [value]
        texts.append((f"filter.{name}", [_text(f"filter.{name}", one) for one in values]))
    return read_texts(texts)


def read_texts(given: list[tuple[str, list[str]]]) -> dict[str, Any]:
    """As `read`, of texts by `filter.<name>`."""
    within = [replace(item, name=f"filter.{item.name}") for item in FILTERS]
    found = values_of(given, within)
    empty = [name for name, value in found.items() if value == []]
    if empty:
        raise invalid([InvalidInput(name, "must not be an empty list") for name in empty])
    return {
        name.removeprefix("filter."): utc_text(value) if isinstance(value, dt.datetime) else value
        for name, value in found.items()
    }


def _text(name: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InvalidInput(name, f"must be text or a whole number, not {shown(value)}")
    return str(value)
