"""The whole product in this process: a web server over HTTP and a pool that runs jobs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.core.wsgi import get_wsgi_application
from django.test import override_settings

from jobs.worker.options import from_settings
from jobs.worker.pool import Pool


class _QuietHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """The test looks at what it got, not at a log."""


@contextmanager
def web_server(**settings: Any) -> Iterator[str]:
    """A web server on this machine that needs no login; yields its URL."""
    server = ThreadedWSGIServer(("127.0.0.1", 0), _QuietHandler, connections_override={})
    server.set_app(get_wsgi_application())
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), name="web")
    url = f"http://127.0.0.1:{server.server_port}"
    opened: dict[str, Any] = {"DEBUG": True, "QFORGE": {"OPEN_ON_LOOPBACK": True}, "DEMO_URL": url}
    opened |= {"DEMO_WEBHOOK_HOSTS": [url.removeprefix("http://")], "ALLOWED_HOSTS": ["127.0.0.1"]}
    with override_settings(**opened | settings):
        thread.start()
        try:
            yield url
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


@contextmanager
def running_pool(**options: Any) -> Iterator[Pool]:
    """A pool of four threads that runs what is enqueued until the block ends."""
    pool = Pool(from_settings(**{"threads": 4, "poll_seconds": 0.05} | options))
    pool.start()
    try:
        yield pool
    finally:
        pool.stop()
        pool.shut_down()
