"""What has changed since a page last asked: ids and flags, after which it reads what it shows.

A place is the cursor of the event feed, which misses nothing, and the marks of the tables that have
no events. Whoever is too far behind is told so and brought to the present: then everything shown
is to be read anew.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from jobs.errors import InvalidInput
from jobs.live import feed
from jobs.live.counters import Marks
from jobs.live.cursor import decode
from jobs.states import EventKind, JobStatus

MAX_IDS: Final = 200
"""Most ids of one kind in an answer."""
MAX_EVENTS: Final = 500
"""Most events one look reads."""
_MARKS: Final = re.compile(r"([0-9a-f]{8})([0-9a-f]{8})([0-9a-f]{8})")


@dataclass(frozen=True, slots=True)
class Changes:
    """`overflow`: more than could be listed, so anything may have changed."""

    jobs: frozenset[int] = frozenset()
    workflows: frozenset[int] = frozenset()
    queues: bool = False
    workers: bool = False
    schedules: bool = False
    failures: bool = False
    overflow: bool = False

    def __bool__(self) -> bool:
        return self != Changes()

    def __or__(self, other: Changes) -> Changes:
        return _within_bounds(
            Changes(
                self.jobs | other.jobs,
                self.workflows | other.workflows,
                self.queues or other.queues,
                self.workers or other.workers,
                self.schedules or other.schedules,
                self.failures or other.failures,
                self.overflow or other.overflow,
            )
        )


_EVERYTHING: Final = Changes(
    queues=True, workers=True, schedules=True, failures=True, overflow=True
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a reader stands."""

    cursor: str
    marks: Marks

    def encode(self) -> str:
        return f"{self.cursor}.{self.marks.queues}{self.marks.workers}{self.marks.schedules}"

    @classmethod
    def decode(cls, text: str) -> Place:
        """Raises InvalidInput for what `encode` did not write."""
        cursor, _, marks = text.rpartition(".")
        found = _MARKS.fullmatch(marks)
        try:
            decode(cursor)
        except InvalidInput:
            found = None
        if found is None:
            raise InvalidInput("cursor", "is not a cursor of these changes", code="bad-cursor")
        return cls(cursor, Marks(*found.groups()))


def look(using: str, place: Place | None, marks: Marks) -> tuple[Changes, Place]:
    """What has changed since `place`, and the place to look from next; None is now.

    A place of another database, or of this one before a restore, is an overflow and no error: the
    page that comes with it has only to read everything anew.
    """
    if place is None:
        return Changes(), _present(using, marks)
    try:
        page = feed.read(using, place.cursor, limit=MAX_EVENTS, data=False)
    except InvalidInput:
        return _EVERYTHING, _present(using, marks)
    if page.more:
        return _EVERYTHING, _present(using, marks)
    before = place.marks
    changes = _within_bounds(
        replace(
            _of_events(page.events),
            queues=bool(page.events) or before.queues != marks.queues,
            workers=before.workers != marks.workers,
            schedules=before.schedules != marks.schedules,
        )
    )
    # The same text as long as nothing has changed, so that the answer is the same as well.
    return changes, Place(page.cursor if page.events else place.cursor, marks)


def _present(using: str, marks: Marks) -> Place:
    return Place(feed.here(using), marks)


def _of_events(events: list[feed.FeedEvent]) -> Changes:
    failed = (JobStatus.FAILED, EventKind.FAILED, EventKind.RESCUED)
    return Changes(
        jobs=frozenset(event.job for event in events),
        workflows=frozenset(e.workflow for e in events if e.workflow is not None),
        failures=any(
            {event.from_status, event.to_status, event.kind}.intersection(failed)
            for event in events
        ),
    )


def _within_bounds(changes: Changes) -> Changes:
    if len(changes.jobs) <= MAX_IDS and len(changes.workflows) <= MAX_IDS:
        return changes
    return replace(changes, jobs=frozenset(), workflows=frozenset(), overflow=True)
