"""The pulse of the event loop: a handler that blocks it holds up all others, and is named."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from typing import Any, Final

BLOCKED_SECONDS: Final = 1.0
"""A loop that does not come round for so long is blocked."""


class Pulse:
    """Asks the loop for an answer, again each time it has given one. The watchdog calls `look`."""

    def __init__(self, loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
        self._loop = loop
        self._thread = thread
        self._asked_at: float | None = None
        self._told = False

    @property
    def blocked(self) -> bool:
        return self._silent_seconds() > BLOCKED_SECONDS

    def look(self, *, running: bool) -> dict[str, Any] | None:
        """What blocks the loop, once for each time that it is blocked."""
        if self._asked_at is None:
            if running:
                self._asked_at = time.monotonic()
                self._loop.call_soon_threadsafe(self._answer)
            return None
        if self._told or not self.blocked:
            return None
        self._told = True
        return {"blocked_seconds": round(self._silent_seconds(), 1), **self._at_work()}

    def _answer(self) -> None:
        self._asked_at, self._told = None, False

    def _silent_seconds(self) -> float:
        asked_at = self._asked_at
        return 0.0 if asked_at is None else time.monotonic() - asked_at

    def _at_work(self) -> dict[str, Any]:
        task = asyncio.current_task(self._loop)
        frame = sys._current_frames().get(self._thread.ident or 0)
        code = None if frame is None else frame.f_code
        where = "" if frame is None or code is None else f"{code.co_filename}:{frame.f_lineno}"
        return {"coroutine": "" if task is None else task.get_name(), "where": where}
