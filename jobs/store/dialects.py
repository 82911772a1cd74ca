"""The difference between databases: a few statements, chosen by the connection's vendor."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any, Protocol

from django.db import connections

from jobs.store import portable, postgres
from jobs.store.values import InsertedJob, NewEvent, NewJob, Outcome, Written


class Dialect(Protocol):
    """What `store.postgres` and `store.portable` both offer."""

    def insert_jobs(self, using: str, jobs: Sequence[NewJob]) -> list[InsertedJob | None]:
        """Insert jobs and their events; per job what was inserted, None when its key is taken."""

    def take(
        self,
        using: str,
        job_ids: Sequence[int],
        *,
        worker: str,
        token: uuid.UUID,
        lease_seconds: float,
    ) -> int:
        """Give queued jobs that are locked to a worker, with their events; returns how many."""

    def finish(self, using: str, outcomes: Sequence[Outcome], worker: str) -> list[Written]:
        """Write outcomes of running jobs whose token still holds, with their events."""

    def record(self, using: str, events: Sequence[NewEvent]) -> None:
        """Insert events of jobs that still exist."""

    def statement_timeout(self, using: str, seconds: float) -> None:
        """Bound the statements of the transaction that is open."""


def dialect(using: str) -> Dialect:
    chosen: Any = postgres if connections[using].vendor == "postgresql" else portable
    return chosen  # type: ignore[no-any-return]
