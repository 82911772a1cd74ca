"""The functions of the tasks that backends are tried with."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import FunctionType
from typing import Any


def noop(*args: Any, **kwargs: Any) -> None:
    """Takes anything, gives nothing."""


async def noop_async(*args: Any, **kwargs: Any) -> None:
    """As `noop`."""


def echo(*args: Any, **kwargs: Any) -> Any:
    return {"args": args, "kwargs": kwargs}


def add(a: int, b: int = 1) -> int:
    return a + b


async def add_async(a: int, b: int = 1) -> int:
    return a + b


def fail(message: str = "on purpose") -> None:
    raise ValueError(message)


async def fail_async(message: str = "on purpose") -> None:
    raise ValueError(message)


def fail_until(context: Any, attempt: int) -> int:
    """Fails in every attempt before this one; returns its number."""
    if context.attempt < attempt:
        raise ValueError(f"attempt {context.attempt}")
    return int(context.attempt)


def fail_with_an_exception_inside() -> None:
    raise ValueError(ValueError("inside"))


def leave() -> None:
    sys.exit(1)


def interrupt() -> None:
    raise KeyboardInterrupt("on purpose")


def unfit(kind: str) -> Any:
    """Returns what JSON does not have."""
    return {
        "function": lambda: True,
        "nan": float("nan"),
        "nul": "\x00",
        "surrogate": "\ud800",
        "int key": {1: 2},
        "set": {1},
        "huge": 1 << 100_000,
        "bytes": b"\xff",
    }[kind]


def text_of_bytes() -> bytes:
    return b"text"


def own_id(context: Any) -> str:
    return str(context.task_result.id)


def facts(context: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
    """What a running task is told of itself."""
    result = context.task_result
    return {
        "attempt": context.attempt,
        "status": str(result.status),
        "args": result.args,
        "kwargs": result.kwargs,
        "workers": result.worker_ids,
        "started": result.started_at is not None,
        "finished": result.finished_at is not None,
    }


async def own_id_async(context: Any) -> str:
    return str(context.task_result.id)


def own_name_context(context: str) -> str:
    """`context` is an argument like any other here."""
    return context


def sleep(seconds: float) -> float:
    """In naps, between which a timeout can end it."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, 0.02))
    return seconds


_CONTEXT: set[Any] = {own_id, own_id_async, facts, fail_until}
_FUNCTIONS = [
    value
    for value in list(globals().values())
    if isinstance(value, FunctionType) and value.__module__ == __name__
]


def declared(task: Callable[..., Any], module: str) -> dict[str, Any]:
    """A task of each function, declared with `task` as if the function stood in `module`."""
    made = {}
    for function in _FUNCTIONS:
        if function is declared:
            continue
        code, names = function.__code__, function.__globals__
        own = FunctionType(code, names, function.__name__, function.__defaults__)
        own.__module__, own.__qualname__ = module, function.__name__
        made[function.__name__] = task(takes_context=function in _CONTEXT)(own)
    return made
