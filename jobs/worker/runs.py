"""The attempts that are on threads right now."""

from __future__ import annotations

import ctypes
import threading
import time
from typing import Any

from jobs.context import JobContext
from jobs.errors import JobTimeout
from jobs.registry import Task
from jobs.store.values import Claimed, Outcome


class Run:
    """One attempt on one thread.

    Its outcome is decided once: by the thread when the handler ends, or by the watchdog at the
    deadline, whoever calls `settle` first. The watchdog then throws JobTimeout into the thread,
    which may arrive at any bytecode between `enter` and `leave`; the latter takes back one that
    has not arrived yet.
    """

    __slots__ = (
        "_inside",
        "_lock",
        "_settled",
        "context",
        "deadline",
        "job",
        "outcome",
        "started",
        "stored_progress",
        "task",
        "thread_id",
    )

    def __init__(self, job: Claimed, context: JobContext, task: Task) -> None:
        self.job = job
        self.context = context
        self.task = task
        """As it stands for this attempt, once that has begun."""
        self.outcome: Outcome | None = None
        """What the attempt ended as; None when it was given back from outside."""
        self.thread_id = threading.get_ident()
        self.started = time.monotonic()
        self.deadline = None if job.timeout_seconds is None else self.started + job.timeout_seconds
        self.stored_progress: dict[str, Any] | None = None
        self._lock = threading.Lock()
        self._settled = False
        self._inside = False

    def settle(self, outcome: Outcome | None = None) -> bool:
        """True for the first caller, whose outcome counts."""
        with self._lock:
            first, self._settled = not self._settled, True
            if first:
                self.outcome = outcome
            return first

    @property
    def holds_thread(self) -> bool:
        """Whether others wait for a thread, or for the event loop, until the handler is back."""
        return True

    @property
    def settled(self) -> bool:
        return self._settled

    def enter(self) -> None:
        """The handler is about to begin. Raises JobTimeout when its time is over already."""
        with self._lock:
            if self._settled:
                raise JobTimeout
            self._inside = True

    def interrupt(self) -> None:
        """Throw JobTimeout into the thread if it is still inside the handler."""
        with self._lock:
            if self._inside:
                _throw(self.thread_id, JobTimeout)

    def leave(self) -> None:
        """The handler has ended; nothing may be thrown from now on."""
        with self._lock:
            if self._inside:
                self._inside = False
                _throw(self.thread_id, None)


def _throw(thread_id: int, error: type[BaseException] | None) -> None:
    """Raise `error` in a thread at its next bytecode; None clears one not yet raised.

    `PyThreadState_SetAsyncExc` of the C API; a thread blocked in C sees it only on its return.
    """
    value = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread_id), value)


class Runs:
    """All runs of a pool, by job id."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: dict[int, Run] = {}
        self._superseded: set[Run] = set()

    def add(self, run: Run) -> None:
        with self._lock:
            older = self._runs.get(run.job.id)
            if older is not None:
                # Its lease was lost and the job claimed again, by this very pool.
                older.context._lost.set()
                self._superseded.add(older)
            self._runs[run.job.id] = run

    def remove(self, run: Run) -> None:
        with self._lock:
            if self._runs.get(run.job.id) is run:
                del self._runs[run.job.id]
            self._superseded.discard(run)

    def all(self) -> list[Run]:
        with self._lock:
            return [*self._runs.values(), *self._superseded]

    def get(self, job_id: int) -> Run | None:
        return self._runs.get(job_id)

    def __len__(self) -> int:
        return len(self._runs) + len(self._superseded)
