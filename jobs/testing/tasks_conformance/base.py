"""What the mixins share: one home of the Tasks API, and the tasks declared with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.test import TransactionTestCase as Base
else:
    Base = object

_TASKS = {"django.tasks": "core_tasks", "django_tasks": "backport_tasks"}


class Conformance(Base):
    """Base class of the mixins."""

    api = "django.tasks"
    """Or `django_tasks`, the package for older releases."""

    def run_worker(self, queue: str = "default") -> None:
        """Run what is due on this queue, one task after the other, and come back."""
        raise NotImplementedError("give the tests a worker of the backend")

    @property
    def tasks(self) -> Any:
        return import_module(f"jobs.testing.tasks_conformance.{_TASKS[self.api]}")

    @property
    def backend(self) -> Any:
        return import_module(self.api).default_task_backend

    @property
    def status(self) -> Any:
        return import_module(self.api).TaskResultStatus

    @property
    def signals(self) -> Any:
        return import_module(f"{self.api}.signals")

    @property
    def invalid_task(self) -> Any:
        found = import_module(f"{self.api}.exceptions")
        return getattr(found, "InvalidTask", None) or found.InvalidTaskError

    @property
    def does_not_exist(self) -> Any:
        return import_module(f"{self.api}.exceptions").TaskResultDoesNotExist

    @property
    def mismatch(self) -> Any:
        return import_module(f"{self.api}.exceptions").TaskResultMismatch

    def needs(self, ability: str) -> None:
        """Skip the test when the backend says that it cannot do this."""
        if not getattr(self.backend, f"supports_{ability}"):
            self.skipTest(f"supports_{ability} is False")

    @contextmanager
    def received(self, signal: Any) -> Iterator[list[dict[str, Any]]]:
        """What `signal` tells inside the block."""
        told: list[dict[str, Any]] = []

        def receiver(sender: Any, **kwargs: Any) -> None:
            told.append({"sender": sender, **kwargs})

        signal.connect(receiver)
        try:
            yield told
        finally:
            signal.disconnect(receiver)

    def ran(self, task: Any, *args: Any, **kwargs: Any) -> Any:
        """Enqueue a task, run the worker, and give the result as it is then."""
        self.needs("get_result")
        result = task.enqueue(*args, **kwargs)
        self.run_worker()
        result.refresh()
        return result
