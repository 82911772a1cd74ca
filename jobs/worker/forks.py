"""Handlers that fork: the child must not come back as a second worker."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Callable, Coroutine, Generator
from typing import Any, NoReturn


def run_in_parent(work: Callable[..., Any], *args: Any) -> Any:
    """`work(*args)`; a process that was forked in it ends with it, as a program would.

    The child has the engine's sockets and locks, but none of its threads. Going on to the next
    job it would write into the conversation between its parent and the database.
    """
    parent = os.getpid()
    try:
        result = work(*args)
    except BaseException as error:
        if os.getpid() != parent:
            _leave(error)
        raise
    if os.getpid() != parent:
        _leave(None)
    return result


class StepsInParent(Generator[Any, Any, Any]):
    """Awaits a coroutine; a process that was forked in a step of it ends with that step.

    The child has a copy of the event loop and would go on with everybody's coroutines.
    """

    def __init__(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        self._coroutine = coroutine
        self._parent = os.getpid()

    def __await__(self) -> Generator[Any, Any, Any]:
        return self

    def send(self, value: Any) -> Any:
        return self._step(self._coroutine.send, value)

    def throw(self, *error: Any) -> Any:
        return self._step(self._coroutine.throw, *error)

    def _step(self, step: Callable[..., Any], *args: Any) -> Any:
        if os.getpid() != self._parent:
            _leave(None)
        try:
            awaited = step(*args)
        except BaseException as error:
            if os.getpid() != self._parent:
                _leave(None if isinstance(error, StopIteration) else error)
            raise
        if os.getpid() != self._parent:
            _leave(RuntimeError("a process that was forked in a coroutine cannot await"))
        return awaited


def _leave(error: BaseException | None) -> NoReturn:
    """Exit with the status that Python gives a program that ended so."""
    status = 0 if error is None else 1
    if isinstance(error, SystemExit):
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
    elif error is not None:
        with contextlib.suppress(Exception):
            traceback.print_exception(error)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(status)
