"""Who may come without a login, and which requests a foreign web page has sent.

A browser sends cookies and cached passwords along with whatever any page makes it send, and it
reaches servers on its own machine. Session logins are covered by Django's CSRF check; the rules
here cover what has no token: basic authentication and the API that is open on loopback.
"""

from __future__ import annotations

import ipaddress
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http.request import split_domain_port
from django.utils.http import is_same_domain
from rest_framework.authentication import BasicAuthentication, SessionAuthentication
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from jobs.api.problems import Problem
from jobs.conf import conf

_LOCAL_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
_PROXY_HEADERS: Final = (
    "Forwarded",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Real-Ip",
    "Via",
)
_BROWSER_HEADERS: Final = ("Origin", "Sec-Fetch-Site", "Referer", "Cookie")


def open_on_loopback(request: Request) -> bool:
    """Whether this request may pass without login, because it comes from this very machine.

    Only with DEBUG and `QFORGE["OPEN_ON_LOOPBACK"]`, straight from a loopback address, and for a
    local host name: a page whose name was rebound to 127.0.0.1 still sends its own name.
    """
    if not (settings.DEBUG and conf.OPEN_ON_LOOPBACK):
        return False
    if any(name in request.headers for name in _PROXY_HEADERS):
        return False
    try:
        address = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
        host = split_domain_port(request.get_host())[0]
    except (ValueError, DisallowedHost):
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback and host in _LOCAL_HOSTS


def refuse_foreign_writes(request: Request) -> None:
    """Raises PermissionDenied, or Problem 415, for a write that a foreign page may have sent."""
    how = request.successful_authenticator
    if request.method in SAFE_METHODS or isinstance(how, SessionAuthentication):
        return
    if how is not None and not isinstance(how, BasicAuthentication):
        return  # A token in a header is sent on purpose.
    origin = request.headers.get("Origin")
    if origin is not None:
        if not _is_trusted(origin, request):
            raise PermissionDenied(f"Requests from the origin {origin!r} may not change anything.")
    elif request.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
        raise PermissionDenied("Requests from other sites may not change anything.")
    media_type = request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    # Of the methods that write, a page may send only POST unasked, and then only as a form does.
    if media_type == "application/json" or request.method != "POST":
        return
    browser = any(request.headers.get(name) for name in _BROWSER_HEADERS)
    if how is None and (media_type or browser or request.headers.get("Content-Length", "0") != "0"):
        raise Problem(415, "unsupported-media-type", "Send `Content-Type: application/json`.")


def _is_trusted(origin: str, request: Request) -> bool:
    if origin == f"{request.scheme}://{request.get_host()}":
        return True
    asked = urlsplit(origin)
    for trusted in map(urlsplit, settings.CSRF_TRUSTED_ORIGINS):
        pattern = trusted.netloc.removeprefix("*") if "*" in trusted.netloc else trusted.netloc
        if asked.scheme == trusted.scheme and is_same_domain(asked.netloc, pattern):
            return True
    return False
