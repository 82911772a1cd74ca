"""`manage.py jobs tail`."""

from __future__ import annotations

import json
from collections.abc import Callable

from jobs import client
from tests.management.terminal import run


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
