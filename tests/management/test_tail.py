"""`manage.py jobs tail`."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.db import connection

from jobs import client
from tests.management.terminal import run
from tests.support.database import lent, second_connection


def test_the_tail_reads_what_has_committed(
    committed_db: None, register: Callable[..., client.Task]
) -> None:
    made = register(lambda: None, name="tests.tailed")
    first, second = made.enqueue().id, made.enqueue().id
    ran = run("jobs", "tail", "--after", "start", "--for", "0", "--kind", "enqueued")
    assert [line.split()[2] for line in ran.out.splitlines()] == [str(first), str(second)]
    assert "new -> queued" in ran.out
    only = run("jobs", "tail", "--after", "start", "--for", "0", "--job", str(second), "--json")
    assert [json.loads(line)["job"] for line in only.out.splitlines()] == [second]
    assert run("jobs", "tail", "--for", "0").out == ""


@pytest.mark.postgres
def test_an_outage_is_said_once_and_neither_repeats_an_event_nor_skips_one(
    committed_db: None, register: Callable[..., client.Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, ids, slept = register(lambda: None, name="tests.tailed"), list[int](), list[float]()

    def meanwhile(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 4:
            raise KeyboardInterrupt
        with second_connection() as other:
            with lent(other):
                ids.append(made.enqueue().id)
            if len(slept) == 2:
                pid = connection.connection.info.backend_pid
                other.cursor().execute("SELECT pg_terminate_backend(%s)", [pid])

    monkeypatch.setattr("jobs.management.subcommands.tail.time.sleep", meanwhile)
    ran = run("jobs", "tail", "--json", "--interval", "0.1")
    assert ran.code == 0
    # The look after the cut fails, the one after that finds what came meanwhile.
    assert [json.loads(line)["job"] for line in ran.out.splitlines()] == ids
    assert ran.err.count("! database:") == 1
