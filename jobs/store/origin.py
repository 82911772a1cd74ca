"""Who is behind what happens now, when it is a person and not the application by itself.

The API, the command line and the admin say it once, around everything they do; what is written
meanwhile in this thread or task remembers it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    actor: str
    """A user's name, or `cli:user@host`; up to 150 characters."""
    via: str
    """`api`, `cli` or `admin`."""
    request_id: str = ""


_origin: ContextVar[Origin | None] = ContextVar("origin", default=None)


@contextmanager
def by(origin: Origin | None) -> Iterator[None]:
    """Within it, `origin` is behind what happens; None is the application."""
    token = _origin.set(origin)
    try:
        yield
    finally:
        _origin.reset(token)


def set_origin(origin: Origin) -> None:
    """For the rest of the `by` around it, once it is known who that is."""
    _origin.set(origin)


def origin() -> Origin | None:
    """Who is behind what happens now; None for the application."""
    return _origin.get()


def enqueued_by() -> dict[str, str]:
    """What the event of a new job tells of who asked for it."""
    found = _origin.get()
    return {} if found is None else {"actor": found.actor}
