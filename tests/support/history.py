"""What the tables must say when everything is over, whatever happened in between."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from jobs.models import Job, JobEvent
from jobs.states import ARROWS, TERMINAL, EventKind, Verb

CLAIMED = ARROWS[Verb.CLAIM].event
ENDS = frozenset(
    ARROWS[verb].event for verb in (Verb.SUCCEED, Verb.FAIL, Verb.RESCUE, Verb.RELEASE, Verb.CANCEL)
)


def assert_sound(using: str = "default", *, finished: bool = True) -> None:
    """The history of every job hangs together.

    Each lease was claimed once and ended at most once, by one that held it; each change of status
    starts where the one before it ended; nobody tried more often than allowed; and with
    `finished` no job is left on its way.
    """
    rows = {row.pk: row for row in Job.objects.using(using).defer("payload", "result")}
    histories: dict[int, list[JobEvent]] = defaultdict(list)
    for event in JobEvent.objects.using(using).defer("data").order_by("id").iterator():
        histories[event.job_id].append(event)
    wrong = {
        pk: problems
        for pk, row in rows.items()
        if (problems := _problems(row, histories[pk], finished=finished))
    }
    assert wrong == {}


def _problems(row: Job, events: list[JobEvent], *, finished: bool) -> list[str]:
    found = []
    if finished and row.status not in TERMINAL:
        found.append(f"is still {row.status}")
    if row.attempts > row.max_attempts:
        found.append(f"{row.attempts} attempts of {row.max_attempts}")
    claims: dict[Any, int] = defaultdict(int)
    ends: dict[Any, list[str]] = defaultdict(list)
    status = ""
    for event in events:
        if event.kind == EventKind.LEASE_LOST:
            continue
        if event.from_status != status:
            found.append(f"{event.kind} from {event.from_status or 'nothing'}, was {status}")
        status = event.to_status
        if event.kind == CLAIMED:
            claims[event.lease_token] += 1
        elif event.lease_token is not None and event.kind in ENDS:
            ends[event.lease_token].append(event.kind)
    if status != row.status:
        found.append(f"is {row.status}, its last event says {status}")
    found += [f"lease {token} claimed {n} times" for token, n in claims.items() if n != 1]
    found += [f"lease {token} ended by {kinds}" for token, kinds in ends.items() if len(kinds) > 1]
    found += [f"lease {token} ended, never claimed" for token in ends.keys() - claims.keys()]
    return found


def kinds(job_id: int, using: str = "default") -> list[str]:
    """The kinds of a job's events, in order."""
    events = JobEvent.objects.using(using).filter(job_id=job_id).order_by("id")
    return [str(kind) for kind in events.values_list("kind", flat=True)]
