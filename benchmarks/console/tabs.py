"""`python -m benchmarks tabs`: what open tabs cost everybody else, on two synchronous workers."""

from __future__ import annotations

import http.client
import json
import math
import os
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from urllib.parse import urlencode

import django

ROUNDS: Final = 3
WORKERS: Final = 2
JOBS: Final = 20_000
_PAUSE_SECONDS: Final = 0.05


def run(*, tabs: int, seconds: float) -> int:
    """Ordinary requests with and without so many polling tabs, in turn; always returns 0.

    The machine's noise is the difference between rounds of the same kind.
    """
    django.setup()
    from django.conf import settings
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.test import Client

    from benchmarks.console.seed import seed

    call_command("migrate", verbosity=0)
    seed(JOBS)
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("bench"))
    name = settings.SESSION_COOKIE_NAME
    headers = {"Cookie": f"{name}={client.cookies[name].value}"}
    print(f"\n| round | tabs | requests | median, ms | p95, ms | polls |\n|{'---|' * 6}")
    with _gunicorn() as port:
        for number in range(ROUNDS * 2):
            opened = tabs if number % 2 else 0
            polls = _Tabs(port, headers, opened)
            spent = _ordinary_requests(port, headers, seconds)
            row = (number + 1, opened, len(spent), statistics.median(spent), _p95(spent))
            print("| {} | {} | {} | {:.1f} | {:.1f} |".format(*row), polls.close(), "|", flush=True)
    return 0


class _Tabs:
    """Pages that ask what has changed at the pace the server sets."""

    def __init__(self, port: int, headers: dict[str, str], number: int) -> None:
        self._port, self._headers = port, headers
        self._stopping = threading.Event()
        self._polls = [0] * number
        self._threads = [
            threading.Thread(target=self._poll, args=(n,), daemon=True) for n in range(number)
        ]
        for thread in self._threads:
            thread.start()

    def _poll(self, number: int) -> None:
        cursor, pause = "", number / max(len(self._polls), 1)
        while not self._stopping.wait(pause):
            query = f"?{urlencode({'cursor': cursor})}" if cursor else ""
            answer = json.loads(_get(self._port, f"/api/live/{query}", self._headers))
            cursor, pause = answer["cursor"], answer["next_poll_ms"] / 1000
            self._polls[number] += 1

    def close(self) -> int:
        """Close all; how often they asked."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(30)
        return sum(self._polls)


def _ordinary_requests(port: int, headers: dict[str, str], seconds: float) -> list[float]:
    spent, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        started = time.perf_counter()
        _get(port, "/api/jobs/", headers)
        spent.append((time.perf_counter() - started) * 1000)
        time.sleep(_PAUSE_SECONDS)
    return spent


def _get(port: int, path: str, headers: dict[str, str]) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        body = response.read()
    finally:
        connection.close()
    if response.status != 200:
        raise RuntimeError(f"{path}: {response.status} {body[:300]!r}")
    return body


@contextmanager
def _gunicorn() -> Iterator[int]:
    """The demo project on two workers, each of which serves one request at a time."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--workers", str(WORKERS)]
    command += ["--worker-class", "sync", "--bind", f"127.0.0.1:{port}", "--log-level", "error"]
    server = subprocess.Popen(command, env=os.environ | {"ALLOWED_HOSTS": "127.0.0.1"})
    try:
        _wait_until_it_answers(port)
        yield port
    finally:
        server.terminate()
        server.wait(30)


def _wait_until_it_answers(port: int) -> None:
    end = time.monotonic() + 60
    while True:
        try:
            _get(port, "/healthz/", {})
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
        else:
            return


def _p95(values: list[float]) -> float:
    ranked = sorted(values)
    return ranked[math.ceil(len(ranked) * 0.95) - 1]
