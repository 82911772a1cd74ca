"""Every change of a job's status: guard, fence and event, in the caller's transaction.

Two forms. `finish` ends attempts, each with values of its own, and is fenced by lease tokens.
`change` moves rows the caller has locked, all in the same way, and is guarded by their status.
Only the statements that move steps along their edges (`store.workflows`) update `jobs.status` too.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any, Final, Protocol

from django.db.models.functions import Now
from django.db.utils import DatabaseError

from jobs.models import Job
from jobs.states import ARROWS, EventKind, JobStatus, Verb
from jobs.store.dialects import dialect
from jobs.store.values import NewEvent, Outcome, Written


def finish(using: str, outcomes: Sequence[Outcome], worker: str) -> list[Written]:
    """Write the outcomes whose lease still holds; the others are dropped and leave a `lease_lost`.

    Returns what was written. An outcome that is missing there was stale.
    """
    if not outcomes:
        return []
    written = dialect(using).finish(using, outcomes, worker)
    if len(written) < len(outcomes):
        kept = {(row.job_id, row.token) for row in written}
        _note_lost(using, [o for o in outcomes if (o.job_id, o.token) not in kept], worker)
    return written


def _note_lost(using: str, dropped: Sequence[Outcome], worker: str) -> None:
    found = dict(
        Job.objects.using(using)
        .filter(pk__in={o.job_id for o in dropped})
        .values_list("pk", "status")
    )
    events = [
        NewEvent(
            job_id=o.job_id,
            kind=EventKind.LEASE_LOST,
            from_status=found[o.job_id],
            to_status=found[o.job_id],
            worker=worker,
            lease_token=o.token,
            data={"dropped": o.verb.value, "error": o.error}
            if o.error
            else {"dropped": o.verb.value},
        )
        for o in dropped
        if o.job_id in found
    ]
    dialect(using).record(using, events)


STOPPED: Final[dict[str, Any]] = {
    "cancel_requested_at": Now(),
    "finished_at": Now(),
    "open_dependencies": 0,
}
"""What a waiting job takes on when somebody cancels it."""

FRESH: Final[dict[str, Any]] = {
    "attempts": 0,
    "available_at": Now(),
    "cancel_requested_at": None,
    "error": "",
    "error_fingerprint": "",
    "finished_at": None,
    "progress": None,
    "result": None,
    "started_at": None,
}
"""What a job takes on that is to run again from the start."""


class Row(Protocol):
    """What `change` must know of a row that the caller has locked."""

    @property
    def pk(self) -> Any: ...
    @property
    def status(self) -> str: ...
    @property
    def attempts(self) -> int: ...


def change(
    using: str,
    verb: Verb,
    rows: Sequence[Row],
    *,
    to_status: JobStatus,
    values: dict[str, Any] | None = None,
    worker: str = "",
    lease_token: uuid.UUID | None = None,
    data: dict[str, Any] | None = None,
    attempt_offset: int = 0,
) -> None:
    """Move locked rows along `verb` to `to_status`, set `values` and write one event for each.

    Raises ValueError when the state table has no such arrow and DatabaseError when a row was not
    as locked, which undoes the caller's transaction.
    """
    arrow = ARROWS[verb]
    if to_status not in arrow.targets or any(row.status not in arrow.sources for row in rows):
        raise ValueError(
            f"no arrow {verb} from {sorted({row.status for row in rows})} to {to_status}"
        )
    # Said as what the status must not be: `status = 'queued'` would let the planner go through the
    # whole partial index of the backlog instead of the few ids, and with stale statistics it does.
    guarded = (
        Job.objects.using(using)
        .filter(pk__in=[row.pk for row in rows])
        .exclude(status__in=[status for status in JobStatus if status not in arrow.sources])
    )
    if guarded.update(status=to_status, **(values or {})) != len(rows):
        raise DatabaseError(f"{verb}: a row changed while it was locked")
    dialect(using).record(
        using,
        [
            NewEvent(
                job_id=row.pk,
                kind=arrow.event,
                from_status=row.status,
                to_status=to_status,
                attempt=row.attempts + attempt_offset,
                worker=worker,
                lease_token=lease_token,
                data=data or {},
            )
            for row in rows
        ],
    )


def note(using: str, rows: Sequence[Row], kind: EventKind, data: dict[str, Any]) -> None:
    """An event that tells of no change of status."""
    dialect(using).record(
        using,
        [
            NewEvent(
                job_id=row.pk,
                kind=kind,
                from_status=row.status,
                to_status=row.status,
                attempt=row.attempts,
                data=data,
            )
            for row in rows
        ],
    )
