"""Why a job that waits does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from jobs.explain.facts import Facts
from jobs.explain.words import Code, Reason, because, by, number, since, spoken
from jobs.states import EventKind

_ENDS: Final = (EventKind.RELEASED, EventKind.FAILED, EventKind.RESCUED, EventKind.RETRIED)


def obstacles(facts: Facts) -> Iterator[Reason]:
    """What keeps every worker from taking it now, or once it is due."""
    job, pools, paused = facts.job, facts.pools, facts.paused
    if paused is not None:
        long = spoken(since(facts, paused.paused_at))
        yield Reason(
            Code.QUEUE_PAUSED,
            f"The queue {job.queue} has been paused for {long}"
            f"{by(paused.paused_by)}{because(paused.pause_reason)}.",
            {
                "queue": job.queue,
                "paused_at": paused.paused_at,
                "paused_by": paused.paused_by,
                "pause_reason": paused.pause_reason,
            },
        )
    if not pools.serving:
        yield _no_worker(facts)
    elif not pools.knowing:
        who = "the live worker" if pools.serving == 1 else f"any of {pools.serving:,} live workers"
        yield Reason(
            Code.TASK_NOT_REGISTERED,
            f"The task {job.task} is not registered on {who} of the queue {job.queue}; "
            "an attempt there fails.",
            {"task": job.task, "queue": job.queue, "serving": pools.serving, "knowing": 0},
        )


def _no_worker(facts: Facts) -> Reason:
    pools, queue = facts.pools, facts.job.queue
    if pools.stopping:
        text = f"The only live workers of the queue {queue} are stopping."
    elif pools.live:
        text = f"No live worker serves the queue {queue}; {pools.live:,} serve other queues only."
    else:
        text = "No worker is alive."
    told = {"queue": queue, "live_workers": pools.live, "stopping": pools.stopping}
    return Reason(Code.NO_LIVE_WORKER, text, told)


def line(facts: Facts) -> Iterator[Reason]:
    """Where it stands among the jobs that can be claimed."""
    pools, ahead = facts.pools, facts.ahead
    told = {
        "ahead": ahead.count,
        "exact": ahead.exact,
        "due_seconds": since(facts, facts.job.available_at),
        "threads": pools.threads,
        "busy": pools.busy,
    }
    if ahead.count:
        more = "" if ahead.exact else "More than "
        are = "is" if ahead.count == 1 and ahead.exact else "are"
        threads = ""
        if pools.serving:
            threads = f"; {pools.busy:,} of {number(pools.threads, 'thread')} are busy"
        yield Reason(
            Code.JOBS_AHEAD,
            f"{more}{number(ahead.count, 'job')} {are} ahead of it{threads}.",
            told,
        )
    elif pools.serving and facts.paused is None:
        free = pools.busy < pools.threads
        when = "a free worker takes it any moment" if free else "all threads are busy"
        yield Reason(Code.NEXT_IN_LINE, f"It is the next in line; {when}.", told)
    else:
        yield Reason(Code.NEXT_IN_LINE, "No other job is ahead of it.", told)


def strangers(facts: Facts) -> Iterator[Reason]:
    """As during a deployment: some of the workers are of another release."""
    pools, job = facts.pools, facts.job
    if 0 < pools.knowing < pools.serving:
        yield Reason(
            Code.TASK_NOT_REGISTERED,
            f"{pools.serving - pools.knowing:,} of {pools.serving:,} live workers of the queue "
            f"{job.queue} do not know the task; an attempt there fails.",
            {
                "task": job.task,
                "queue": job.queue,
                "serving": pools.serving,
                "knowing": pools.knowing,
            },
        )


def scheduled(facts: Facts, handler_words: bool) -> Reason:
    job = facts.job
    seconds = (job.available_at - facts.now).total_seconds()
    when = f"in {spoken(seconds)}" if seconds > 0 else f"since {spoken(-seconds)}"
    told: dict[str, Any] = {"available_at": job.available_at, "seconds": seconds}
    ends = [e for e in facts.events.values() if e.kind in _ENDS]
    if ends and ends[0].kind == EventKind.RELEASED:
        why = ends[0].reason if handler_words else ""
        return Reason(
            Code.GIVEN_BACK,
            f"Its worker gave it back{because(why)}; it is due {when}.",
            told | {"reason": why},
        )
    if job.attempts:
        return Reason(
            Code.NEXT_TRY_LATER,
            f"Attempt {job.attempts} of {job.max_attempts} failed; the next one is due {when}.",
            told | {"attempts": job.attempts, "max_attempts": job.max_attempts},
        )
    return Reason(Code.AVAILABLE_LATER, f"It is due {when}.", told)


def blocked(facts: Facts) -> Reason:
    count, named = facts.job.open_dependencies, facts.waits_for
    steps = ", ".join(f"{step.step} ({step.status})" for step in named)
    more = f" and {count - len(named):,} more" if count > len(named) else ""
    return Reason(
        Code.WAITING_FOR_STEPS,
        f"It waits for {number(count, 'step')} of its workflow: {steps}{more}.",
        {
            "workflow": facts.job.workflow_id,
            "open_steps": count,
            "steps": [asdict(step) for step in named],
        },
    )
