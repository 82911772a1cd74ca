"""The event loop of a pool: a thread on which attempts of async handlers wait side by side.

Nothing here talks to the database. Jobs come from the exchange, which claims as many as there is
room for; outcomes go back to it, and threads that wait there, or the flush service, write them.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from jobs.store.values import Claimed, Outcome
from jobs.worker import coroutines, failures
from jobs.worker.coroutines import CoroutineRun
from jobs.worker.exchange import Exchange
from jobs.worker.pulse import Pulse
from jobs.worker.runs import Runs
from jobs.worker.sync_parts import SyncPart, SyncThreads

_logger = logging.getLogger("jobs.worker")


class JobLoop:
    """Runs up to `room` jobs at once."""

    def __init__(
        self,
        exchange: Exchange,
        runs: Runs,
        *,
        room: int,
        threads: int,
        ended: Callable[[Outcome | None], None],
        call_flush: Callable[[], None],
    ) -> None:
        self.room = room
        self.running = 0
        """Jobs that were taken and have not ended."""
        self.pulse: Pulse | None = None
        self._exchange = exchange
        self._runs = runs
        self._threads = SyncThreads(threads)
        self._ended = ended
        self._call_flush = call_flush
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._telling = False
        self._thread: threading.Thread | None = None

    # For any thread ------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the thread, and have the exchange claim for it from now on."""
        self._loop = loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=_run_loop, args=[loop], name="qforge-loop", daemon=True
        )
        self._thread.start()
        self.pulse = Pulse(loop, self._thread)
        self._exchange.serve(self, self._call_flush)

    @property
    def free(self) -> int:
        """How many more jobs it may be given now; none while something blocks it."""
        if self.pulse is None or self.pulse.blocked:
            return 0
        return max(self.room - self.running - len(self._exchange.ready_for_loop), 0)

    @property
    def busy(self) -> bool:
        """Whether an attempt runs whose outcome counts."""
        return self.running > sum(run.told for run in self._mine())

    def look(self) -> dict[str, Any] | None:
        """What blocks the loop, once each time that it is blocked. For the watchdog."""
        return None if self.pulse is None else self.pulse.look(running=self.running > 0)

    def wake(self) -> None:
        """There are jobs to start."""
        self._call(self._start_ready)

    def cancel(self) -> None:
        """Cancel all that runs."""
        for run in self._mine():
            run.interrupt()

    def stop(self, timeout_seconds: float) -> None:
        """End the thread once the handlers have come to their ends, but after so long at the
        latest: one that blocks the loop keeps the thread."""
        end = time.monotonic() + timeout_seconds
        while self._tasks and time.monotonic() < end:
            time.sleep(0.01)
        if self._loop is not None and self._thread is not None:
            self._call(self._loop.stop)
            self._thread.join(max(end - time.monotonic(), 0.1))
        self._threads.close()

    def _mine(self) -> list[CoroutineRun]:
        return [run for run in self._runs.all() if isinstance(run, CoroutineRun)]

    def _call(self, work: Callable[[], Any]) -> None:
        # Closed: the pool has stopped.
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(work)

    # On the loop's own thread --------------------------------------------------------------------

    def _start_ready(self) -> None:
        while True:
            # Counted before it is taken, so that it is never missing from both.
            self.running += 1
            try:
                job = self._exchange.ready_for_loop.popleft()
            except IndexError:
                self.running -= 1
                return
            self._start(job)

    def _start(self, job: Claimed) -> None:
        part, context = self._threads.part(), contextvars.Context()
        part.enter(context)
        task = asyncio.get_running_loop().create_task(
            self._run(job, part), name=f"job-{job.id}", context=context
        )
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, job: Claimed, part: SyncPart) -> None:
        try:
            outcome = await coroutines.execute(job, self._runs, part)
        except BaseException as error:
            # As on a thread: nothing is meant to get here, and the attempt must end.
            _logger.exception("job %s: its attempt could not be carried out", job.id)
            outcome = failures.outcome_of(job, None, error, 0.0)
        part.leave()
        self.running -= 1
        self._ended(outcome)
        if outcome is not None:
            self._exchange.hand_in(outcome)
        if not self._telling:
            # Once for all that end in the same turn of the loop.
            self._telling = True
            asyncio.get_running_loop().call_soon(self._tell)

    def _tell(self) -> None:
        self._telling = False
        self._exchange.wake()


def _run_loop(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()
