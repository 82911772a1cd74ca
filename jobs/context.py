"""What a handler may know and do about its own job while it runs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from jobs.errors import Cancel, InvalidInput

_logger = logging.getLogger("jobs.task")


@dataclass(frozen=True, slots=True)
class Parent:
    """A step that the running one waited for."""

    step: str
    job_id: int
    status: str
    """`succeeded`; or `failed` or `cancelled`, where its `on_failure` let this step run."""
    result: Any
    error: str


class WorkflowAccess(Protocol):
    """What a workflow offers to a step of it that runs."""

    appended: Sequence[Any]
    """Steps to insert with the success of this one."""

    def parents(self) -> Mapping[str, Parent]: ...

    def payload(self) -> dict[str, Any]: ...

    def append(self, steps: Sequence[Any]) -> None: ...


class _Flag:
    """Set once and for all, by any thread. An Event costs more to make than a no-op to run, so
    there is one only where somebody waits."""

    __slots__ = ("_event", "_set", "_wake")

    def __init__(self) -> None:
        self._set = False
        self._event: threading.Event | None = None
        self._wake: Callable[[], object] | None = None

    def set(self) -> None:
        # In this order, and the other way round below: whoever comes second sees the first.
        self._set = True
        if self._event is not None:
            self._event.set()
        if self._wake is not None:
            # Whoever waited may be gone, and the event loop with it.
            with contextlib.suppress(RuntimeError):
                self._wake()

    def is_set(self) -> bool:
        return self._set

    def wait(self, seconds: float) -> None:
        event = self._event = self._event or threading.Event()
        if not self._set:
            event.wait(seconds)

    async def wait_async(self, seconds: float) -> None:
        event, loop = asyncio.Event(), asyncio.get_running_loop()
        self._wake = partial(loop.call_soon_threadsafe, event.set)
        if not self._set:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(event.wait(), seconds)


@dataclass(slots=True)
class JobContext:
    """Passed to a handler that has a parameter named `context`."""

    job_id: int
    task: str
    queue: str
    attempt: int
    """1 on the first try."""
    max_attempts: int
    timeout_seconds: float | None
    workflow_id: int | None = None
    """None for a job that is not a step."""
    step: str = ""
    started: float = field(default_factory=time.monotonic)
    _cancel: _Flag = field(default_factory=_Flag)
    _lost: _Flag = field(default_factory=_Flag)
    _progress: dict[str, Any] | None = None
    _workflow: WorkflowAccess | None = None

    @property
    def logger(self) -> logging.LoggerAdapter[logging.Logger]:
        """`jobs.task.<name>`, with the job's id and attempt beside each record."""
        about = {"job_id": self.job_id, "attempt": self.attempt}
        return logging.LoggerAdapter(_logger.getChild(self.task), about)

    @property
    def deadline_seconds(self) -> float | None:
        """Seconds left before the attempt times out, never negative; None without a timeout."""
        if self.timeout_seconds is None:
            return None
        return max(self.timeout_seconds - (time.monotonic() - self.started), 0.0)

    @property
    def cancel_requested(self) -> bool:
        """Somebody asked for this job to stop. Handlers that run long should look."""
        return self._cancel.is_set()

    @property
    def lease_lost(self) -> bool:
        """Another worker may own the job now; whatever this attempt returns is dropped."""
        return self._lost.is_set()

    def raise_if_cancelled(self) -> None:
        """Raises Cancel when the job was asked to stop or its lease is gone."""
        if self._cancel.is_set() or self._lost.is_set():
            raise Cancel("cancel requested" if self._cancel.is_set() else "lease lost")

    def sleep(self, seconds: float) -> None:
        """Sleep that a cancel request cuts short. Raises Cancel then."""
        self._cancel.wait(seconds)
        self.raise_if_cancelled()

    async def asleep(self, seconds: float) -> None:
        """`sleep` for async handlers: others go on meanwhile. Raises Cancel as `sleep` does."""
        await self._cancel.wait_async(seconds)
        self.raise_if_cancelled()

    def progress(self, percent: float, message: str = "") -> None:
        """Say how far the job is, 0 to 100; stored with the next renewal of the lease."""
        if (
            isinstance(percent, bool)
            or not isinstance(percent, int | float)
            or not math.isfinite(percent)
        ):
            raise InvalidInput("percent", f"must be a number from 0 to 100, not {percent!r}")
        if not 0 <= percent <= 100:
            raise InvalidInput("percent", f"must be between 0 and 100, not {percent!r}")
        self._progress = {"percent": percent, "message": str(message)[:200]}

    @property
    def parents(self) -> Mapping[str, Parent]:
        """The steps this one waited for, by name; read from the database at the first look."""
        return {} if self._workflow is None else self._workflow.parents()

    @property
    def results(self) -> Mapping[str, Any]:
        """What the parents returned, by name; None for one that ended without success."""
        return {name: parent.result for name, parent in self.parents.items()}

    def append_steps(self, *steps: Any) -> None:
        """Add steps (`jobs.Step`) to this job's workflow, if and only if this attempt succeeds.

        They start after this step. `after` of each may name further steps of the workflow, and
        `before` steps that must wait for it: those that gather what the new ones find. Raises
        InvalidInput for what can be seen to be wrong now; what only the workflow knows, such as
        names that are taken, fails the attempt when it ends.
        """
        if self._workflow is None:
            raise InvalidInput("steps", "this job is not a step of a workflow", code="no-workflow")
        self._workflow.append(steps)
