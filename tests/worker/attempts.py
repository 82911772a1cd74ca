"""Running handlers as a worker thread does, without a pool."""

from __future__ import annotations

import itertools
import json
import uuid
from collections.abc import Sequence
from typing import Any

from jobs import registry
from jobs.store.values import Claimed, Outcome
from jobs.worker.executor import execute
from jobs.worker.runs import Runs
from tests.support.threads import running

ANY = registry.Task(name="tests.any", handler=lambda: None)
_ids = itertools.count(1_000_000)


def claimed(task: registry.Task | str, **fields: Any) -> Claimed:
    """A job as a claim gives it, without a row."""
    plain: dict[str, Any] = {
        "id": next(_ids),
        "token": uuid.uuid4(),
        "task": task if isinstance(task, str) else task.name,
        "queue": "default",
        "payload_json": json.dumps(fields.pop("payload", {})),
        "args_json": json.dumps(fields.pop("args", [])),
        "attempt": 1,
        "max_attempts": 3,
        "timeout_seconds": None,
        "waited_seconds": 0.0,
    }
    return Claimed(**plain | fields)


def attempts(jobs: Sequence[Claimed], *, seconds: float = 30.0) -> list[Outcome]:
    """Run jobs one after the other on one thread of their own; the outcomes in order."""
    runs = Runs()
    with running(lambda: [execute(job, runs)[0] for job in jobs]) as worker:
        outcomes = worker.wait(seconds)
    assert not len(runs)
    return outcomes


def attempt(task: registry.Task | str, **fields: Any) -> Outcome:
    """Run one job of the task on a thread of its own."""
    return attempts([claimed(task, **fields)])[0]
