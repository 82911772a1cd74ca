"""Running one job on the event loop: the coroutine around its handler."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from jobs import registry
from jobs.context import JobContext
from jobs.errors import JobTimeout
from jobs.registry import Task
from jobs.store.values import Claimed, Outcome
from jobs.worker import attempt
from jobs.worker.executor import execute as execute_on_thread
from jobs.worker.runs import Run, Runs
from jobs.worker.sync_parts import SyncPart

_T = TypeVar("_T")


class CoroutineRun(Run):
    """One attempt on the event loop. What stops it is a cancellation, which its handler may catch
    to clean up."""

    __slots__ = ("_coroutine", "_loop", "told")

    def __init__(self, job: Claimed, context: JobContext, task: Task) -> None:
        super().__init__(job, context, task)
        self._loop = asyncio.get_running_loop()
        self._coroutine = asyncio.current_task()
        self.told = False
        """Whether it was cancelled from outside: nobody waits for it any more."""

    def enter(self) -> None:
        with self._lock:
            if self._settled:
                raise JobTimeout
            self._inside = True

    def interrupt(self) -> None:
        """Cancel the handler if it still runs. For any thread."""
        # Closed: nothing runs there any more.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._cancel)

    @property
    def holds_thread(self) -> bool:
        """Whether the loop has not come round to the cancellation: something blocks it. A coroutine
        that has heard and goes on holds its own place only."""
        return not self.told

    def leave(self) -> None:
        # On the thread of the loop, as `_cancel` is: nothing can be on its way.
        self._inside = False

    def _cancel(self) -> None:
        if self._inside and self._coroutine is not None:
            self.told = True
            self._coroutine.cancel()


async def execute(job: Claimed, runs: Runs, part: SyncPart) -> Outcome | None:
    """Run the job's async handler; returns the outcome, None when it was settled before.

    Nothing is raised, whatever the handler throws. What may wait for the database, code of the
    project included, is left to the thread of `part`.
    """
    task = registry.find(job.task)
    if task is None or not task.is_async:
        # It was another one when it was claimed.
        return (await _on_thread(part, partial(execute_on_thread, job, runs)))[0]
    run = CoroutineRun(job, attempt.context_of(job), task)
    runs.add(run)
    result, error = await _call(run, part)
    first = run.settle()
    seconds = time.monotonic() - run.started
    conclude = partial(attempt.conclude, run, result, error, first=first, seconds=seconds)
    if error is None and not task.waits:
        conclude()
    else:
        await _on_thread(part, conclude)
    # They hold every local of the handler.
    del error, conclude
    runs.remove(run)
    if not first or run.outcome is None:
        return None
    attempt.tell(job, run.outcome, seconds)
    return run.outcome


async def _call(run: CoroutineRun, part: SyncPart) -> tuple[Any, BaseException | None]:
    """Result or error of the handler."""
    try:
        run.enter()
        if run.task.waits or run.context.workflow_id is not None:
            payload = await _on_thread(part, partial(attempt.begin, run))
        else:
            payload = attempt.begin(run)
        return await attempt.call_async(run, payload), None
    except BaseException as error:
        return None, error
    finally:
        run.leave()


async def _on_thread(part: SyncPart, work: Callable[[], _T]) -> _T:
    context = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(part, context.run, work)
