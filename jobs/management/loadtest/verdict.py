"""Whether the queue kept its promises: checks over the rows and events of every job."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from jobs.management.loadtest.drive import Enqueued
from jobs.management.loadtest.facts import ENDS, JobFacts
from jobs.management.loadtest.plan import PlannedJob
from jobs.states import TERMINAL, EventKind

SHOWN = 5
"""Failures that a check names; it counts them all."""


@dataclass
class Check:
    """One promise: how many things were looked at, and what was wrong with which."""

    name: str
    section: str
    looked_at: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return not self.wrong


@dataclass
class Pair:
    """A job as planned and as found."""

    plan: PlannedJob
    facts: JobFacts

    @property
    def disturbed(self) -> bool:
        """A worker died or was stopped in it, so the plan's number of attempts does not hold."""
        return bool(self.facts.of_kind(EventKind.RESCUED, EventKind.RELEASED))


Rule = Callable[[Pair], Iterator[str]]
"""Yields what is wrong with a job."""


def judge(
    planned: Sequence[PlannedJob], enqueued: Enqueued, found: dict[int, JobFacts], run: str
) -> list[Check]:
    """Every check, passed or not."""
    pairs = [
        Pair(plan, found[job_id])
        for plan in planned
        if (job_id := enqueued.ids.get(plan.number)) in found
    ]
    return [
        _accepted(planned, enqueued),
        _stored(planned, enqueued, found, run),
        _each("every job ended", "outcomes", pairs, _ended),
        _each("every job ended as planned", "outcomes", pairs, _as_planned),
        _each("retried as often as planned", "retries", pairs, _retried),
        _each("dead letters used up their attempts", "retries", pairs, _spent),
        _each("one outcome for each job", "correctness", pairs, _one_outcome),
        _each("one end for each attempt", "correctness", pairs, _ends_match),
        _each("no two attempts overlap", "correctness", pairs, _apart),
        _each("counted attempts are those that ran", "correctness", pairs, _counted),
        _each("no delayed job ran early", "correctness", pairs, _not_early),
    ]


def _accepted(planned: Sequence[PlannedJob], enqueued: Enqueued) -> Check:
    check = Check("every job was accepted", "outcomes", len(planned), list(enqueued.refusals))
    missing = len(planned) - len(enqueued.ids) - len(enqueued.refusals)
    if missing:
        check.wrong.append(f"{missing:,} jobs were not sent")
    return check


def _stored(
    planned: Sequence[PlannedJob], enqueued: Enqueued, found: dict[int, JobFacts], run: str
) -> Check:
    check = Check("nothing lost, nothing doubled", "correctness", len(enqueued.ids))
    seen: dict[int, int] = {}
    for number, job_id in enqueued.ids.items():
        facts = found.get(job_id)
        if facts is None:
            check.wrong.append(f"job {job_id} was accepted and is not in the database")
        elif (facts.run, facts.number) != (run, number):
            check.wrong.append(f"job {job_id} is not the one that was enqueued")
        elif job_id in seen:
            check.wrong.append(f"job {job_id} was given for two requests")
        seen[job_id] = number
    return check


def _each(name: str, section: str, pairs: Sequence[Pair], rule: Rule) -> Check:
    check = Check(name, section, len(pairs))
    for pair in pairs:
        check.wrong += [f"job {pair.facts.id}: {text}" for text in rule(pair)]
    return check


def _ended(pair: Pair) -> Iterator[str]:
    if pair.facts.status not in TERMINAL:
        yield f"is still {pair.facts.status}"


def _as_planned(pair: Pair) -> Iterator[str]:
    status = pair.facts.status
    if status in TERMINAL and status != pair.plan.status and not pair.disturbed:
        yield f"ended {status}, not {pair.plan.status}"


def _retried(pair: Pair) -> Iterator[str]:
    if pair.facts.status in TERMINAL and not pair.disturbed:
        failures = len(pair.facts.of_kind(EventKind.FAILED))
        expected = min(pair.plan.failures, pair.facts.max_attempts)
        if failures != expected or pair.facts.attempts != pair.plan.attempts:
            yield (
                f"{failures} failures in {pair.facts.attempts} attempts, "
                f"not {expected} in {pair.plan.attempts}"
            )


def _spent(pair: Pair) -> Iterator[str]:
    if pair.facts.status == "failed" and pair.facts.attempts != pair.facts.max_attempts:
        yield f"failed after {pair.facts.attempts} of {pair.facts.max_attempts} attempts"


def _one_outcome(pair: Pair) -> Iterator[str]:
    successes = len(pair.facts.of_kind(EventKind.SUCCEEDED))
    if successes != (pair.facts.status == "succeeded"):
        yield f"is {pair.facts.status} and succeeded {successes} times"


def _ends_match(pair: Pair) -> Iterator[str]:
    begun = [event.token for event in pair.facts.of_kind(EventKind.CLAIMED)]
    ended = [event.token for event in pair.facts.of_kind(*ENDS)]
    if pair.facts.status in TERMINAL and begun != ended:
        yield f"{len(begun)} attempts began, {len(ended)} ended, not all under the same lease"
    if len(set(begun)) != len(begun):
        yield "two attempts had one lease"


def _apart(pair: Pair) -> Iterator[str]:
    """Claims and ends alternate, in the order written and in time, and no lease was lost."""
    open_since: dt.datetime | None = None
    last_end: dt.datetime | None = None
    for event in pair.facts.events:
        if event.kind == EventKind.LEASE_LOST:
            yield f"attempt {event.attempt} went on after its lease was lost"
        elif event.kind == EventKind.CLAIMED:
            if open_since is not None:
                yield f"attempt {event.attempt} began before the one before it had ended"
            if last_end is not None and event.at < last_end:
                yield f"attempt {event.attempt} began at a time before the last one's end"
            open_since = event.at
        elif event.kind in ENDS:
            open_since, last_end = None, event.at


def _counted(pair: Pair) -> Iterator[str]:
    ran = len(pair.facts.of_kind(EventKind.CLAIMED)) - len(pair.facts.of_kind(EventKind.RELEASED))
    if ran != pair.facts.attempts:
        yield f"{ran} attempts ran, {pair.facts.attempts} were counted"


def _not_early(pair: Pair) -> Iterator[str]:
    claims = pair.facts.of_kind(EventKind.CLAIMED)
    due = pair.facts.created_at + dt.timedelta(seconds=pair.plan.delay_seconds)
    if claims and claims[0].at < due:
        yield f"ran {(due - claims[0].at).total_seconds():.3f} s before it was due"
