"""Enqueueing, durable, with events: one by one in autocommit, and in bulk."""

from __future__ import annotations

import time

from benchmarks import database, measures
from benchmarks.scale import Scale
from jobs import JobSpec, enqueue, enqueue_many


def measure(scale: Scale) -> dict[str, float]:
    database.empty()
    started = time.monotonic()
    for n in range(scale.enqueue_single):
        enqueue("benchmarks.noop", {"a": n})
    single = scale.enqueue_single / (time.monotonic() - started)
    database.empty()
    started = time.monotonic()
    enqueue_many(
        JobSpec(task="benchmarks.noop", payload={"a": n}) for n in range(scale.enqueue_bulk)
    )
    bulk = scale.enqueue_bulk / (time.monotonic() - started)
    return {measures.ONE_BY_ONE: single, measures.IN_BULK: bulk}
