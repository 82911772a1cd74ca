"""Live streams of a real server."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jobs import lifecycle
from tests.support import factories
from tests.support.database import scalar
from tests.support.factories import USING
from tests.support.waiting import wait_until
from tests.support.web import Reader, WebServer, uvicorn

pytestmark = [pytest.mark.postgres, pytest.mark.process]
URL = "/api/live/stream/"
BACKENDS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND backend_type = 'client backend'
"""


@pytest.fixture
def server(committed_db: None, tmp_path: Path) -> Iterator[WebServer]:
    with uvicorn(tmp_path) as started:
        yield started


def follow(server: WebServer, query: str = "") -> Reader:
    """An open stream that has had its first message."""
    reader = server.follow(URL + query)
    assert reader.response.status == 200
    wait_until(reader.data, seconds=20)
    return reader


def heard(reader: Reader) -> set[int]:
    messages: list[Any] = [json.loads(text) for text in reader.data()]
    return {job for message in messages for job in message["changed"]["jobs"]}


def test_a_stream_tells_what_happens_as_it_happens(server: WebServer) -> None:
    reader = follow(server)
    headers = reader.response.headers
    assert headers["Content-Type"] == "text/event-stream"
    assert headers["Cache-Control"] == "no-cache, no-transform"
    assert headers["X-Accel-Buffering"] == "no"
    assert reader.lines[0] == "retry: 3000"
    (job,) = lifecycle.enqueue(USING, [factories.new_job()])
    wait_until(lambda: heard(reader) == {job.id}, seconds=20)
    last = json.loads(reader.data()[-1])
    assert f"id: {last['cursor']}" in reader.lines


def test_a_stream_goes_on_where_the_page_stood(server: WebServer) -> None:
    cursor = json.loads(server.get("/api/live/").read())["cursor"]
    (job,) = lifecycle.enqueue(USING, [factories.new_job()])
    assert heard(follow(server, f"?cursor={cursor}")) == {job.id}
    reader = server.follow(URL, **{"Last-Event-ID": cursor})
    wait_until(reader.data, seconds=20)
    assert heard(reader) == {job.id}


def test_many_streams_share_one_connection_and_leave_none_behind(server: WebServer) -> None:
    server.get("/api/live/").read()
    before = scalar(BACKENDS)
    readers = [follow(server) for _ in range(12)]
    # The reader's own, and what the server's pool keeps at hand.
    wait_until(lambda: scalar(BACKENDS) <= before + 2, seconds=20)
    (job,) = lifecycle.enqueue(USING, [factories.new_job()])
    wait_until(lambda: all(heard(reader) == {job.id} for reader in readers), seconds=20)
    idle = "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'"
    wait_until(lambda: scalar(idle) == 0)


def test_a_client_that_does_not_read_keeps_nobody_else_waiting(server: WebServer) -> None:
    server.get(URL)
    reader = follow(server)
    started = time.monotonic()
    for count in range(3):
        lifecycle.enqueue(USING, [factories.new_job()] * 150)
        wait_until(lambda seen=count: len(reader.data()) > seen + 1, seconds=20)  # type: ignore[misc]
    assert time.monotonic() - started < 20


def test_sigterm_ends_the_server_while_streams_are_open(server: WebServer) -> None:
    readers = [follow(server) for _ in range(3)]
    server.stop(seconds=15)
    for reader in readers:
        assert reader.ended.wait(5)


def test_a_page_that_is_closed_ends_the_reader(committed_db: None, tmp_path: Path) -> None:
    with uvicorn(tmp_path, DATABASE_POOL_SIZE="0") as server:
        before = scalar(BACKENDS)
        follow(server)
        assert scalar(BACKENDS) > before
        server.close()
        wait_until(lambda: scalar(BACKENDS) <= before, seconds=20)


def test_poll_only_refuses_the_stream_at_once(committed_db: None, tmp_path: Path) -> None:
    with uvicorn(tmp_path, QFORGE_LIVE_TRANSPORT="poll") as server:
        response = server.get(URL)
        assert (response.status, response.headers["Content-Type"]) == (
            501,
            "application/problem+json",
        )
