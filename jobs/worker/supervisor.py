"""The supervisor: keeps P pools running, each in a process of its own."""

from __future__ import annotations

import multiprocessing
import random
import signal
import time
from dataclasses import dataclass, replace
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from typing import Any, Final

from jobs import instrument
from jobs.worker import child
from jobs.worker.exits import FORCED, Exit
from jobs.worker.interrupts import interrupts_held
from jobs.worker.options import PoolOptions

_STABLE_SECONDS: Final = 30.0
_MAX_BACKOFF_SECONDS: Final = 30.0
# Longer than a pool needs after its grace; for one whose handlers keep it from hearing signals.
_END_SECONDS: Final = 10.0


@dataclass
class _Slot:
    number: int
    process: SpawnProcess | None = None
    started: float = 0.0
    crashes: int = 0
    not_before: float = 0.0
    done: int | None = None
    """Exit code of a pool that ended and is not to be replaced."""


class Supervisor:
    """Starts pools by spawn, replaces those that die, and passes signals on.

    A pool that dies soon after its start is replaced after a growing pause, so that a job that
    kills its worker cannot turn the machine into a fork bomb.
    """

    def __init__(self, options: PoolOptions, processes: int) -> None:
        self._options = options
        self._slots = [_Slot(number) for number in range(processes)]
        self._context = multiprocessing.get_context("spawn")
        self._signals = 0
        self._last_signal = 0
        self._signalled_at = 0.0

    def run(self) -> int:
        """Supervise until told to stop or every pool has drained; returns the exit code."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._handle)
        if hasattr(signal, "SIGHUP"):
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        while True:
            self._start_due()
            living = [s for s in self._slots if s.process is not None]
            if not living and (self._stopping() or all(s.done is not None for s in self._slots)):
                return self._exit_code()
            wait([s.process.sentinel for s in living if s.process], timeout=0.2)
            for slot in living:
                self._reap(slot)
            self._end_overdue()

    def _end_overdue(self) -> None:
        """Kill pools that a signal should have ended long ago."""
        grace = self._options.grace_seconds if self._signals == 1 else 0.0
        if self._signals and time.monotonic() - self._signalled_at > grace + _END_SECONDS:
            for slot in self._slots:
                if slot.process is not None:
                    slot.process.kill()

    def _stopping(self) -> bool:
        return self._signals > 0

    def _handle(self, number: int, frame: Any) -> None:
        self._signals += 1
        self._last_signal = number
        self._signalled_at = time.monotonic()
        for slot in self._slots:
            if slot.process is not None and slot.process.is_alive():
                slot.process.terminate()

    def _start_due(self) -> None:
        now = time.monotonic()
        for slot in self._slots:
            waiting = slot.process is None and slot.done is None and now >= slot.not_before
            if waiting and not self._stopping():
                slot.process = self._context.Process(
                    target=child.main, args=[self._of(slot)], name=f"qforge-pool-{slot.number}"
                )
                slot.started = now
                try:
                    with interrupts_held():
                        slot.process.start()
                except OSError as error:
                    # Out of memory or processes, for now.
                    slot.process = None
                    self._replace_later(slot, error=str(error))
                    continue
                if self._stopping():
                    # The signal came while the child was being made and has not reached it.
                    slot.process.terminate()

    def _of(self, slot: _Slot) -> PoolOptions:
        """The options of one pool: processes cannot share a port."""
        port = self._options.metrics_port
        return replace(self._options, metrics_port=port + slot.number) if port else self._options

    def _reap(self, slot: _Slot) -> None:
        process = slot.process
        if process is None or process.is_alive():
            return
        process.join()
        code = process.exitcode or 0
        slot.process = None
        finished = (self._options.drain or self._options.max_jobs) and code >= 0
        if self._stopping() or (finished and code != Exit.RECYCLE):
            slot.done = code
            return
        if code == Exit.RECYCLE:
            slot.crashes = -1
        self._replace_later(slot, exit_code=code)

    def _replace_later(self, slot: _Slot, **why: Any) -> None:
        lived = time.monotonic() - slot.started
        slot.crashes = 0 if lived > _STABLE_SECONDS else slot.crashes + 1
        full = 0.25 * 2.0 ** min(slot.crashes, 10)
        pause = min(full, _MAX_BACKOFF_SECONDS) if slot.crashes else 0.0
        slot.not_before = time.monotonic() + pause * random.uniform(0.8, 1)  # noqa: S311
        instrument.emit("pool.died", pool=slot.number, restart_in_seconds=round(pause, 2), **why)

    def _exit_code(self) -> int:
        if self._signals > 1:
            return FORCED.get(signal.Signals(self._last_signal), 1)
        return max((self._counted(slot.done or 0) for slot in self._slots), default=0)

    @staticmethod
    def _counted(code: int) -> int:
        # A child that got SIGTERM before it could handle it had claimed nothing.
        if code == -signal.SIGTERM:
            return Exit.OK
        return Exit.ERROR if code < 0 else code
