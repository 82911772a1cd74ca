"""Threads for what attempts on the event loop do synchronously: `sync_to_async`, and with it the
ORM's asynchronous methods; the engine's own look-ups for a handler as well.

By itself asgiref has one such thread for a whole process, or one for each request. Here a job has
the same thread from its first call to its end, the one that the fewest jobs have; so there are no
more connections than threads. Between jobs they are kept usable, as those of worker threads are.
"""

from __future__ import annotations

import contextlib
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from typing import Any

from asgiref.sync import SyncToAsync, ThreadSensitiveContext

from jobs.worker import handler_connections
from jobs.worker.forks import run_in_parent


class _Thread:
    """One thread, started when it is needed, and the number of jobs that have it now."""

    def __init__(self, number: int) -> None:
        self.jobs = 0
        self.used = False
        self.executor = ThreadPoolExecutor(1, thread_name_prefix=f"qforge-sync-{number}")


class SyncThreads:
    """The threads of one pool."""

    def __init__(self, count: int) -> None:
        self._threads = [_Thread(number) for number in range(count)]
        self._lock = threading.Lock()

    def part(self) -> SyncPart:
        """A part for one job. It costs nothing until it is used."""
        return SyncPart(self)

    def take(self) -> _Thread:
        with self._lock:
            thread = min(self._threads, key=lambda each: each.jobs)
            thread.jobs += 1
            thread.used = True
        return thread

    def give_back(self, thread: _Thread) -> None:
        with self._lock:
            thread.jobs -= 1

    def close(self) -> None:
        """Close the connections and let the threads end; waits for none of them."""
        for thread in self._threads:
            if thread.used:
                thread.executor.submit(handler_connections.close_all)
            thread.executor.shutdown(wait=False)


class SyncPart(Executor):
    """What one job does on its thread."""

    def __init__(self, threads: SyncThreads) -> None:
        self._threads = threads
        self._thread: _Thread | None = None

    def enter(self, context: contextvars.Context) -> None:
        """Let `sync_to_async` of whatever runs in `context` use this part."""
        key = ThreadSensitiveContext()
        SyncToAsync.context_to_thread_executor[key] = self
        context.run(SyncToAsync.thread_sensitive_context.set, key)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        thread = self._thread
        if thread is None:
            thread = self._thread = self._threads.take()
            thread.executor.submit(handler_connections.before_job)
        return thread.executor.submit(run_in_parent, partial(fn, *args, **kwargs))

    def leave(self) -> None:
        """The job has ended: tidy up behind it, if there is anything."""
        if self._thread is not None:
            # Closed already when the pool does not wait for this job.
            with contextlib.suppress(RuntimeError):
                self._thread.executor.submit(handler_connections.after_job)
            self._threads.give_back(self._thread)
