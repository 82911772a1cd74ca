"""Posting a webhook, and proving to the receiver that it is ours.

A job's payload may come from anyone who can enqueue, so the target is not trusted: a worker often
stands where it reaches what the outside does not (OWASP, "Server-Side Request Forgery Prevention
Cheat Sheet"). Only hosts that the settings name are asked, no redirect is followed and no proxy
of the environment is used.
"""

from __future__ import annotations

import hmac
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, urlsplit, urlunsplit
from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, Request

from django.conf import settings
from django.utils.crypto import salted_hmac

from jobs import PermanentError, Retry

_DEFAULT_PORTS = {"http": 80, "https": 443}
_MAX_ANSWER_BYTES = 64 * 1024
_MAX_RETRY_AFTER_SECONDS = 3600.0
# Too early, too many or a passing trouble of the server; any other refusal is there to stay.
_PASSING = {408, 425, 429}


@dataclass(frozen=True, slots=True)
class Answer:
    """What the receiver said."""

    status: int
    text: str


def allowed_url(url: str) -> str:
    """`url`, written anew from its checked parts.

    Raises PermanentError unless it is http(s) to a host and port in DEMO_WEBHOOK_HOSTS.
    """
    if not url.isascii() or not url.isprintable() or " " in url:
        raise PermanentError(f"{url!r:.200} is not a URL: it must be printable ASCII")
    try:
        parts: SplitResult = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise PermanentError(f"{url!r:.200} is not a URL: {error}") from None
    if parts.scheme not in _DEFAULT_PORTS:
        raise PermanentError(f"webhooks go to http and https, not to {parts.scheme!r:.80}")
    if "@" in parts.netloc:
        raise PermanentError("a webhook's URL must not hold a user name or password")
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    usual = _DEFAULT_PORTS[parts.scheme]
    target = f"{host}:{usual if port is None else port}"
    names = {target, host} if target == f"{host}:{usual}" else {target}
    if names.isdisjoint(settings.DEMO_WEBHOOK_HOSTS):
        raise PermanentError(f"{target!r:.200} is not in DEMO_WEBHOOK_HOSTS; nothing was sent")
    return urlunsplit((parts.scheme, target, parts.path or "/", parts.query, ""))


def post(url: str, body: Any, *, key: str, timeout_seconds: float = 10.0) -> Answer:
    """Post `body` as JSON under the idempotency key `key`.

    Raises Retry when the receiver is for the moment unable, PermanentError when it refuses, and
    OSError when it cannot be reached.
    """
    data = json.dumps(body, sort_keys=True).encode()
    headers = {
        "Content-Type": "application/json",
        "Idempotency-Key": key,
        "User-Agent": "qforge-demo",
        "X-Demo-Signature": sign(key, data),
    }
    request = Request(allowed_url(url), data=data, headers=headers, method="POST")  # noqa: S310 - http(s) only
    with _opener().open(request, timeout=timeout_seconds) as response:
        text = response.read(_MAX_ANSWER_BYTES).decode("utf-8", "replace")
        status, retry_after = response.status, response.headers.get("Retry-After", "")
    if 200 <= status < 300:
        return Answer(status, text)
    reason = f"the receiver answered {status}: {text[:200]}"
    if status in _PASSING or status >= 500:
        raise Retry(reason, after=_seconds(retry_after))
    raise PermanentError(reason)


def _opener() -> OpenerDirector:
    """An opener that knows http and https and nothing else: no proxies, redirects, files."""
    opener = OpenerDirector()
    opener.add_handler(HTTPHandler())
    opener.add_handler(HTTPSHandler())
    return opener


def _seconds(retry_after: str) -> float | None:
    whole = retry_after.isascii() and retry_after.isdecimal()
    return min(float(retry_after), _MAX_RETRY_AFTER_SECONDS) if whole else None


def sign(key: str, body: bytes) -> str:
    """Signature of a delivery; the key is part of it, so a copy cannot pass for another."""
    return salted_hmac("demo.webhooks", key.encode() + b"\n" + body, algorithm="sha256").hexdigest()


def is_signed(key: str, body: bytes, signature: str) -> bool:
    return hmac.compare_digest(sign(key, body).encode(), signature.encode())
