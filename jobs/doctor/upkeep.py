"""Facts about what the pools' services do beside the jobs: rescue, prune, rollup, schedules."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

from django.db.models.functions import Now

from jobs.conf import conf
from jobs.doctor.facts import Late, Trouble
from jobs.errors import InvalidInput
from jobs.models import Job, JobEvent, RollupPosition, Schedule, Workflow
from jobs.schedules.definition import job_of, timing_of
from jobs.schedules.tick import BROKEN
from jobs.states import JobStatus
from jobs.store import clock
from jobs.store.literals import literal

COUNTED: Final = 1_000
"""Where counting stops."""
PRUNE_SLACK_SECONDS: Final = 3600.0
"""How long past its age a job may be without anything being wrong."""
_MOST_SCHEDULES: Final = 1_000


def leases(using: str) -> dict[str, Any]:
    now = clock.now(using)
    running = Job.objects.using(using).filter(status=literal(JobStatus.RUNNING))
    expired = running.filter(lease_expires_at__lt=now).order_by("lease_expires_at")
    times = list(expired.values_list("lease_expires_at", flat=True)[:COUNTED])
    since = (now - times[0]).total_seconds() if times and times[0] is not None else 0.0
    return {"expired_jobs": len(times), "expired_seconds": since}


def prune(using: str) -> dict[str, Any]:
    """Jobs outside of workflows, and workflows, since steps go with theirs."""
    found: dict[str, int] = {}
    for status, age in conf.RETENTION_SECONDS.items():
        if age is None:
            continue
        slack = dt.timedelta(seconds=age + PRUNE_SLACK_SECONDS + conf.PRUNE_SECONDS)
        old = {"status": literal(JobStatus(status)), "finished_at__lt": Now() - slack}
        plain = Job.objects.using(using).filter(**old, workflow__isnull=True)
        for rows in (plain, Workflow.objects.using(using).filter(**old)):
            # In the order of the index, or the planner hopes to find enough in the whole table.
            count = rows.order_by("finished_at")[:COUNTED].count()
            if count:
                found[status] = found.get(status, 0) + count
    return {"unpruned": found}


def rollup(using: str) -> dict[str, Any]:
    latest = JobEvent.objects.using(using).order_by("-id").values_list("at", flat=True).first()
    position = RollupPosition.objects.using(using).first()
    if latest is None:
        return {}
    if position is None:
        # Nobody has ever summed up anything; the first event is as old as the lag.
        first = JobEvent.objects.using(using).order_by("id").values_list("at", flat=True).first()
        since = first or latest
    else:
        since = position.complete_at or position.started_at
        if latest <= since:
            return {}
    return {"rollup_lag_seconds": max((clock.now(using) - since).total_seconds(), 0.0)}


def schedules(using: str) -> dict[str, Any]:
    now = clock.now(using)
    rows = list(Schedule.objects.using(using).order_by("id")[:_MOST_SCHEDULES])
    on = [row for row in rows if row.enabled]
    wrong = [(row.name, _problem(row, now)) for row in on]
    off = [row for row in rows if not row.enabled and row.disabled_reason.startswith(BROKEN)]
    late = [
        (row.name, (now - row.next_run_at).total_seconds())
        for row in on
        if row.next_run_at is not None and row.next_run_at < now
    ]
    return {
        "broken_schedules": [Trouble(name, text) for name, text in wrong if text],
        "disabled_schedules": [Trouble(row.name, row.disabled_reason) for row in off],
        "late_schedules": [Late(name, seconds) for name, seconds in late],
    }


def _problem(row: Schedule, now: dt.datetime) -> str:
    """Why it cannot fire; empty when it can."""
    try:
        if timing_of(row, now).after(now) is None:
            return "it has no fire time any more"
        job_of(row)
    except InvalidInput as error:
        return str(error)
    except Exception as error:
        # A row put in by hand may hold anything.
        return f"{type(error).__name__}: {error}"
    return ""
