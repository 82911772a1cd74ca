"""The figures of a load test: rates and latencies, from the database's own times."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from jobs.management.loadtest.drive import Enqueued
from jobs.management.loadtest.facts import ENDS, JobFacts
from jobs.management.loadtest.plan import PlannedJob
from jobs.states import EventKind


@dataclass(frozen=True, slots=True)
class Latency:
    """Percentiles in milliseconds; None where nothing was measured."""

    count: int
    p50_ms: float | None
    p95_ms: float | None
    p99_ms: float | None
    max_ms: float | None


def latency(seconds: Iterable[float]) -> Latency:
    """Percentiles by nearest rank, so that each is a time that was really measured."""
    ordered = sorted(seconds)
    if not ordered:
        return Latency(0, None, None, None, None)

    def at(share: float) -> float:
        return round(ordered[math.ceil(share * len(ordered)) - 1] * 1000, 2)

    return Latency(len(ordered), at(0.5), at(0.95), at(0.99), at(1.0))


def measure(
    planned: Sequence[PlannedJob], enqueued: Enqueued, found: dict[int, JobFacts]
) -> dict[str, Any]:
    """Rates per second, the finished jobs of each second, and latencies.

    A delayed job waits from its due time on; the others from when they were enqueued. Jobs that
    were retried stand apart, since their backoff is no fault of the queue.
    """
    waits: dict[str, list[float]] = {"immediate": [], "delayed": []}
    totals: dict[str, list[float]] = {"immediate": [], "delayed": [], "retried": []}
    runs: list[float] = []
    for plan in planned:
        facts = found.get(enqueued.ids.get(plan.number, -1))
        claims = facts.of_kind(EventKind.CLAIMED) if facts else []
        if facts is None or not claims:
            continue
        kind = "delayed" if plan.delay_seconds else "immediate"
        created = facts.created_at.timestamp() + plan.delay_seconds
        waits[kind].append(max(claims[0].at.timestamp() - created, 0.0))
        runs += [event.run_seconds for event in facts.events if event.run_seconds is not None]
        if facts.finished_at is not None:
            total = max(facts.finished_at.timestamp() - created, 0.0)
            totals["retried" if len(claims) > 1 else kind].append(total)
    per_second = finished_per_second(found.values())
    return {
        "ingestion_per_second": _rate(len(enqueued.ids), enqueued.wall_seconds),
        "throughput_per_second": _rate(sum(per_second), _span_seconds(found.values())),
        "busiest_second": max(per_second, default=0),
        "attempts_per_second": _rate(_attempts(found.values()), _span_seconds(found.values())),
        "finished_per_second": per_second,
        "latency": {
            name: asdict(latency(values))
            for name, values in (
                ("enqueue", enqueued.seconds.values()),
                ("queue_wait_immediate", waits["immediate"]),
                ("queue_wait_delayed", waits["delayed"]),
                ("run", runs),
                ("end_to_end_immediate", totals["immediate"]),
                ("end_to_end_delayed", totals["delayed"]),
                ("end_to_end_retried", totals["retried"]),
            )
        },
    }


def finished_per_second(found: Iterable[JobFacts]) -> list[int]:
    """How many jobs ended in each second since the first was enqueued."""
    jobs = list(found)
    ends = [job.finished_at.timestamp() for job in jobs if job.finished_at is not None]
    if not ends:
        return []
    first = min(job.created_at.timestamp() for job in jobs)
    counts = Counter(int(max(end - first, 0)) for end in ends)
    return [counts[second] for second in range(max(counts) + 1)]


def _span_seconds(found: Iterable[JobFacts]) -> float:
    jobs = list(found)
    ends = [job.finished_at.timestamp() for job in jobs if job.finished_at is not None]
    return max(ends) - min(job.created_at.timestamp() for job in jobs) if ends else 0.0


def _attempts(found: Iterable[JobFacts]) -> int:
    return sum(len(job.of_kind(*ENDS)) for job in found)


def _rate(count: int, seconds: float) -> float:
    return round(count / seconds, 1) if seconds > 0 else 0.0
