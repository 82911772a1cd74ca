"""Workflows as the API takes them; what the steps say is checked where Python callers' are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from jobs.api.operations import read_time
from jobs.errors import InvalidInput
from jobs.workflows.definition import Step

FIELDS: Final = ("name", "steps", "idempotency_key")
_AS_GIVEN: Final = ("queue", "priority", "max_attempts", "timeout_seconds", "on_failure")
STEP_FIELDS: Final = ("step", "task", "payload", "depends_on", "available_at", *_AS_GIVEN)


def steps(given: Mapping[str, Any]) -> list[Step]:
    """The steps of a request. Raises InvalidInput for what is not even shaped like one."""
    items = given.get("steps")
    if not isinstance(items, list):
        raise InvalidInput("steps", "must be a list of objects")
    return [_step(n, item) for n, item in enumerate(items)]


def _step(n: int, item: Any) -> Step:
    if not isinstance(item, dict):
        raise InvalidInput(f"steps[{n}]", "must be an object")
    for name in item:
        if name not in STEP_FIELDS:
            raise InvalidInput(f"steps[{n}].{name}", "unknown field", code="unknown-field")
    for name in ("step", "task"):
        if item.get(name) is None:
            raise InvalidInput(f"steps[{n}].{name}", "is required", code="required")
    depends_on = item.get("depends_on", [])
    if not isinstance(depends_on, list):
        raise InvalidInput(
            f"steps[{n}].depends_on", f"step {item['step']!r:.80}: must be a list of step names"
        )
    at = item.get("available_at")
    more = {name: item[name] for name in _AS_GIVEN if item.get(name) is not None}
    return Step(
        item["step"],
        item["task"],
        {} if item.get("payload") is None else item["payload"],
        after=depends_on,
        available_at=None if at is None else read_time(f"steps[{n}].available_at", at),
        **more,
    )


def from_steps(given: Mapping[str, Any]) -> list[str]:
    """The steps to run a workflow again from. Raises InvalidInput."""
    names = given.get("from_steps")
    if names is None:
        return []
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InvalidInput("from_steps", "must be a list of step names")
    return names
