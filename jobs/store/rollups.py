"""Writing the sums of events: one transaction moves the position and adds what lies between.

So each event counts once, whatever dies. The one row of the position is locked by whoever sums up;
others leave it to them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Final

from django.db import connections
from django.db.models import Model
from django.db.models.functions import Now

from jobs.conf import conf
from jobs.histogram import BOUNDS_SECONDS
from jobs.models import Rollup, RollupPosition, TaskRollup
from jobs.models.rollup import MAXIMA, RUN_BUCKETS, SPANS_SECONDS, SUMS, WAIT_BUCKETS
from jobs.states import TERMINAL
from jobs.store import rollups_portable


def lock_position(using: str) -> str | None:
    """The cursor to read on from, its row locked until the end of the caller's transaction.

    Empty for the beginning; None while another transaction holds the row.
    """
    rows = RollupPosition.objects.using(using)
    if not rows.exists():
        rows.bulk_create([RollupPosition(pk=1)], ignore_conflicts=True)
    locked = rows.select_for_update(skip_locked=True, no_key=True)
    return locked.values_list("cursor", flat=True).first()


def move_position(using: str, cursor: str, *, complete: bool) -> None:
    """Remember how far it went; `complete` says that nothing was left."""
    moved = {"cursor": cursor} | ({"complete_at": Now()} if complete else {})
    RollupPosition.objects.using(using).update(**moved)


def add(using: str, event_ids: Sequence[int]) -> None:
    """Add these events to the sums. Each must be given once, under the lock of the position."""
    if connections[using].vendor != "postgresql":
        rollups_portable.add(using, event_ids)
        return
    kept = (conf.ROLLUP_RETENTION_SECONDS, conf.ROLLUP_TASK_RETENTION_SECONDS)
    with connections[using].cursor() as cursor:
        cursor.execute(_ADD, [list(event_ids), list(BOUNDS_SECONDS), list(BOUNDS_SECONDS), *kept])


def prune(using: str, *, limit: int) -> int:
    """Delete up to `limit` sums of each kind that are past their age; returns how many."""
    ages: dict[type[Model], float] = {
        Rollup: conf.ROLLUP_RETENTION_SECONDS,
        TaskRollup: conf.ROLLUP_TASK_RETENTION_SECONDS,
    }
    deleted = 0
    for model, seconds in ages.items():
        rows = model._default_manager.using(using)
        old = rows.filter(at__lt=Now() - dt.timedelta(seconds=seconds))
        if model is Rollup:
            # Named, so that the index that begins with it serves.
            old = old.filter(span_seconds__in=SPANS_SECONDS)
        ids = list(old.order_by("at").values_list("pk", flat=True)[:limit])
        deleted += rows.filter(pk__in=ids)._raw_delete(using) if ids else 0
    return deleted


def _counts(columns: Sequence[str], value: str) -> str:
    return ", ".join(
        f"COALESCE(sum(jobs) FILTER (WHERE {value} = {number}), 0) AS {column}"
        for number, column in enumerate(columns)
    )


_SUMMED: Final = (
    "sum(jobs) AS jobs, COALESCE(sum(wait), 0) AS wait_sum, COALESCE(sum(run), 0) AS run_sum, "
    f"{_counts(WAIT_BUCKETS, 'wait_bucket')}, {_counts(RUN_BUCKETS, 'run_bucket')}, "
    "COALESCE(max(wait_max), 0) AS wait_max, COALESCE(max(run_max), 0) AS run_max"
)
_COLUMNS: Final = ", ".join((*SUMS, *MAXIMA))
_MERGED: Final = ", ".join(
    (
        *(f"{column} = kept.{column} + EXCLUDED.{column}" for column in SUMS),
        *(f"{column} = GREATEST(kept.{column}, EXCLUDED.{column})" for column in MAXIMA),
    )
)
_ENDS: Final = ", ".join(f"'{status}'" for status in sorted(TERMINAL))
_SPANS: Final = ", ".join(f"({seconds})" for seconds in SPANS_SECONDS)


def _seconds(key: str) -> str:
    found = f"event.data->'{key}'"
    return f"CASE WHEN jsonb_typeof({found}) = 'number' THEN GREATEST(({found})::float8, 0) END"


# A step whose result a rerun keeps is there as succeeded from the first: nobody has asked for it
# to run. What happened before the oldest sum that is kept is left out. Events of a minute that are
# alike are summed up first, so that the many columns of a row are added for them once.
_ADD: Final = f"""
WITH chosen AS (
    SELECT event.at, jobs.task, jobs.queue,
           CASE WHEN event.kind IN ('enqueued', 'retried') THEN 'enqueued'
                WHEN event.to_status IN ({_ENDS}) THEN event.to_status
                ELSE 'retrying' END AS outcome,
           {_seconds("wait_seconds")} AS wait, {_seconds("run_seconds")} AS run
    FROM job_events event JOIN jobs ON jobs.id = event.job_id
    WHERE event.id = ANY(%s::bigint[]) AND (
        event.kind IN ('enqueued', 'retried') AND event.to_status NOT IN ({_ENDS})
        OR event.from_status NOT IN ('', event.to_status) AND event.to_status IN ({_ENDS})
        OR event.kind IN ('failed', 'rescued') AND event.to_status NOT IN ({_ENDS})
    )
), measured AS MATERIALIZED (
    SELECT date_bin(interval '1 minute', at, 'epoch'::timestamptz) AS at, task, queue, outcome,
           width_bucket(wait, %s::float8[]) AS wait_bucket,
           width_bucket(run, %s::float8[]) AS run_bucket, count(*) AS jobs,
           sum(wait) AS wait, sum(run) AS run, max(wait) AS wait_max, max(run) AS run_max
    FROM chosen GROUP BY 1, 2, 3, 4, 5, 6
), by_queue AS (
    INSERT INTO job_rollups AS kept (span_seconds, at, queue, outcome, {_COLUMNS})
    SELECT span.seconds, date_bin(span.seconds * interval '1 second', at, 'epoch'::timestamptz),
           queue, outcome, {_SUMMED}
    FROM measured CROSS JOIN (VALUES {_SPANS}) AS span(seconds)
    WHERE at > statement_timestamp() - %s * interval '1 second'
    GROUP BY 1, 2, 3, 4
    ON CONFLICT (span_seconds, at, queue, outcome) DO UPDATE SET {_MERGED}
)
INSERT INTO job_taskrollups AS kept (at, task, outcome, {_COLUMNS})
SELECT date_bin(interval '1 hour', at, 'epoch'::timestamptz), task, outcome, {_SUMMED}
FROM measured
WHERE at > statement_timestamp() - %s * interval '1 second'
GROUP BY 1, 2, 3
ON CONFLICT (at, task, outcome) DO UPDATE SET {_MERGED}
"""  # noqa: S608 - put together from constants of this package alone
