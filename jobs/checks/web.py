"""Checks of the console and the API within the project around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Warning
from django.core.exceptions import ImproperlyConfigured
from django.urls import NoReverseMatch, reverse
from django.utils.module_loading import import_string

from jobs.api import permissions
from jobs.checks.configuration import problems
from jobs.conf import conf

_SESSION_LOGIN: Final = "rest_framework.authentication.SessionAuthentication"
_MIDDLEWARE: Final = {
    "django.contrib.sessions.middleware.SessionMiddleware": "nobody can be logged in",
    "django.contrib.auth.middleware.AuthenticationMiddleware": "nobody can be logged in",
    "django.middleware.csrf.CsrfViewMiddleware": "the token of its requests is never set",
}


def check_console(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """W003: the console is included, and cannot log anybody in or change anything."""
    if problems() or _SESSION_LOGIN not in conf.AUTHENTICATION_CLASSES or not _is_included():
        return []
    used = list(_middleware())
    return [
        Warning(
            f"The console is included without {path.rpartition('.')[2]}: {effect}.",
            hint=f"Add {path!r} to MIDDLEWARE.",
            id="qforge.W003",
        )
        for path, effect in _MIDDLEWARE.items()
        if not any(issubclass(one, import_string(path)) for one in used)
    ]


def _is_included() -> bool:
    try:
        reverse("qforge:console")
    except (NoReverseMatch, ImproperlyConfigured, ImportError, AttributeError):
        # URLs that are wrong are for Django's own checks to tell of.
        return False
    return True


def _middleware() -> Iterator[type]:
    for path in settings.MIDDLEWARE:
        try:
            found = import_string(path)
        except ImportError:
            continue
        if isinstance(found, type):
            yield found


def check_deployment(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """W004: the API is open to people who are not staff. W005: it may be open without login. Only
    with `--deploy`."""
    if problems():
        return []
    found: list[CheckMessage] = [
        Warning(
            f"QFORGE: PERMISSION_CLASSES: {who}.",
            hint="Payloads, and every action, are open to them. See docs/guides/access.md.",
            id="qforge.W004",
        )
        for who in permissions.openings()
    ]
    if conf.OPEN_ON_LOOPBACK:
        found.append(
            Warning(
                "QFORGE: OPEN_ON_LOOPBACK is on, for development alone.",
                hint="It works with DEBUG only, yet one of the two is better off for certain.",
                id="qforge.W005",
            )
        )
    return found
