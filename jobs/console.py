"""The console: one page for all its routes, whose script does the rest through the API."""

from __future__ import annotations

import logging
import platform
from typing import TYPE_CHECKING, Any, Final

import django
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.urls import reverse

import jobs
from jobs.api.login import login_url
from jobs.api.pages import PageView
from jobs.api.views.me import describe
from jobs.conf import BOUNDS, conf

if TYPE_CHECKING:
    from rest_framework.request import Request

ROUTES: Final = (
    r"^(?:jobs|failures|workflows|queues|workers|schedules|tasks|operations|audit|system)(?:/.*)?$"
)
"""The console's routes below its root. Anything else is left to the project's other URLs."""
_logger = logging.getLogger("jobs.console")
_SHOWN_SETTINGS: Final = (*BOUNDS, "RETENTION_SECONDS")


class ConsoleView(PageView):
    """The page; what the script must know of the server travels in it as JSON."""

    requires = None

    sources = {
        "script-src": "{static}",
        "img-src": "{static} data:",
        "connect-src": "'self'",
    }

    def get(self, request: Request, **kwargs: Any) -> HttpResponse:
        return self.page("console.html", {"boot": _boot(request)})


def _boot(request: Request) -> dict[str, Any]:
    user: Any = request.user
    known = bool(user and user.is_authenticated)
    me = describe(request)
    return {
        "base": reverse("qforge:console"),
        "csrf": {
            "header": settings.CSRF_HEADER_NAME.removeprefix("HTTP_").replace("_", "-"),
            "token": get_token(request._request) if known else "",
        },
        "loginUrl": login_url(),
        "user": me["user"],
        "readOnly": me["read_only"],
        "permissions": me["permissions"],
        "environment": conf.ENVIRONMENT_NAME,
        "versions": {
            "qforge": jobs.__version__,
            "django": django.get_version(),
            "python": platform.python_version(),
        },
        "live": {"enabled": conf.LIVE_ENABLED, "stream": _offers_stream(request)},
        "settings": {name: getattr(conf, name) for name in _SHOWN_SETTINGS},
    }


def _offers_stream(request: Request) -> bool:
    """Whether pages may hold a stream open here."""
    asynchronous = isinstance(request._request, ASGIRequest)
    if conf.LIVE_TRANSPORT == "sse" and not asynchronous:
        _logger.warning("LIVE_TRANSPORT is 'sse', but this server speaks WSGI: pages will poll")
    return asynchronous and conf.LIVE_TRANSPORT != "poll"
