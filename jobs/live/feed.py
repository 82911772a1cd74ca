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

from jobs.errors import InvalidInput
from jobs.live.cursor import SerialCursor, Snapshot, SnapshotCursor, Window, decode
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


def read(using: str, after: str | None, *, limit: int, data: bool = True) -> FeedPage:
    """Up to `limit` events after the cursor `after`; None only tells where the feed stands now.

    Without `data` that of the events is left out, tracebacks among it. Raises InvalidInput for a
    cursor that is garbled or not of this database.
    """
    serial = connections[using].vendor != "postgresql"
    if after is None:
        return FeedPage([], _here(using, serial=serial), more=False)
    if after in START:
        start = SerialCursor(0) if serial else SnapshotCursor(Snapshot.parse(""))
        return _read(using, start, limit, data)
    cursor = decode(after)
    if serial is not isinstance(cursor, SerialCursor):
        raise _foreign()
    return _read(using, cursor, limit, data)


def _foreign() -> InvalidInput:
    return InvalidInput("after", "is a cursor of another database; start anew", code="bad-cursor")


def _here(using: str, *, serial: bool) -> str:
    if serial:
        last = JobEvent.objects.using(using).order_by("-id").values_list("pk", flat=True).first()
        return SerialCursor(last or 0).encode()
    with connections[using].cursor() as statement:
        statement.execute("SELECT pg_current_snapshot()::text")
        return SnapshotCursor(Snapshot.parse(statement.fetchone()[0])).encode()


def _read(using: str, cursor: SnapshotCursor | SerialCursor, limit: int, data: bool) -> FeedPage:
    if isinstance(cursor, SerialCursor):
        return _read_serially(using, cursor, limit, data)
    return _read_by_snapshot(using, cursor, limit, data)


# Only what the upper snapshot sees may be handed out: events of the reader's own transaction, or of
# a transaction id from a restored dump, would otherwise come twice.
_NEW: Final = """
WITH snapshot AS MATERIALIZED (
    SELECT pg_current_snapshot() AS present,
           COALESCE(%(upper)s::pg_snapshot, pg_current_snapshot()) AS upper
)
SELECT snapshot.present::text, e.transaction_id, e.id, e.job_id, jobs.task, jobs.queue,
       jobs.workflow_id, e.kind, e.at, e.from_status, e.to_status, e.attempt, e.worker,
       CASE WHEN %(data)s THEN e.data::text ELSE '{}' END
FROM snapshot LEFT JOIN LATERAL (
    (SELECT found.* FROM unnest(%(late)s::bigint[]) AS late(transaction_id) CROSS JOIN LATERAL (
        SELECT * FROM job_events
        WHERE job_events.transaction_id = late.transaction_id
          AND (job_events.transaction_id, id) > (%(place)s, %(last)s)
          AND pg_visible_in_snapshot(job_events.transaction_id::text::xid8, snapshot.upper)
        ORDER BY id LIMIT %(limit)s
    ) found)
    UNION ALL
    (SELECT * FROM job_events
     WHERE (transaction_id, id) > (%(from)s, %(from_id)s)
       AND transaction_id < pg_snapshot_xmax(snapshot.upper)::text::bigint
       AND pg_visible_in_snapshot(transaction_id::text::xid8, snapshot.upper)
     ORDER BY transaction_id, id LIMIT %(limit)s)
    ORDER BY transaction_id, id LIMIT %(limit)s
) e ON TRUE LEFT JOIN jobs ON jobs.id = e.job_id
ORDER BY e.transaction_id, e.id
"""


def _read_by_snapshot(using: str, cursor: SnapshotCursor, limit: int, data: bool) -> FeedPage:
    seen, window = cursor.seen, cursor.window
    place = (window.transaction_id, window.event_id) if window else (-1, -1)
    lower = max((seen.xmax, -1), place)
    with connections[using].cursor() as statement:
        statement.execute(
            _NEW,
            {
                "upper": window.upper.text if window else None,
                "late": [item for item in seen.late if item >= place[0]],
                "place": place[0],
                "last": place[1],
                "from": lower[0],
                "from_id": lower[1],
                "limit": limit + 1,
                "data": data,
            },
        )
        rows = statement.fetchall()
    present = Snapshot.parse(rows[0][0])
    if max(seen.xmax, window.upper.xmax if window else 0) > present.xmax:
        raise _foreign()
    upper = window.upper if window else present
    found = [row for row in rows if row[2] is not None]
    page, more = found[:limit], len(found) > limit
    left = Window(upper, page[-1][1], page[-1][2]) if more else None
    following = SnapshotCursor(seen, left) if left else SnapshotCursor(upper)
    # By id, since the ids of one job's events rise in the order in which they happened.
    events = sorted(map(_event, page), key=lambda event: event.id)
    return FeedPage(events, following.encode(), more)


def _event(row: tuple[Any, ...]) -> FeedEvent:
    values = [*row[2:13], json.loads(row[13])]
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
