"""Looking ahead: jobs of some tasks, or of all others, behind a run of jobs that cannot be taken.

No index finds the waiting jobs of a task in claim order, and one more would cost every enqueue and
every claim. So the front of each queue is read, up to a bound, and what fits is locked by id.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from jobs.models import Job
from jobs.states import ARROWS, JobStatus, Verb
from jobs.store import pick

FRONT: Final = 1000
"""How many waiting jobs are looked at, of each queue when a pool names its queues."""

# Not `status = 'queued'`, with which the planner might go through the index of the whole backlog
# for a few ids.
_NOT_WAITING: Final = [status for status in JobStatus if status not in ARROWS[Verb.CLAIM].sources]


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAhead:
    """What to look for."""

    tasks: Collection[str]
    among: bool
    """Whether the task must be among `tasks`, or must not."""
    limit: int


def rows(
    using: str, queues: Sequence[str] | None, wanted: LookAhead, *, without: Collection[int]
) -> list[pick.Row]:
    """Lock up to `limit` such jobs of the front, but for those `without`; must run inside a
    transaction."""
    front = pick.front(using, queues, FRONT)
    fitting = [
        job_id
        for job_id, task in front
        if (task in wanted.tasks) is wanted.among and job_id not in without
    ]
    if not fitting:
        return []
    waiting = Job.objects.using(using).filter(pk__in=fitting).exclude(status__in=_NOT_WAITING)
    return pick.fetch(using, pick.locking(waiting, wanted.limit))
