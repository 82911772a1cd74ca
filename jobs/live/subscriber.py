"""One open stream's end of the hub: what has changed since it was last looked at, added up."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass

from jobs.live.changes import Changes, Place
from jobs.live.counters import Counters


@dataclass(frozen=True, slots=True)
class Update:
    changes: Changes
    place: Place
    counters: Counters


class Subscriber:
    """Filled by the hub's thread, read by one coroutine.

    A stream whose client is slow does not fill up: updates it has not sent yet are added up, and
    become an overflow when they are too many. Make it inside the loop that reads it.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._ready = asyncio.Event()
        self._pending: Update | None = None
        self.closed = False

    def offer(self, update: Update) -> None:
        """From any thread: there is news."""
        self._call(self._take, update)

    def set_ready(self) -> None:
        """From any thread: every change from here on will be offered."""
        self._call(self._ready.set)

    def close(self) -> None:
        """From any thread: there will be no more."""
        self._call(self._end)

    async def ready(self) -> bool:
        """Wait until every change will be offered; False when it was closed instead."""
        await self._ready.wait()
        return not self.closed

    async def next(self, seconds: float) -> Update | None:
        """The next update; None when there is none within so long, or no more."""
        if self._pending is None and not self.closed:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._news.wait()
        update, self._pending = self._pending, None
        if not self.closed:
            self._news.clear()
        return update

    def _call(self, what: object, *given: object) -> None:
        # The loop may have ended; then nobody reads this.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(what, *given)  # type: ignore[arg-type]

    def _take(self, update: Update) -> None:
        before = self._pending
        changes = before.changes | update.changes if before else update.changes
        self._pending = Update(changes, update.place, update.counters)
        self._news.set()

    def _end(self) -> None:
        self.closed = True
        self._ready.set()
        self._news.set()
