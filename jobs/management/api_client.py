"""A small client of the HTTP API for commands: the standard library, one connection kept open."""

from __future__ import annotations

import base64
import http.client
import json
import os
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from django.core.management.base import CommandError, CommandParser

PASSWORD_VARIABLE: Final = "JOBS_API_PASSWORD"  # noqa: S105 - only its name
DEFAULT_URL: Final = "http://127.0.0.1:8000"
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
# A server may close a kept connection at any moment, so the first failure is tried again.
_TRIES: Final = 2


class ApiError(CommandError):
    """The API refused, or could not be reached. `status` is 0 when there was no answer."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


class ApiClient:
    """Talks to one server over one connection. Not for use by two threads at once."""

    def __init__(
        self, url: str, *, user: str = "", password: str = "", timeout_seconds: float = 30
    ) -> None:
        self.url = url.rstrip("/")
        self._parts = parse_url(self.url)
        self._timeout_seconds = timeout_seconds
        self._connection: http.client.HTTPConnection | None = None
        self._headers = {"Accept": "application/json"}
        if user:
            credentials = base64.b64encode(f"{user}:{password}".encode()).decode()
            self._headers["Authorization"] = f"Basic {credentials}"

    def get(self, path: str) -> Any:
        """The JSON document at `path`. Raises ApiError."""
        return self.request("GET", path, None, {})

    def post(self, path: str, document: Any) -> Any:
        """Post a JSON document; returns the answer's. Raises ApiError.

        It may be sent twice when the connection breaks, so a job needs an idempotency key.
        """
        body = json.dumps(document).encode()
        return self.request("POST", path, body, {"Content-Type": "application/json"})

    def request(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Any:
        """Send a request below the server's URL; returns the answer's JSON. Raises ApiError."""
        status, text = self._exchange(method, self._parts.path + path, body, headers)
        try:
            answer = json.loads(text)
        except ValueError:
            answer = None
        if not 200 <= status < 300:
            said = _detail(answer) if answer is not None else http.client.responses.get(status, "")
            hint = f" Give --user, and {PASSWORD_VARIABLE}." if status in (401, 403) else ""
            raise ApiError(f"{method} {self.url}{path} answered {status}: {said}{hint}", status)
        if answer is None:
            raise ApiError(f"{method} {self.url}{path} did not answer in JSON", status)
        return answer

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _exchange(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, bytes]:
        last: Exception | None = None
        for _ in range(_TRIES):
            try:
                connection = self._connection = self._connection or self._connect()
                connection.request(method, path, body, {**self._headers, **headers})
                response = connection.getresponse()
                return response.status, response.read()
            except (OSError, http.client.HTTPException) as error:
                self.close()
                last = error
        reason = str(last) or type(last).__name__
        raise ApiError(f"{self.url} cannot be reached: {reason}. Is the web server running?")

    def _connect(self) -> http.client.HTTPConnection:
        secure = self._parts.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        host = self._parts.hostname or ""
        return kind(host, self._parts.port, timeout=self._timeout_seconds)


def parse_url(url: str) -> SplitResult:
    """The parts of a server's URL. Raises ApiError when it is none."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable or "@" in parts.netloc or parts.query or parts.fragment:
        raise ApiError(f"--url: {url!r} is not like {DEFAULT_URL}")
    return parts


def _detail(answer: Any) -> str:
    if isinstance(answer, dict) and isinstance(answer.get("detail"), str):
        errors = answer.get("errors")
        return str(answer["detail"]) + (f" {json.dumps(errors)}" if errors else "")
    return json.dumps(answer)[:500]


def add_arguments(parser: CommandParser) -> None:
    """The options of every command that talks to the API."""
    parser.add_argument("--url", default=DEFAULT_URL, help="the server (default: %(default)s)")
    parser.add_argument(
        "--user", default="", help=f"user name for the API; the password is in {PASSWORD_VARIABLE}"
    )


def from_options(options: Mapping[str, Any]) -> ApiClient:
    """A client as the command line asks for. Raises ApiError for a URL that is none."""
    password = os.environ.get(PASSWORD_VARIABLE, "")
    return ApiClient(options["url"], user=options["user"], password=password)
