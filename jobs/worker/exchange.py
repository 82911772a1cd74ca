"""The exchange: where threads hand in outcomes and take jobs, one transaction for many.

Threads do not talk to the database one by one. A thread that has finished hands its outcome in
and takes the next job that is ready. When none is, it waits; and if no exchange is in flight it
leads one: it takes every outcome handed in so far, counts the threads that wait, and in one
transaction writes the outcomes and claims for them. Meanwhile others go on handing in, so batches
grow by themselves under load, and a lone job pays for nothing.

What keeps it right:
- An attempt leaves the ledger only when the database has answered; until then the heartbeat
  renews its lease.
- After a failure nobody knows whether the COMMIT was carried out. The outcomes stay, marked
  unsure, and the token of the claim is remembered. The next leader first reads back what became
  of them (`recovery`), then goes on.
- An error that is not transient is one outcome's own fault: the batch is halved until that one
  is alone, and a failed attempt with a clear text is written in its place.
- Waiting threads sleep until told; one of them, the poller, wakes up in time for the next poll.
  A wake-up during an exchange makes another follow it, so none is missed.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Protocol

from django.db import DatabaseError, InterfaceError

from jobs import instrument, lifecycle, registry
from jobs.store import queues, values
from jobs.store.bookmarks import Bookmarks
from jobs.store.connections import EngineConnection
from jobs.store.values import Claimed, Outcome, Written
from jobs.worker import recovery
from jobs.worker.choice import Choice
from jobs.worker.forecast import Forecast
from jobs.worker.ledger import Ledger
from jobs.worker.options import PoolOptions
from jobs.worker.pacer import QUICK_SECONDS, Pacer
from jobs.worker.transient import is_transient

_CONTROLS_SECONDS: Final = 1.0


class Loop(Protocol):
    """The event loop, as far as claims go."""

    @property
    def free(self) -> int:
        """How many more jobs it may be given."""

    def wake(self) -> None:
        """There are jobs to start. Must not wait."""


class Exchange:
    """Shared by all threads of a pool."""

    def __init__(self, engine: EngineConnection, options: PoolOptions, *, name: str) -> None:
        self.name = name
        self.forecast = Forecast(options.prefetch_seconds)
        self._engine = engine
        self._options = options
        self._cv = threading.Condition()
        self._ledger = Ledger()
        self._pacer = Pacer(options.poll_seconds)
        self._choice = Choice(self.forecast, options.batch_size)
        self._bookmarks = Bookmarks()
        self._loop: Loop | None = None
        self._call_flush: Callable[[], None] | None = None
        self._told = False
        self._led_at = -math.inf
        self._idle = 0
        self._leading = False
        self._poller: int | None = None
        self._claiming = True
        self._stopped: str | None = None
        self._budget = options.max_jobs
        self._controls_read = -math.inf
        self._open_queues: Sequence[str] | None = options.queues or None

    # What threads call ---------------------------------------------------------------------

    def swap(self, outcome: Outcome | None) -> Claimed | None:
        """Hand in an outcome and wait for the next job; None when there will be no more."""
        if outcome is not None:
            self._ledger.hand_in(outcome)
        try:
            # Without the lock: taking from the left of a deque is atomic.
            return self._ledger.ready.popleft()
        except IndexError:
            return self._wait()

    def submit(self, *outcomes: Outcome) -> None:
        """Hand in outcomes on behalf of others; a thread that waits will see to it."""
        for outcome in outcomes:
            self._ledger.hand_in(outcome)
        with self._cv:
            self._tell_somebody()

    def flush(self) -> None:
        """Write what has been handed in, and claim for the event loop, unless another thread is at
        it."""
        with self._cv:
            if self._leading or self._held_back():
                return
            claiming = self._wanted_by_loop()
            if not (claiming or self._ledger.outcomes):
                return
            self._leading = True
        self._lead(claiming=claiming)

    def wake(self, *, controls: bool = False) -> None:
        """There may be something to claim; with `controls` a queue was paused or resumed."""
        with self._cv:
            self._pacer.wake()
            if controls:
                self._controls_read = -math.inf
            self._tell_somebody()

    def stop_claiming(self, reason: str) -> None:
        """Claim nothing more and give prefetched jobs back; threads go home as they finish."""
        with self._cv:
            self._claiming, self._stopped = False, reason
            for job in self._ledger.pull(lambda _: True):
                self._ledger.hand_in(values.released(job.id, job.token, reason=reason))
            self._cv.notify_all()

    # What the event loop calls -----------------------------------------------------------------

    def serve(self, loop: Loop, call_flush: Callable[[], None]) -> None:
        """From now on claim async jobs for `loop`. `call_flush` is called, and must not wait, when
        there may be an exchange to lead and no thread waits."""
        with self._cv:
            self._loop, self._call_flush = loop, call_flush
            self._controls_read = -math.inf

    def hand_in(self, outcome: Outcome) -> None:
        """Hand in an outcome; a `wake` must follow. Takes no lock."""
        self._ledger.hand_in(outcome)

    @property
    def ready_for_loop(self) -> deque[Claimed]:
        """Jobs to start on the event loop. Taking from the left is atomic."""
        return self._ledger.ready_for_loop

    # What the services of the pool call ------------------------------------------------------

    @property
    def claiming(self) -> bool:
        return self._claiming

    @property
    def pending(self) -> int:
        """Outcomes not yet written."""
        return len(self._ledger.outcomes) + self._ledger.in_flight

    def unattended_seconds(self) -> float | None:
        """In how many seconds an exchange is to be led for the event loop although no thread waits
        to lead it; None when there is no need. Threads that come back soon lead it themselves."""
        with self._cv:
            if self._leading or self._held_back():
                return None
            if not (self._wanted_by_loop() or (self._told and self._ledger.outcomes)):
                return None
            return max(self._led_at + QUICK_SECONDS - time.monotonic(), 0.0)

    def outcomes_waiting_seconds(self) -> float:
        """How long the oldest outcome has waited to be written; 0 when there is none."""
        return self._ledger.waiting_seconds()

    def held(self) -> dict[int, uuid.UUID]:
        """All jobs this pool owns, with their tokens."""
        with self._cv:
            return dict(self._ledger.held)

    def drop_unstarted(self, lost: Mapping[int, uuid.UUID]) -> list[int]:
        """Forget prefetched jobs whose leases (id to token) are lost; returns their ids."""
        with self._cv:
            return self._ledger.drop_unstarted(lost)

    def withdraw(self, job_ids: Iterable[int]) -> list[Claimed]:
        """Take these jobs back if they have not been started."""
        wanted = set(job_ids)
        with self._cv:
            return self._ledger.pull(lambda job: job.id in wanted)

    def give_back_stale(self, seconds: float) -> None:
        """Release claimed jobs that nobody has started within `seconds`."""
        if not (self._ledger.ready or self._ledger.ready_for_loop):
            return
        with self._cv:
            stale = self._ledger.pull_stale(seconds)
        reason = "claimed ahead of busy threads"
        self.submit(*(values.released(job.id, job.token, reason=reason) for job in stale))

    # How it works ------------------------------------------------------------------------------

    def _wait(self) -> Claimed | None:
        me = threading.get_ident()
        with self._cv:
            self._idle += 1
            try:
                while True:
                    # Threads that do not wait take without the lock, between any two steps here.
                    with contextlib.suppress(IndexError):
                        return self._ledger.ready.popleft()
                    if self._may_go_home():
                        return None
                    if self._should_lead():
                        self._lead_unlocked()
                        continue
                    self._poller = self._poller or me
                    self._cv.wait(self._wait_seconds() if self._poller == me else None)
            finally:
                self._idle -= 1
                if self._poller == me:
                    self._poller = None
                    self._cv.notify()
                if not self._claiming:
                    self._cv.notify_all()

    def _may_go_home(self) -> bool:
        return not (self._claiming or self._ledger.outcomes or self._leading)

    def _tell_somebody(self) -> None:
        """There may be an exchange to lead. Called with the lock."""
        if self._idle or self._call_flush is None:
            self._cv.notify()
        else:
            self._told = True
            self._call_flush()

    def _wanted_by_loop(self) -> bool:
        """Whether the loop has room and no thread waits that would claim for it. Lock."""
        if self._loop is None or self._idle or not (self._claiming and self._choice.async_tasks):
            return False
        return time.monotonic() >= self._pacer.next_poll and self._loop.free > 0

    def _held_back(self) -> bool:
        return time.monotonic() < self._pacer.not_before

    def _should_lead(self) -> bool:
        if self._leading or self._held_back():
            return False
        polling = self._claiming and time.monotonic() >= self._pacer.next_poll
        return bool(self._ledger.outcomes) or polling

    def _wait_seconds(self) -> float:
        if self._leading:
            return QUICK_SECONDS
        now = time.monotonic()
        due = now if self._ledger.outcomes or not self._claiming else self._pacer.next_poll
        return max(due, self._pacer.not_before, now + 0.001) - now

    def _lead_unlocked(self) -> None:
        self._leading = True
        self._cv.release()
        try:
            self._lead(claiming=self._claiming)
        finally:
            self._cv.acquire()

    def _lead(self, *, claiming: bool) -> None:
        """Carry out one exchange, having set `_leading` and without the lock."""
        with self._cv:
            outcomes = self._ledger.take_outcomes(self._options.batch_size)
            wakeups, self._told = self._pacer.wakeups, False
            idle = self._idle if self._budget is None else min(self._idle, self._budget)
        token = uuid.uuid4()
        try:
            with self._engine.borrowed():
                outcomes = self._read_back(outcomes)
                request = self._request(token, idle) if claiming else None
                written, claimed = self._write_and_claim(outcomes, request)
        except BaseException as error:
            self._put_back(error, outcomes, token if claiming else None)
            if not isinstance(error, DatabaseError | InterfaceError):
                raise
        else:
            self._take_in(outcomes, written, claimed, claiming=claiming, wakeups=wakeups)

    def _read_back(self, outcomes: list[Outcome]) -> list[Outcome]:
        """See what exchanges without an answer have done; returns what is still to be written."""
        using, ledger = self._engine.alias, self._ledger
        unsure = [o for o in outcomes if (o.job_id, o.token) in ledger.unsure]
        if unsure:
            stored = recovery.stored(using, unsure)
            with self._cv:
                for key in stored:
                    ledger.unsure.discard(key)
                    ledger.forget(key)
            outcomes = [o for o in outcomes if (o.job_id, o.token) not in stored]
        if ledger.unanswered:
            adopted = recovery.adopt(using, list(ledger.unanswered))
            with self._cv:
                for job in adopted:
                    ledger.unanswered.pop(job.token, None)
                ledger.expire_unanswered(self._options.lease_seconds)
                self._accept(adopted)
        return outcomes

    def _write_and_claim(
        self, outcomes: list[Outcome], request: lifecycle.ClaimRequest | None
    ) -> tuple[list[Written], list[Claimed]]:
        try:
            done = lifecycle.exchange(self._engine.alias, outcomes, request, worker=self.name)
        except Exception as error:
            if is_transient(error) or not outcomes:
                raise
            return recovery.write_halved(self._engine.alias, outcomes, worker=self.name), []
        return done.written, done.claimed

    def _request(self, token: uuid.UUID, idle: int) -> lifecycle.ClaimRequest:
        now = time.monotonic()
        if now - self._controls_read >= _CONTROLS_SECONDS:
            self._open_queues = queues.open_queues(self._engine.alias, self._options.queues)
            self._controls_read = now
            if self._loop is not None:
                self._choice.async_tasks = registry.async_names()
        free = 0 if self._loop is None else self._loop.free
        return lifecycle.ClaimRequest(
            queues=self._open_queues,
            limit=self._choice.begin(idle=idle, free=free, most=self._budget),
            choose=self._choice.choose,
            token=token,
            lease_seconds=self._options.lease_seconds,
            ahead=self._choice.ahead,
            bookmarks=self._bookmarks,
        )

    def _take_in(
        self,
        outcomes: list[Outcome],
        written: list[Written],
        claimed: list[Claimed],
        *,
        claiming: bool,
        wakeups: int,
    ) -> None:
        with self._cv:
            stale = self._ledger.settle(outcomes, written)
            self._accept(claimed)
            if claiming:
                self._looked(claimed, wakeups=wakeups)
            ended = self._pacer.succeeded()
            self._leading, self._led_at = False, time.monotonic()
            self._cv.notify(max(len(self._ledger.ready), 1))
        for job_id in stale:
            instrument.emit("job.lease_lost", job_id=job_id, worker=self.name)
        if ended:
            instrument.emit("worker.recovered", worker=self.name, failures=ended)

    def _accept(self, claimed: list[Claimed]) -> None:
        """Jobs are ours now. Called with the lock."""
        if self._budget is not None:
            self._budget -= len(claimed)
            self._claiming = self._claiming and self._budget > 0
        if self._stopped is None:
            self._ledger.take_in(claimed, async_tasks=self._choice.async_tasks)
            if self._loop is not None and self._ledger.ready_for_loop:
                self._loop.wake()
            return
        # Told to stop while the claim was under way.
        self._ledger.own(claimed)
        for job in claimed:
            self._ledger.hand_in(values.released(job.id, job.token, reason=self._stopped))

    def _looked(self, claimed: list[Claimed], *, wakeups: int) -> None:
        """A claim was answered. Called with the lock, in the same breath as the claim is taken in:
        a waiting thread that came in between would look again at once."""
        filled = self._choice.took([job.task for job in claimed])
        self._pacer.looked(found=len(claimed), filled=filled, wakeups=wakeups)
        done = not (claimed or self._ledger.held or self._ledger.outcomes)
        if self._options.drain and done:
            self._claiming = False
            self._cv.notify_all()

    def _put_back(
        self, error: BaseException, outcomes: list[Outcome], token: uuid.UUID | None
    ) -> None:
        self._engine.discard()
        self._bookmarks.clear()
        with self._cv:
            self._ledger.put_back(outcomes, token)
            self._controls_read = -math.inf
            first = self._pacer.failed()
            self._leading = False
            self._cv.notify()
        if first:
            instrument.emit("worker.lost_db", worker=self.name, error=str(error))
