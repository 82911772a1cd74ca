"""A served project as a browser meets it: cookies, a login, pages with their parts, the API."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass
from email.message import Message
from http.cookiejar import CookieJar
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin, urlsplit
from urllib.request import (
    HTTPCookieProcessor,
    HTTPRedirectHandler,
    ProxyHandler,
    Request,
    build_opener,
)

from devtools.hostprojects.errors import Unmet
from devtools.hostprojects.project import Program

USER: Final = "ada@example.com"
PASSWORD: Final = "correct horse battery"  # noqa: S105 - of a project that lives for a minute
_SECONDS: Final = 60
_FINAL: Final = ("succeeded", "failed", "cancelled")
_PART: Final = re.compile(r'<(?:script|link)\b[^>]*?\b(?:src|href)="([^"]+)"')
_BOOT: Final = re.compile(r'<script id="qforge-boot"[^>]*>(.*?)</script>', re.S)
_TYPES: Final = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


@dataclass(frozen=True)
class Answer:
    """What came back: the status, the headers and the body."""

    status: int
    headers: Message
    body: bytes

    @property
    def type(self) -> str:
        return self.headers.get_content_type()

    def json(self) -> Any:
        return json.loads(self.body)


class _NoRedirects(HTTPRedirectHandler):
    """Hands redirects to `Site`, which knows the prefix."""

    def redirect_request(self, *args: Any) -> None:
        return None


class Site:
    """What a program serves on a port of this machine.

    Args:
        program: it must go on running.
        port: where it listens.
        prefix: the path under which a proxy would serve it, which the proxy takes away; "" for
            none. Addresses in pages must begin with it.
        seen_by_server: whether the server wants requests with that prefix and takes it away itself.
    """

    def __init__(self, program: Program, port: int, prefix: str, *, seen_by_server: bool) -> None:
        self._program = program
        self._origin = f"http://127.0.0.1:{port}"
        self._prefix = prefix
        self._cut = 0 if seen_by_server else len(prefix)
        # No proxy of the machine's stands between us and a port of its own.
        handlers = HTTPCookieProcessor(CookieJar()), ProxyHandler({}), _NoRedirects()
        self._opener = build_opener(*handlers)
        self._last = ""

    def get(self, path: str) -> Answer:
        return self._ask(path, None, {})

    def expect(self, path: str, media_type: str) -> Answer:
        """What is at an address; raises Unmet unless it is there, not empty, and of the type."""
        answer = self.get(path)
        if answer.status != 200 or answer.type != media_type or not answer.body:
            raise Unmet(
                f"{path}: {answer.status}, {answer.type}, {len(answer.body)} bytes; "
                f"expected 200, {media_type}"
            )
        return answer

    def send(self, method: str, path: str, body: bytes, boot: dict[str, Any]) -> Answer:
        """Send JSON as the console's script does, with what `console` has returned."""
        headers = {boot["csrf"]["header"]: boot["csrf"]["token"], "Origin": self._origin}
        return self._ask(path, body, headers | {"Content-Type": "application/json"}, method)

    def wait_until_ready(self, path: str) -> None:
        """Wait until the health check at `path` answers 200; raises Unmet when it never does."""
        end = time.monotonic() + _SECONDS
        answer: object = "nothing"
        while time.monotonic() < end:
            self._program.must_run()
            try:
                found = self.get(path)
            except OSError as error:
                answer = error
            else:
                if found.status == 200:
                    return
                answer = f"{found.status} {found.body[:300]!r}"
            time.sleep(0.05)
        raise Unmet(
            f"{path}: not ready after {_SECONDS} s: {answer}\n{self._program.printed()[-3000:]}"
        )

    def log_in(self, console: str) -> None:
        """Be sent from the console to the login page, log in there, and come back."""
        page = self.get(console)
        token = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', page.body)
        if page.status != 200 or not token:
            raise Unmet(f"{console}: no form to log in, but {page.status}: {page.body[-500:]!r}")
        form = {"username": USER, "password": PASSWORD, "csrfmiddlewaretoken": token[1].decode()}
        body = urlencode(form | {"next": console}).encode()
        self._ask(self._last, body, {"Content-Type": "application/x-www-form-urlencoded"})

    def console(self, path: str) -> dict[str, Any]:
        """Open the console and load its parts; returns what the page tells its script.

        Raises:
            Unmet: the page or a part of it does not load, or would not find the API.
        """
        page = self.expect(path, "text/html").body.decode()
        parts = _PART.findall(page)
        kinds = {part.rpartition(".")[2] for part in parts}
        if kinds != set(_TYPES):
            raise Unmet(f"{path}: the page has parts {parts}")
        for part in parts:
            self.expect(part, _TYPES[part.rpartition(".")[2]])
        found = _BOOT.search(page)
        boot: dict[str, Any] = json.loads(found[1]) if found else {}
        if boot.get("base") != path:
            raise Unmet(f"{path}: the script would look for the API below {boot.get('base')!r}")
        return boot | {"parts": parts}

    def work(self, console: str, boot: dict[str, Any], job: dict[str, Any]) -> dict[str, Any]:
        """Enqueue a job and wait for a worker to run it; returns it as the API shows it.

        Raises:
            Unmet: it is refused, or does not succeed in time.
        """
        made = self.send("POST", f"{console}api/jobs/", json.dumps(job).encode(), boot)
        where = str(made.headers.get("Location", ""))
        if made.status != 201 or not urlsplit(where).path.startswith(f"{console}api/jobs/"):
            raise Unmet(f"enqueue: {made.status} at {where!r}: {made.body[:1000]!r}")
        end = time.monotonic() + _SECONDS
        shown: dict[str, Any]
        while (shown := self.get(where).json())["status"] not in _FINAL:
            if time.monotonic() > end:
                raise Unmet(f"job {shown['id']} is {shown['status']} after {_SECONDS} s")
            time.sleep(0.05)
        if shown["status"] != "succeeded":
            raise Unmet(f"job {shown['id']} ended {shown['status']}: {shown.get('error')}")
        return shown

    def _ask(
        self, path: str, body: bytes | None, headers: dict[str, str], method: str | None = None
    ) -> Answer:
        """Ask as a browser does, redirects followed; any status is an answer."""
        for _ in range(5):
            path = urlsplit(path)._replace(scheme="", netloc="").geturl()
            if not path.startswith(self._prefix):
                raise Unmet(f"{path} leads out of {self._prefix}")
            request = Request(self._origin + path[self._cut :], body, headers, method=method)  # noqa: S310 - http
            answer = self._once(request)
            self._last = path
            if answer.status not in (301, 302):
                return answer
            path, body, headers = urljoin(path, answer.headers["Location"]), None, {}
            method = None
        raise Unmet(f"{path}: redirected again and again")

    def _once(self, request: Request) -> Answer:
        try:
            with self._opener.open(request, timeout=_SECONDS) as response:
                return Answer(response.status, response.headers, response.read())
        except HTTPError as error:
            with error:
                return Answer(error.code, error.headers, error.read())
