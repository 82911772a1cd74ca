"""The feed: the events after a cursor, each exactly once, however late its transaction commits.

Ids are drawn before the commit, so a reader that remembers the last id would never see an event
that was written early and committed late. Every event therefore carries the id of its transaction,
and the cursor holds the snapshot of the reader's last complete read. New is what that snapshot
could not see: transactions at or above its `xmax`, and those it lists as still running. Both are
index ranges, so a read costs what it returns, even while some transaction stays open for hours.

When more is new than fits a page, the snapshot of that read becomes the upper end of a window. The
cursor then also holds that end and the last event handed out, in the order (transaction, id); what
commits meanwhile belongs to the next window.

A cursor belongs to one running database. A dump restored elsewhere, or a server that lost its
latest transactions in a crash, counts transactions anew; a cursor from its future is refused.
"""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from typing import Any, Final

from django.db import connections

from jobs.live import window
from jobs.live.cursor import SerialCursor, Snapshot, SnapshotCursor, decode
from jobs.models import JobEvent

START: Final = frozenset({"0", "start"})
"""Words for `after` that mean from the first event still kept."""


@dataclass(frozen=True, slots=True)
class FeedEvent:
    id: int
    job: int
    task: str
    queue: str
    workflow: int | None
    kind: str
    at: dt.datetime
    from_status: str
    to_status: str
    attempt: int
    worker: str
    data: Any


@dataclass(frozen=True, slots=True)
class FeedPage:
    events: list[FeedEvent]
    cursor: str
    """Hand it back as `after` to read on."""
    more: bool
    """Further events are waiting already."""


@dataclass(frozen=True, slots=True)
class IdPage:
    ids: list[int]
    cursor: str
    more: bool
    """False only when nothing else had committed."""


def read(using: str, after: str | None, *, limit: int, data: bool = True) -> FeedPage:
    """Up to `limit` events after the cursor `after`; None only tells where the feed stands now.

    Without `data` that of the events is left out, tracebacks among it. Raises InvalidInput for a
    cursor that is garbled or not of this database.
    """
    if after is None:
        return FeedPage([], here(using), more=False)
    cursor = _cursor(using, after)
    if isinstance(cursor, SerialCursor):
        return _read_serially(using, cursor, limit, data)
    return _read_by_snapshot(using, cursor, limit, data)


def read_ids(using: str, after: str, *, limit: int) -> IdPage:
    """As `read`, the ids alone, in no order of use."""
    cursor = _cursor(using, after)
    if not isinstance(cursor, SerialCursor):
        rows, following, more = window.read(using, cursor, limit, window.statement())
        # What has committed since a window was opened lies behind its end.
        more = more or cursor.window is not None
        return IdPage([row[0] for row in rows], following.encode(), more)
    later = JobEvent.objects.using(using).filter(pk__gt=cursor.event_id).order_by("pk")
    ids = list(later.values_list("pk", flat=True)[: limit + 1])
    last = SerialCursor(ids[:limit][-1] if ids else cursor.event_id)
    return IdPage(ids[:limit], last.encode(), len(ids) > limit)


def here(using: str) -> str:
    """The cursor of this moment."""
    if _serial(using):
        last = JobEvent.objects.using(using).order_by("-id").values_list("pk", flat=True).first()
        return SerialCursor(last or 0).encode()
    with connections[using].cursor() as statement:
        statement.execute("SELECT pg_current_snapshot()::text")
        return SnapshotCursor(Snapshot.parse(statement.fetchone()[0])).encode()


def _serial(using: str) -> bool:
    return connections[using].vendor != "postgresql"


def _cursor(using: str, after: str) -> SnapshotCursor | SerialCursor:
    serial = _serial(using)
    if after in START:
        return SerialCursor(0) if serial else SnapshotCursor(Snapshot.parse(""))
    cursor = decode(after)
    if serial is not isinstance(cursor, SerialCursor):
        raise window.foreign()
    return cursor


_COLUMNS: Final = """,
       e.job_id, jobs.task, jobs.queue, jobs.workflow_id, e.kind, e.at, e.from_status,
       e.to_status, e.attempt, e.worker, CASE WHEN %(data)s THEN e.data::text ELSE '{}' END"""
_JOBS: Final = " LEFT JOIN jobs ON jobs.id = e.job_id"


def _read_by_snapshot(using: str, cursor: SnapshotCursor, limit: int, data: bool) -> FeedPage:
    wanted = window.statement(_COLUMNS, _JOBS, data=data)
    rows, following, more = window.read(using, cursor, limit, wanted)
    # By id, since the ids of one job's events rise in the order in which they happened.
    events = sorted(map(_event, rows), key=lambda event: event.id)
    return FeedPage(events, following.encode(), more)


def _event(row: tuple[Any, ...]) -> FeedEvent:
    values = [*row[:-1], json.loads(row[-1])]
    return FeedEvent(*values)


def _read_serially(using: str, cursor: SerialCursor, limit: int, data: bool) -> FeedPage:
    rows = list(
        JobEvent.objects.using(using)
        .filter(pk__gt=cursor.event_id)
        .order_by("pk")
        .values_list(
            "pk",
            "job_id",
            "job__task",
            "job__queue",
            "job__workflow",
            "kind",
            "at",
            "from_status",
            "to_status",
            "attempt",
            "worker",
            *(["data"] if data else []),
        )[: limit + 1]
    )
    page = [FeedEvent(*row, *([] if data else [{}])) for row in rows[:limit]]
    last = page[-1].id if page else cursor.event_id
    return FeedPage(page, SerialCursor(last).encode(), len(rows) > limit)
