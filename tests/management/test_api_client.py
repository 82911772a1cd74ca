from __future__ import annotations

import base64
import http.server
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from jobs.management.api_client import ApiClient, ApiError, from_options, parse_url


class Server:
    """A real HTTP server with kept connections, whose answers the test writes."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, bytes] | None] = []
        self.requests: list[tuple[str, str, bytes, dict[str, str]]] = []
        self.connections: set[Any] = set()
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                server.requests.append((self.command, self.path, body, dict(self.headers)))
                server.connections.add(self.client_address)
                chosen = server.answers.pop(0) if server.answers else (200, b"{}")
                if chosen is None:
                    self.close_connection = True
                    return
                self.send_response(chosen[0])
                self.send_header("Content-Length", str(len(chosen[1])))
                self.end_headers()
                self.wfile.write(chosen[1])

            do_GET = do_POST = answer

            def log_message(self, format: str, *args: Any) -> None:
                """Quiet."""

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.02,))


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    running.thread.start()
    yield running
    running.http.shutdown()
    running.thread.join()
    running.http.server_close()


@pytest.fixture
def client(server: Server) -> Iterator[ApiClient]:
    made = ApiClient(server.url + "/prefix/")
    yield made
    made.close()


def test_a_document_goes_out_and_one_comes_back(server: Server, client: ApiClient) -> None:
    server.answers = [(201, b'{"id": 12345678901234567890}')]
    assert client.post("/api/jobs/", {"task": "ü"}) == {"id": 12345678901234567890}
    ((method, path, body, headers),) = server.requests
    assert (method, path, json.loads(body)) == ("POST", "/prefix/api/jobs/", {"task": "ü"})
    assert headers["Content-Type"] == "application/json"
    assert "Authorization" not in headers


def test_requests_share_one_connection(server: Server, client: ApiClient) -> None:
    for _ in range(3):
        client.get("/api/queues/")
    assert (len(server.requests), len(server.connections)) == (3, 1)


def test_a_connection_that_the_server_dropped_is_opened_again(
    server: Server, client: ApiClient
) -> None:
    server.answers = [(200, b"{}"), None, (200, b'{"again": true}')]
    client.get("/")
    assert client.get("/") == {"again": True}
    assert len(server.connections) == 2


def test_a_refusal_says_what_the_api_said(server: Server, client: ApiClient) -> None:
    problem = {"detail": "priority: must be small", "errors": [{"pointer": "/priority"}]}
    server.answers = [(422, json.dumps(problem).encode()), (503, b"<html>"), (400, b'["x"]')]
    with pytest.raises(
        ApiError, match=r"answered 422: priority: must be small .*pointer"
    ) as caught:
        client.post("/api/jobs/", {})
    assert caught.value.status == 422
    with pytest.raises(ApiError, match="answered 503: Service Unavailable"):
        client.get("/")
    with pytest.raises(ApiError, match=r'answered 400: \["x"\]'):
        client.get("/")


def test_an_answer_that_is_not_json_is_refused(server: Server, client: ApiClient) -> None:
    server.answers = [(200, b"<html>")]
    with pytest.raises(ApiError, match="did not answer in JSON"):
        client.get("/")


def test_a_server_that_is_away_is_named() -> None:
    with pytest.raises(
        ApiError, match=r"http://127.0.0.1:1 cannot be reached: .*refused"
    ) as caught:
        ApiClient("http://127.0.0.1:1").get("/")
    assert caught.value.status == 0


def test_the_password_comes_from_the_environment(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JOBS_API_PASSWORD", "pass:wörd")
    client = from_options({"url": server.url, "user": "ada"})
    client.get("/")
    client.close()
    scheme, _, sent = server.requests[0][3]["Authorization"].partition(" ")
    assert (scheme, base64.b64decode(sent).decode()) == ("Basic", "ada:pass:wörd")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:8000",
        "ftp://a",
        "http://",
        "http://a:b",
        "http://a:0",
        "http://u:p@a",
        "http://a?b",
    ],
)
def test_what_is_no_url_of_a_server_is_refused(url: str) -> None:
    with pytest.raises(ApiError, match=r"is not like http://127\.0\.0\.1:8000"):
        parse_url(url)
