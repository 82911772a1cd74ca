"""The ledger: what a pool owns, what is ready to start, and outcomes on their way to the database.

Plain bookkeeping. Methods marked with a lock are called with the exchange's lock held.
"""

from __future__ import annotations

import contextlib
import time
import uuid
from collections import deque
from collections.abc import Callable, Container, Iterable, Mapping, Sequence

from jobs.store.values import Claimed, Outcome, Written

Key = tuple[int, uuid.UUID]
"""Job id and lease token: one attempt."""


class Ready(deque[Claimed]):
    """Claimed jobs that nobody has started."""

    claimed_at = 0.0
    """When the latest came."""


class Ledger:
    def __init__(self) -> None:
        self.outcomes: deque[Outcome] = deque()
        self.ready = Ready()
        self.ready_for_loop = Ready()
        self.held: dict[int, uuid.UUID] = {}
        self.unsure: set[Key] = set()
        """Outcomes sent with a COMMIT that was not answered."""
        self.unanswered: dict[uuid.UUID, float] = {}
        """Tokens of claims whose COMMIT was not answered, and when that was."""
        self.in_flight = 0
        """Outcomes in an exchange that has not been answered yet."""
        self.handed_in_at: float | None = None

    def hand_in(self, outcome: Outcome) -> None:
        """Appending to a deque is atomic, so this needs no lock."""
        if self.handed_in_at is None:
            self.handed_in_at = time.monotonic()
        self.outcomes.append(outcome)

    def take_outcomes(self, limit: int) -> list[Outcome]:
        """The oldest outcomes, for a leader. Lock."""
        taken = [self.outcomes.popleft() for _ in range(min(len(self.outcomes), limit))]
        self.in_flight = len(taken)
        if not self.outcomes:
            self.handed_in_at = None
        return taken

    def waiting_seconds(self) -> float:
        """How long the oldest outcome has waited for an exchange; 0 when there is none."""
        if not self.outcomes:
            return 0.0
        if self.handed_in_at is None:
            # It came just as a leader took the ones before it: its time counts from now.
            self.handed_in_at = time.monotonic()
        return time.monotonic() - self.handed_in_at

    def put_back(self, outcomes: Sequence[Outcome], token: uuid.UUID | None) -> None:
        """The exchange was not answered: nothing is known of its outcomes nor its claim. Lock."""
        now = time.monotonic()
        self.in_flight = 0
        self.outcomes.extendleft(reversed(outcomes))
        self.unsure.update((o.job_id, o.token) for o in outcomes)
        if outcomes:
            self.handed_in_at = self.handed_in_at or now
        if token is not None:
            self.unanswered[token] = now

    def settle(self, outcomes: Iterable[Outcome], written: Iterable[Written]) -> list[int]:
        """These outcomes were answered; returns the jobs whose lease had been lost. Lock."""
        self.in_flight = 0
        kept = {(row.job_id, row.token) for row in written}
        stale = []
        for outcome in outcomes:
            key = (outcome.job_id, outcome.token)
            self.unsure.discard(key)
            self.forget(key)
            if key not in kept:
                stale.append(outcome.job_id)
        return stale

    def forget(self, key: Key) -> None:
        """The pool no longer owns this attempt. Lock."""
        job_id, token = key
        if self.held.get(job_id) == token:
            del self.held[job_id]

    def take_in(self, claimed: Sequence[Claimed], *, async_tasks: Container[str] = ()) -> None:
        """Newly claimed jobs, ready to start; those of `async_tasks` on the event loop. Lock."""
        self.own(claimed)
        for job in claimed:
            ready = self.ready_for_loop if job.task in async_tasks else self.ready
            ready.claimed_at = time.monotonic()
            ready.append(job)

    def own(self, claimed: Iterable[Claimed]) -> None:
        """Renew these from now on. Lock."""
        self.held.update((job.id, job.token) for job in claimed)

    def pull(self, wanted: Callable[[Claimed], bool]) -> list[Claimed]:
        """Take jobs that have not been started out of the ready ones. Lock."""
        return [*_pull(self.ready, wanted), *_pull(self.ready_for_loop, wanted)]

    def pull_stale(self, seconds: float) -> list[Claimed]:
        """Take out those that have waited for so long after the latest came. Lock."""
        horizon = time.monotonic() - seconds
        lanes = (self.ready, self.ready_for_loop)
        return [job for ready in lanes if ready.claimed_at < horizon for job in _pull(ready, _any)]

    def drop_unstarted(self, lost: Mapping[int, uuid.UUID]) -> list[int]:
        """Forget ready jobs whose leases (id to token) are lost; returns their ids. Lock."""
        dropped = self.pull(lambda job: lost.get(job.id) == job.token)
        for job in dropped:
            self.forget((job.id, job.token))
        return [job.id for job in dropped]

    def expire_unanswered(self, age_seconds: float) -> None:
        """After a lease's length an unanswered claim is rescue's business. Lock."""
        horizon = time.monotonic() - age_seconds
        self.unanswered = {token: at for token, at in self.unanswered.items() if at >= horizon}


def _pull(ready: Ready, wanted: Callable[[Claimed], bool]) -> list[Claimed]:
    """Threads and the loop take from the left without the lock. So each job is popped before it is
    looked at: whoever popped it is the only one that has it."""
    pulled: list[Claimed] = []
    kept: list[Claimed] = []
    with contextlib.suppress(IndexError):
        while True:
            job = ready.popleft()
            (pulled if wanted(job) else kept).append(job)
    ready.extendleft(reversed(kept))
    return pulled


def _any(job: Claimed) -> bool:
    return True
