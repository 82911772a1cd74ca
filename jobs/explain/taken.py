"""What there is to say of a job that runs or has ended."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

from jobs.explain.facts import Facts
from jobs.explain.words import Code, Reason, because, by, since, spoken
from jobs.states import EventKind, JobStatus


def running(facts: Facts) -> Iterator[Reason]:
    job, lease = facts.job, facts.job.lease_expires_at
    seconds, expired = since(facts, job.started_at), since(facts, lease)
    where: dict[str, Any] = {"worker": job.locked_by, "lease_expires_at": lease}
    if lease is not None and lease < facts.now:
        who = "" if facts.pools.live else " as soon as a worker runs"
        yield Reason(
            Code.LEASE_EXPIRED,
            f"Its worker {job.locked_by} stopped responding {spoken(expired)} ago; "
            f"the job will be rescued{who}.",
            {**where, "expired_seconds": expired, "live_workers": facts.pools.live},
        )
    if job.cancel_requested_at is not None:
        asked = since(facts, job.cancel_requested_at)
        request = facts.events.get(EventKind.CANCEL_REQUESTED)
        actor, why = (request.actor, request.reason) if request else ("", "")
        yield Reason(
            Code.CANCEL_REQUESTED,
            f"It was asked to stop {spoken(asked)} ago{by(actor)}{because(why)}; "
            "it ends when its handler does.",
            {"requested_at": job.cancel_requested_at, "actor": actor, "reason": why},
        )
    deadline = None
    if job.timeout_seconds is not None and job.started_at is not None:
        deadline = job.started_at + dt.timedelta(seconds=job.timeout_seconds)
    yield Reason(
        Code.RUNNING,
        f"It has run for {spoken(seconds)} on {job.locked_by}, "
        f"attempt {job.attempts} of {job.max_attempts}.",
        {
            **where,
            "started_at": job.started_at,
            "running_seconds": seconds,
            "attempt": job.attempts,
            "max_attempts": job.max_attempts,
            "deadline_at": deadline,
        },
    )


def ended(facts: Facts, status: JobStatus, handler_words: bool) -> Reason:
    job = facts.job
    ago = f"{spoken(since(facts, job.finished_at))} ago"
    told: dict[str, Any] = {
        "finished_at": job.finished_at,
        "attempts": job.attempts,
        "max_attempts": job.max_attempts,
    }
    if status is JobStatus.SUCCEEDED:
        return Reason(Code.SUCCEEDED, f"It succeeded {ago}.", told)
    if status is JobStatus.FAILED:
        kind = _error_type(facts)
        what = f" with {kind}" if kind else ""
        told["error_type"] = kind
        if job.attempts < job.max_attempts:
            text = f"It failed for good {ago}{what}: trying again could not help."
            return Reason(Code.PERMANENT_ERROR, text, told)
        attempts = "its only attempt" if job.max_attempts == 1 else f"all {job.max_attempts} tries"
        return Reason(Code.ATTEMPTS_SPENT, f"It failed in {attempts}, {ago}{what}.", told)
    actor, why, cause = _cancelled(facts, handler_words)
    told |= {"actor": actor, "reason": why, "cause": cause}
    return Reason(Code.CANCELLED, f"It was cancelled {ago}{by(actor)}{because(why)}.", told)


def _cancelled(facts: Facts, handler_words: bool) -> tuple[str, str, int | None]:
    """By whom, why, and the job whose end brought it about."""
    event = next((e for e in facts.events.values() if e.to_status == JobStatus.CANCELLED), None)
    if event is None:
        return "", "", None
    actor, why = event.actor, event.reason
    if event.from_status == JobStatus.RUNNING:
        # It ended because somebody had asked it to, or by itself.
        if not handler_words:
            why = ""
        if request := facts.events.get(EventKind.CANCEL_REQUESTED):
            actor, why = request.actor, request.reason or why
    return actor, why, int(event.cause) if event.cause.isdecimal() else None


def _error_type(facts: Facts) -> str:
    kinds = (EventKind.FAILED, EventKind.RESCUED)
    last = next((e for e in facts.events.values() if e.kind in kinds), None)
    if last is not None and last.kind == EventKind.RESCUED:
        return "an expired lease"
    return last.error_type if last is not None else ""
