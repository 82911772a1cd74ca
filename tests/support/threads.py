"""Threads that start together, each with database connections of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import connections

_T = TypeVar("_T")


class Worker(threading.Thread):
    """A thread whose result, or exception, is kept for whoever joins it."""

    def __init__(self, work: Callable[[], Any]) -> None:
        super().__init__(daemon=True)
        self.work = work
        self.result: Any = None
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.result = self.work()
        except BaseException as error:
            self.error = error
        finally:
            connections.close_all()

    def wait(self, seconds: float = 30.0) -> Any:
        """The result; raises what the work raised, and AssertionError when it does not end."""
        self.join(seconds)
        assert not self.is_alive(), f"{self.work!r} has not ended within {seconds:g} s"
        if self.error is not None:
            raise self.error
        return self.result


@contextmanager
def running(work: Callable[[], _T]) -> Iterator[Worker]:
    """The work on a thread of its own, which has ended when the block ends."""
    worker = Worker(work)
    worker.start()
    try:
        yield worker
    finally:
        worker.join(30)


def together(works: Sequence[Callable[[], _T]], *, seconds: float = 30.0) -> list[_T]:
    """Run all works at once, each after one barrier; the results in their order."""
    barrier = threading.Barrier(len(works))

    def behind_barrier(work: Callable[[], _T]) -> Callable[[], _T]:
        def run() -> _T:
            barrier.wait(seconds)
            return work()

        return run

    workers = [Worker(behind_barrier(work)) for work in works]
    for worker in workers:
        worker.start()
    return [worker.wait(seconds) for worker in workers]
