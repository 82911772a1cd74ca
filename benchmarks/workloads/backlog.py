"""What a claim of ten jobs costs as the backlog grows, with other rows beside it."""

from __future__ import annotations

import statistics
import time
import uuid

from django.db import transaction

from benchmarks import database
from benchmarks.scale import Scale
from jobs import lifecycle
from jobs.store.claim import everything

_CLAIMS = 200


def measure(scale: Scale) -> dict[str, float]:
    database.empty()
    database.fill_rows("scheduled", scale.beside)
    database.fill_rows("succeeded", scale.beside)
    figures, filled = {}, 0
    for backlog in scale.backlogs:
        database.fill_rows("queued", backlog - filled)
        filled = backlog
        database.settle()
        figures[f"claim of 10 with {backlog:,} queued, ms"] = _claim_milliseconds()
    first, *_, last = figures.values()
    figures["claim, largest backlog over smallest"] = last / first
    return figures


def _claim_milliseconds() -> float:
    """Median over claims whose transactions are undone, so that the backlog stays."""
    spent = []
    for _ in range(_CLAIMS):
        started = time.perf_counter()
        with transaction.atomic():
            request = lifecycle.ClaimRequest(
                queues=None, limit=10, choose=everything, token=uuid.uuid4(), lease_seconds=30
            )
            claimed = lifecycle.exchange("default", [], request, worker="bench").claimed
            spent.append((time.perf_counter() - started) * 1000)
            transaction.set_rollback(True)
        if len(claimed) != 10:
            raise RuntimeError(f"claimed {len(claimed)} jobs, not 10")
    return statistics.median(spent)
