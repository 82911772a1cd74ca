"""The one seam for logs, metrics and traces: the engine says what happened, subscribers listen.

An event is a name (`job.succeeded`, `worker.started`) and plain fields. The engine formats
nothing; `jobs.worker.log` turns events into log lines, and others may count or trace them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import Any

Subscriber = Callable[[str, dict[str, Any]], None]
Surrounding = Callable[[Any], AbstractContextManager[None]]

_subscribers: list[Subscriber] = []
_surroundings: list[Surrounding] = []
_logger = logging.getLogger("jobs")

_WITHIN_NOTHING = nullcontext()


def subscribe(subscriber: Subscriber) -> Callable[[], None]:
    """Call `subscriber(event, fields)` for every event from now on; returns the way out."""
    # An app may be made ready twice, as in the tests of others; it is told once all the same.
    if subscriber not in _subscribers:
        _subscribers.append(subscriber)

    def unsubscribe() -> None:
        if subscriber in _subscribers:
            _subscribers.remove(subscriber)

    return unsubscribe


def ended_as(fields: dict[str, Any]) -> str:
    """How the attempt of a `job.finished` ended, in the words of the logs and the metrics:
    succeeded, retrying, failed, cancelled or released."""
    spent = fields["permanent"] or fields["attempt"] >= fields["max_attempts"]
    return {
        "succeed": "succeeded",
        "fail": "failed" if spent else "retrying",
        "cancel": "cancelled",
        "release": "released",
    }[fields["verb"]]


def emit(event: str, **fields: Any) -> None:
    """Tell all subscribers. One that raises is logged and hurts neither the engine nor the rest."""
    for subscriber in tuple(_subscribers):
        try:
            subscriber(event, fields)
        except Exception:
            _logger.exception("a subscriber failed on %s", event)


def surround(surrounding: Surrounding) -> Callable[[], None]:
    """Run every handler within `surrounding(job)` from now on; returns the way out.

    It sees what the handler raises, in the handler's own context.
    """
    _surroundings.append(surrounding)

    def undo() -> None:
        if surrounding in _surroundings:
            _surroundings.remove(surrounding)

    return undo


def surrounded(job: Any) -> AbstractContextManager[None]:
    """All surroundings of one attempt. One that cannot begin is logged and left out."""
    # Almost nobody has any, and a stack of none would cost as much as a handler that does nothing.
    return _within_all(job) if _surroundings else _WITHIN_NOTHING


@contextmanager
def _within_all(job: Any) -> Iterator[None]:
    with ExitStack() as stack:
        for surrounding in tuple(_surroundings):
            try:
                stack.enter_context(surrounding(job))
            except Exception:
                _logger.exception("a surrounding failed on job %s", job.id)
        yield
