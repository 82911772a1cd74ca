"""PostgreSQL: the events that one snapshot could not see and another can, by index ranges alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.db import connections

from jobs.errors import InvalidInput
from jobs.live.cursor import Snapshot, SnapshotCursor, Window

# Only what the upper snapshot sees may be handed out: events of the reader's own transaction, or of
# a transaction id from a restored dump, would otherwise come twice.
_NEW: Final = """
WITH snapshot AS MATERIALIZED (
    SELECT pg_current_snapshot() AS present,
           COALESCE(%(upper)s::pg_snapshot, pg_current_snapshot()) AS upper
)
SELECT snapshot.present::text, e.transaction_id, e.id{columns}
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
) e ON TRUE{joins}
ORDER BY e.transaction_id, e.id
"""


class Statement(NamedTuple):
    """What of each event is wanted: `text` selects it, with `parameters` of its own."""

    text: str
    parameters: Mapping[str, Any]


def statement(columns: str = "", joins: str = "", **parameters: Any) -> Statement:
    """Read `columns` (as ", e.kind") of the events `e`, with `joins` to other tables."""
    return Statement(_NEW.format(columns=columns, joins=joins), parameters)


def read(
    using: str, cursor: SnapshotCursor, limit: int, wanted: Statement
) -> tuple[list[tuple[Any, ...]], SnapshotCursor, bool]:
    """Up to `limit` rows, each the event's id and what `wanted` selects, in no order of use.

    Beside them the cursor to read on from, and whether more is waiting already.
    """
    seen, window = cursor.seen, cursor.window
    place = (window.transaction_id, window.event_id) if window else (-1, -1)
    lower = max((seen.xmax, -1), place)
    with connections[using].cursor() as execution:
        execution.execute(
            wanted.text,
            {
                **wanted.parameters,
                "upper": window.upper.text if window else None,
                "late": [item for item in seen.late if item >= place[0]],
                "place": place[0],
                "last": place[1],
                "from": lower[0],
                "from_id": lower[1],
                "limit": limit + 1,
            },
        )
        rows = execution.fetchall()
    present = Snapshot.parse(rows[0][0])
    if max(seen.xmax, window.upper.xmax if window else 0) > present.xmax:
        raise foreign()
    upper = window.upper if window else present
    found = [row for row in rows if row[2] is not None]
    page, more = found[:limit], len(found) > limit
    left = Window(upper, page[-1][1], page[-1][2]) if more else None
    following = SnapshotCursor(seen, left) if left else SnapshotCursor(upper)
    return [row[2:] for row in page], following, more


def foreign() -> InvalidInput:
    return InvalidInput("after", "is a cursor of another database; start anew", code="bad-cursor")
