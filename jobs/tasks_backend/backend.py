"""The backend itself: checks a task, stores it as a job, reads the result back."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.core.checks import CheckMessage
from django.core.exceptions import ImproperlyConfigured

from jobs import instrument, registry
from jobs.backoff import MAX_DELAY_SECONDS
from jobs.errors import InvalidInput
from jobs.specs import JobSpec, check_key, prepare
from jobs.states import JobStatus
from jobs.store.values import NewJob
from jobs.tasks_backend import checks, options, paths, results, running
from jobs.tasks_backend.namespaces import NAMESPACES, Namespace, of_task
from jobs.tasks_backend.tasks import CLASSES

_ID: Final = re.compile(r"[1-9][0-9]{0,18}", re.ASCII)
_LARGEST_ID: Final = 2**63 - 1

if not NAMESPACES:
    raise ImproperlyConfigured(
        "QForgeBackend needs Django 6.0 or newer, or the package: pip install django-qforge[tasks]"
    )


class QForgeBackend(*(home.Backend for home in NAMESPACES)):  # type: ignore[misc]
    """Keeps tasks in the job queue.

    One class serves both homes of the Tasks API. Each makes instances of its own, and every task
    is answered in the terms of the home it was declared with.
    """

    supports_defer = True
    supports_async_task = True
    supports_get_result = True
    supports_priority = True

    def __init__(self, alias: str, params: Mapping[str, Any]) -> None:
        super().__init__(alias, params)
        self.params = params
        self._home: Namespace | None = None

    @property
    def home(self) -> Namespace:
        """The home whose handler made this instance."""
        if self._home is None:
            made = (n for n in NAMESPACES if self in n.backends.all(initialized_only=True))
            self._home = next(made, NAMESPACES[0])
        return self._home

    @property
    def task_class(self) -> Any:
        return CLASSES[self.home.name]

    def validate_task(self, task: Any) -> None:
        """Raises the home's InvalidTask."""
        home = of_task(task) or self.home
        after = getattr(task, "run_after", None)
        if isinstance(after, dt.timedelta):
            # The copy is checked as this one is, but for the wait.
            replace(task, run_after=None)
            if not 0 <= after.total_seconds() <= MAX_DELAY_SECONDS:
                raise home.InvalidTask("run_after must lie between now and ten years from now.")
            return
        home.Backend.validate_task(self, task)
        try:
            options.read(self.params)
            check_key(getattr(task, "idempotency_key", None))
            running.of(task, home, self.alias)
        except InvalidInput as error:
            raise home.InvalidTask(str(error)) from None
        paths.remember(task.module_path)

    def check_enqueue(self, task: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """The job to insert. Touches no database.

        Raises the home's InvalidTask, TypeError for arguments that are not JSON or do not fit the
        function, and InvalidInput, a ValueError, for values that cannot be stored.
        """
        self.validate_task(task)
        home = of_task(task) or self.home
        if (problem := paths.problem(task)) is not None:
            raise home.InvalidTask(problem)
        after = task.run_after
        delayed = isinstance(after, dt.timedelta)
        spec = JobSpec(
            task=running.of(task, home, self.alias),
            payload=home.normalize_json(dict(kwargs)),
            args=home.normalize_json(list(args)),
            delay_seconds=after.total_seconds() if delayed else None,
            available_at=None if delayed else after,
            idempotency_key=getattr(task, "idempotency_key", None),
        )
        try:
            return prepare(spec)
        except InvalidInput as error:
            if error.code == "signature":
                raise TypeError(error.message) from None
            raise

    def enqueue(self, task: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Insert a job for this task, inside the transaction that is open on the queue's database.

        With an idempotency key that has a job already, the result of that one; no signal is sent.
        Raises as `check_enqueue`, and IdempotencyConflict.
        """
        result, created = self._insert(task, self.check_enqueue(task, args, kwargs))
        if created:
            home = of_task(task) or self.home
            home.signals.task_enqueued.send(type(self), task_result=result)
        return result

    async def aenqueue(self, task: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """As `enqueue`; receivers of the signal may be coroutine functions."""
        job = self.check_enqueue(task, args, kwargs)
        result, created = await sync_to_async(self._insert)(task, job)
        if created:
            home = of_task(task) or self.home
            await home.signals.task_enqueued.asend(type(self), task_result=result)
        return result

    def _insert(self, task: Any, job: NewJob) -> tuple[Any, bool]:
        from jobs import lifecycle
        from jobs.store.connections import alias

        answer = lifecycle.enqueue(alias(), [job])[0]
        if not answer.created:
            return self.get_result(str(answer.id)), False
        home = of_task(task) or self.home
        if isinstance(task.run_after, dt.timedelta):
            task = replace(task, run_after=answer.run_after)
        result = home.TaskResult(
            task=task,
            id=str(answer.id),
            status=home.Status.READY,
            enqueued_at=answer.created_at,
            started_at=None,
            finished_at=None,
            last_attempted_at=None,
            args=json.loads(job.args),
            kwargs=json.loads(job.payload),
            backend=self.alias,
            errors=[],
            worker_ids=[],
        )
        return result, True

    def get_result(self, result_id: str) -> Any:
        """The result of any task of the queue. Raises the home's TaskResultDoesNotExist."""
        from jobs.models import Job
        from jobs.store.connections import alias

        using, text = alias(), str(result_id)
        known = _ID.fullmatch(text) and int(text) <= _LARGEST_ID
        row = Job.objects.using(using).filter(pk=int(text)).first() if known else None
        if row is None:
            raise self.home.DoesNotExist(result_id)
        found = paths.find(row.task, load=bool(row.tasks_backend))
        if found is None and not row.tasks_backend:
            # A job that no task of Django's stands behind.
            raise self.home.DoesNotExist(result_id)
        home = of_task(found) or self.home
        task = results.task_of(home, row, found)
        told = results.history(using, row.pk)
        result = results.result_of(home, row, task, JobStatus(row.status), told)
        if task.backend not in home.backends.settings:
            # Its alias is gone: `refresh` can ask this one.
            object.__setattr__(task, "backend", self.alias)
        return result

    async def aget_result(self, result_id: str) -> Any:
        """As `get_result`."""
        return await sync_to_async(self.get_result)(result_id)

    def check(self, **kwargs: Any) -> Iterator[CheckMessage]:
        """E020: the app is missing. E021: what the alias says is wrong."""
        yield from checks.check(self.alias, self.params)


def backend_class(home: Namespace, alias: str) -> type[QForgeBackend]:
    """The class that sends the signals of a job of this alias, which may be gone or another's."""
    backend = home.backends[alias] if alias in home.backends.settings else None
    return type(backend) if isinstance(backend, QForgeBackend) else QForgeBackend


def connect() -> None:
    """Make Django's tasks known to the registry, and their signals to the worker."""
    from jobs.tasks_backend import endings

    registry.add_resolver(running.Resolver())
    instrument.subscribe(endings.listen)
