"""How big the workloads are."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    enqueue_single: int
    enqueue_bulk: int
    drain: int
    drain_plain: int
    pickups: int
    naps: int
    """Jobs that sleep for 50 ms."""
    waits: int
    """Async jobs that wait for a second."""
    backlogs: tuple[int, ...]
    beside: int
    """Scheduled rows, and as many finished ones, beside each backlog."""
    held: int
    """Jobs drained beside a held snapshot."""
    steps: int
    """Steps of the workflows; a square, since one of them is a grid."""


FULL = Scale(
    2000,
    20_000,
    20_000,
    2000,
    300,
    2000,
    10_000,
    (1000, 100_000, 1_000_000),
    1_000_000,
    300_000,
    10_000,
)
MEDIUM = Scale(500, 5000, 6000, 500, 60, 500, 5000, (1000, 100_000), 100_000, 60_000, 2500)
SMALL = Scale(200, 2000, 2000, 300, 50, 400, 2000, (1000, 20_000), 20_000, 5000, 400)
