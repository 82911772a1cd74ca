"""What the tests of the demo share: a media folder of their own, and a job's context."""

from __future__ import annotations

import http.server
import io
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import django
import pytest
from django.test import override_settings
from PIL import Image

from jobs import JobContext


@pytest.fixture(autouse=True)
def media(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "media"
    with override_settings(MEDIA_ROOT=folder):
        yield folder


@pytest.fixture
def outbox(media: Path) -> Iterator[Path]:
    """The demo's own mail backend, which test runners replace by one that keeps mail in memory."""
    backend = "demo.outbox.OutboxBackend"
    new = django.VERSION >= (6, 1)
    chosen = {"MAILERS": {"default": {"BACKEND": backend}}} if new else {"EMAIL_BACKEND": backend}
    with override_settings(**chosen):
        yield media / "outbox"


@pytest.fixture
def context() -> Callable[..., JobContext]:
    def build(job_id: int = 1, **fields: Any) -> JobContext:
        values = {
            "task": "demo.test",
            "queue": "default",
            "attempt": 1,
            "max_attempts": 3,
            "timeout_seconds": None,
        }
        return JobContext(job_id=job_id, **(values | fields))

    return build


@pytest.fixture
def picture() -> Callable[..., bytes]:
    def build(size: tuple[int, int] = (640, 480), image_format: str = "PNG", **how: Any) -> bytes:
        out = io.BytesIO()
        Image.linear_gradient("L").resize(size).convert("RGB").save(out, image_format, **how)
        return out.getvalue()

    return build


class Receiver:
    """A real HTTP server that answers as the test says and remembers what came."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, dict[str, str], bytes]] = []
        self.received: list[tuple[str, dict[str, str], bytes]] = []
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.received.append((self.path, dict(self.headers), body))
                status, headers, answer = (
                    receiver.answers.pop(0) if receiver.answers else (200, {}, b"fine")
                )
                self.send_response(status)
                for name, value in (headers | {"Content-Length": str(len(answer))}).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, format: str, *args: Any) -> None:
                """Quiet."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.server.server_port}"
        self.url = f"http://{self.host}/hook"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,))

    def then(self, status: int, body: bytes = b"", **headers: str) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers.append((status, named, body))


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    running = Receiver()
    running.thread.start()
    with override_settings(DEMO_WEBHOOK_HOSTS=[running.host]):
        yield running
    running.server.shutdown()
    running.thread.join()
    running.server.server_close()
