"""Waiting for something to become true, with a deadline; never a bare sleep."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")


def wait_until(what: Callable[[], _T], *, seconds: float = 10.0, pause: float = 0.01) -> _T:
    """The first true value of `what()`. Fails the test when there is none within `seconds`."""
    end = time.monotonic() + seconds
    while not (found := what()):
        if time.monotonic() > end:
            raise AssertionError(f"still {found!r} after {seconds:g} s: {what!r}")
        time.sleep(pause)
    return found
