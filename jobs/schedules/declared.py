"""Schedules declared in code: by `@task(cron=…)` or in `QFORGE["SCHEDULES"]`."""

from __future__ import annotations

from typing import Any, Final

from jobs import registry
from jobs.conf import conf
from jobs.errors import InvalidInput
from jobs.schedules.definition import Definition

WITHDRAWN: Final = "no longer declared in code"


def declared() -> dict[str, Definition]:
    """The declared schedules by name. The settings win over a decorator of the same name."""
    found = {
        task.name: Definition(
            name=task.name, task=task.name, cron=task.cron, timezone=task.timezone
        )
        for task in registry.all_tasks()
        if task.cron is not None
    }
    for name, options in conf.SCHEDULES.items():
        found[name] = Definition(name=name, **{"task": "", **options})
    return found


def checked() -> tuple[dict[str, dict[str, Any]], dict[str, InvalidInput]]:
    """The declared schedules as rows hold them, and those that are wrong, by name."""
    good, wrong = {}, {}
    for name, definition in declared().items():
        try:
            good[name] = definition.columns()
        except InvalidInput as error:
            wrong[name] = error
    return good, wrong
