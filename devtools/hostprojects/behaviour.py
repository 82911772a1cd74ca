"""What the API answers, in a form in which the answers of two projects can be compared."""

from __future__ import annotations

import time
from typing import Any, Final

from devtools.hostprojects.errors import Unmet
from devtools.hostprojects.site import Answer, Site

Answers = dict[str, Any]

JOB: Final = {"task": "shop.add", "payload": {"a": 19, "b": 23}}
_REQUESTS: Final = (
    ("GET", "api/me", b""),
    ("GET", "api/jobs?page_size=1", b""),
    ("GET", "api/jobs/?format=shop", b""),
    ("GET", "api/jobs/?status=nonsense&page_size=0", b""),
    ("GET", "api/jobs/999999999/", b""),
    ("GET", "api/workflows/", b""),
    ("GET", "api/tasks/", b""),
    ("GET", "api/nowhere", b""),
    ("GET", "healthz", b""),
    ("DELETE", "api/jobs/", b""),
    ("POST", "api/jobs", b"{"),
    ("POST", "api/jobs/", b'{"task": "shop.nothing"}'),
    ("POST", "api/jobs/", b'{"task": "shop.add", "payload": {"a": 1}, "priority": "x", "y": 1}'),
    ("POST", "api/jobs/999999999/cancel/", b"{}"),
    ("POST", "api/queues/default/pause", b"{}"),
    ("POST", "api/queues/default/resume", b"{}"),
)


def use(site: Site, console: str) -> tuple[dict[str, Any], float]:
    """Log in, open the console and have a job done.

    Returns what the page tells its script, and the seconds the job took.

    Raises:
        Unmet: something of it does not work.
    """
    site.wait_until_ready(f"{console}readyz/")
    site.log_in(console)
    boot = site.console(console)
    started = time.monotonic()
    job = site.work(console, boot, JOB)
    if job["result"] != 42:
        raise Unmet(f"the result is {job['result']!r}")
    return boot, time.monotonic() - started


def of(site: Site, console: str) -> Answers:
    """The answers to requests right and wrong: status, type, and texts or, of data, the shape."""
    boot = site.console(console)
    found: Answers = {"a job that was done": _shape(site.work(console, boot, JOB))}
    for method, path, body in _REQUESTS:
        answer = site.send(method, console + path, body, boot)
        found[f"{method} {path} {body.decode()}"] = (
            answer.status,
            answer.type,
            _said(answer, console),
        )
    return found


def compare(found: Answers, expected: Answers) -> None:
    """Raises Unmet for the first answer that differs."""
    for request, answer in expected.items():
        if found.get(request) != answer:
            raise Unmet(f"{request}: {found.get(request)}; in another project {answer}")


def _said(answer: Answer, console: str) -> Any:
    if answer.status >= 400:
        return answer.body.decode().replace(console, "/")
    return _shape(answer.json())


def _shape(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shape(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_shape(each) for each in value[:1]]
    return type(value).__name__
