"""The reasons why a job is not running, or not done: rules over facts, and nothing else."""

from __future__ import annotations

from jobs.explain import taken, waiting
from jobs.explain.facts import Facts
from jobs.explain.words import Reason
from jobs.states import JobStatus


def reasons(facts: Facts, *, handler_words: bool = True) -> list[Reason]:
    """The most important first; never empty.

    Without `handler_words` what handlers said of themselves is left out, since it may hold values
    of payloads.
    """
    status = JobStatus(facts.job.status)
    if status is JobStatus.RUNNING:
        return list(taken.running(facts))
    if status is JobStatus.QUEUED:
        return [*waiting.obstacles(facts), *waiting.line(facts), *waiting.strangers(facts)]
    if status is JobStatus.SCHEDULED:
        waits = [waiting.scheduled(facts, handler_words)]
        obstacles = list(waiting.obstacles(facts))
        # What is due waits for nothing but a worker that sees it.
        due = facts.job.available_at <= facts.now
        return [*obstacles, *waits] if due else [*waits, *obstacles]
    if status is JobStatus.BLOCKED:
        return [waiting.blocked(facts), *waiting.obstacles(facts)]
    return [taken.ended(facts, status, handler_words)]
