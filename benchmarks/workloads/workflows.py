"""Workflows of many steps, drained by a pool: what edges cost beside as many plain jobs."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator

from benchmarks import database, workers
from benchmarks.scale import Scale
from jobs import Workflow

Edges = Iterator[tuple[str, list[str]]]


def measure(scale: Scale) -> dict[str, float]:
    database.empty()
    database.fill_noops(scale.steps)
    workers.drain("--threads", "10")
    figures = {"plain jobs beside workflows, jobs/s": (plain := workers.jobs_per_second())}
    for shape, edges in _SHAPES.items():
        database.empty()
        started = time.monotonic()
        _workflow(edges(scale.steps)).submit()
        figures[f"{shape}, submitting, s"] = time.monotonic() - started
        workers.drain("--threads", "10")
        figures[f"{shape}, steps/s over plain jobs/s"] = workers.jobs_per_second() / plain
    return figures


def _workflow(edges: Edges) -> Workflow:
    workflow = Workflow("bench")
    for name, after in edges:
        workflow.step(name, "benchmarks.noop", after=after)
    return workflow


def _into_one(steps: int) -> Edges:
    names = [f"s{n}" for n in range(steps - 1)]
    yield from ((name, []) for name in names)
    yield "end", names


def _from_one(steps: int) -> Edges:
    yield "root", []
    yield from ((f"s{n}", ["root"]) for n in range(steps - 1))


def _grid(steps: int) -> Edges:
    side = math.isqrt(steps)
    for row in range(side):
        for column in range(side):
            above = [f"{row - 1}.{column}"] if row else []
            before = [f"{row}.{column - 1}"] if column else []
            yield f"{row}.{column}", above + before


_SHAPES: dict[str, Callable[[int], Edges]] = {
    "all into one": _into_one,
    "all from one": _from_one,
    "grid": _grid,
}
