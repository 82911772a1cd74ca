"""Checks of the settings and of what is declared in code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any, Final

from django.apps import AppConfig, apps
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning
from django.utils.module_loading import import_string

from jobs import conf
from jobs.errors import InvalidInput
from jobs.registry import check_queue
from jobs.schedules.declared import checked

LEAST_LEASE_SECONDS: Final = 10.0


def check_settings(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """What is wrong with settings, ids E001, E002, W002 and W006.

    E001: the QFORGE dict is wrong. E002: times have no zone, unlike the database's. W002: a lease
    leaves little room, or ends long before anybody looks. W006: no app has such a module of tasks.
    """
    found: list[CheckMessage] = [
        Error(f"QFORGE: {problem}.", hint="See jobs/conf.py for keys and bounds.", id="qforge.E001")
        for problem in problems()
    ]
    if not settings.USE_TZ:
        found.append(
            Error(
                "QForge needs USE_TZ = True.", hint="All its times carry a zone.", id="qforge.E002"
            )
        )
    if not problems():
        found += [*_lease(), *_task_modules()]
    return found


def _lease() -> Iterator[CheckMessage]:
    values = conf.conf
    lease, rescue = values.LEASE_SECONDS, values.RESCUE_SECONDS
    if lease < LEAST_LEASE_SECONDS:
        yield Warning(
            f"A lease of {lease:g} s leaves little room for a pause of worker or network.",
            hint="Jobs may be run twice; set LEASE_SECONDS to 10 or more.",
            id="qforge.W002",
        )
    if rescue > lease:
        yield Warning(
            f"Expired leases are looked for every {rescue:g} s, longer than the lease of "
            f"{lease:g} s.",
            hint="Set RESCUE_SECONDS below LEASE_SECONDS, or crashes stay unnoticed.",
            id="qforge.W002",
        )


def _task_modules() -> Iterator[CheckMessage]:
    usual = conf.Settings.__dict__["TASK_MODULES"]
    for name in conf.conf.TASK_MODULES:
        # The usual ones are no mistake where an app has none.
        if name not in usual and not any(
            _has_module(app.name, name) for app in apps.get_app_configs()
        ):
            yield Warning(
                f"QFORGE: TASK_MODULES: no installed app has a module named {name!r}.",
                hint="Its tasks are not registered. Name the module below the app, as in 'tasks'.",
                id="qforge.W006",
            )


def _has_module(package: str, name: str) -> bool:
    # What exists was imported when Django was set up, and what fails there ends that.
    try:
        return find_spec(f"{package}.{name}") is not None
    except (ImportError, ValueError):
        return False


def problems() -> list[str]:
    found = conf.problems(getattr(settings, "QFORGE", {}))
    if not found:
        for name in conf.conf.QUEUES:
            try:
                check_queue(name)
            except InvalidInput as error:
                found.append(f"QUEUES: {error.message}")
        if path := conf.conf.ERROR_FINGERPRINT:
            try:
                hook = import_string(path)
            except ImportError as missing:
                found.append(f"ERROR_FINGERPRINT: {missing}")
            else:
                if not callable(hook):
                    found.append(f"ERROR_FINGERPRINT: {path!r} is not a function")
    return found


def check_schedules(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """E003: a schedule declared in code has an unknown task, or a payload that does not fit it."""
    if conf.problems(getattr(settings, "QFORGE", {})):
        return []
    _, wrong = checked()
    return [
        Error(
            f"Schedule {name!r}: {problem}.", hint="See docs/guides/schedules.md.", id="qforge.E003"
        )
        for name, problem in wrong.items()
    ]
